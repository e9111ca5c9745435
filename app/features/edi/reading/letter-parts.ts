import { parseCpr } from "~/text/cpr";
import { type EdiPatient, knownVersions, EdiError, type Party, type ReceiptLetter, syntaxError } from "./letter";

/** Throws `EdiError` for an unsupported type or version. */
export function checkVersion(type: string, version: string): void {
  const known = knownVersions[type];
  if (known === undefined)
    throw new EdiError("problem_med_version", `Vi modtager ikke brevtypen ${type.slice(0, 10) || "uden navn"}.`);
  if (known !== version)
    throw new EdiError(
      "problem_med_version",
      `${type} modtages i version ${known}, ikke ${version.slice(0, 10) || "uden navn"}.`,
    );
}

export function requireText(text: string | null, what: string): string {
  if (text === null) throw syntaxError(`${what} mangler.`);
  return text;
}

interface WrittenPatient extends Omit<EdiPatient, "cpr" | "writtenId" | "firstName" | "lastName"> {
  id: string | null;
  firstName: string | null;
  lastName: string | null;
}

export function ediPatient({ id, firstName, lastName, ...rest }: WrittenPatient): EdiPatient {
  const writtenId = requireText(id, "Patientens nummer").slice(0, 35);
  return {
    cpr: parseCpr(writtenId),
    writtenId,
    firstName: firstName ?? "",
    lastName: requireText(lastName, "Patientens efternavn"),
    ...rest,
  };
}

export const noParty: Party = {
  ean: null,
  identifier: null,
  identifierCode: null,
  organisation: null,
  department: null,
  unit: null,
  phone: null,
};

/** Only CTL03 is positive. */
export const isPositive = (type: string) => type.endsWith("CTL03");

export const isReceipt = (type: string) => /^X?CTL0[123]$/.test(type);

export type ReceiptParts = Pick<ReceiptLetter, "originalEnvelope" | "originals" | "refuseCode" | "refuseText">;

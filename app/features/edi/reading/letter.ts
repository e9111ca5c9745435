import type { FactValues } from "~/features/referrals/model/facts";
import { parseCpr } from "~/text/cpr";

/** Content of a MedCom message in either syntax. Texts keep the sender's line breaks and are trimmed. */

export type Syntax = "xml" | "edifact";

export type RefuseCode =
  "ikke_specificeret" | "ukendt_lokationsnummer" | "problem_med_modtagerID" | "problem_med_version" | "syntaksfejl";

export interface Party {
  ean: string | null;
  identifier: string | null;
  /** `ydernummer`, `sorkode`, `sygehusafdelingsnummer` … as in the XML. */
  identifierCode: string | null;
  organisation: string | null;
  department: string | null;
  unit: string | null;
  phone: string | null;
}

export interface ReferringPerson {
  identifier: string | null;
  identifierCode: string | null;
  name: string | null;
  title: string | null;
}

type LetterFact = "profession" | "address" | "zip" | "city" | "phone" | "mobilePhone";

export interface EdiPatient extends FactValues<LetterFact> {
  firstName: string;
  lastName: string;
  email: string | null;
  /** `DDMMYY-XXXX`, replacement numbers included; null if invalid. */
  cpr: string | null;
  writtenId: string;
  /** `YYYY-MM-DD`, if given besides the number. */
  birthDate: string | null;
}

export interface Reference {
  objectId: string;
  description: string | null;
  extension: string | null;
}

interface Common {
  /** 1 to 14 characters, the sender's own. */
  identifier: string;
  type: string;
  version: string;
  status: "new" | "corrected" | "cancelled";
  sender: Party;
  receiver: Party;
}

export interface ReferralLetter extends Common {
  kind: "referral";
  referrer: ReferringPerson | null;
  patient: EdiPatient;
  /** `elektiv`, `akut`, `saerlige_forhold`, or the sender's own code. */
  priority: string | null;
  transport: string | null;
  purpose: string | null;
  diagnoses: { code: string | null; text: string }[];
  reason: string | null;
  supplementary: string | null;
  cave: string | null;
  anamnesis: string | null;
  examination: string | null;
  medicine: string | null;
  relative: string | null;
  references: Reference[];
  links: string[];
  objects: EdiObject[];
}

export interface CorrespondenceLetter extends Common {
  kind: "correspondence";
  patient: EdiPatient;
  isUrgent: boolean;
  subject: string | null;
  text: string;
  references: Reference[];
}

export interface EdiObject {
  objectId: string;
  /** Lower case, without the dot. */
  extension: string;
  bytes: Buffer;
}

export interface AttachmentLetter extends Common {
  kind: "attachment";
  patient: EdiPatient | null;
  objects: EdiObject[];
}

export interface ReceiptLetter extends Common {
  kind: "receipt";
  isPositive: boolean;
  originalEnvelope: string;
  originals: { identifier: string; refuseCode: string | null; refuseText: string | null }[];
  refuseCode: string | null;
  refuseText: string | null;
}

export interface RefusedLetter {
  kind: "refused";
  identifier: string | null;
  type: string | null;
  version: string | null;
  sender: Party | null;
  receiver: Party | null;
  refuseCode: RefuseCode;
  text: string;
}

/** The refusal of a letter that breaks the standard; rethrows any other error. */
export function refusedLetter(
  error: unknown,
  letter: Omit<RefusedLetter, "kind" | "refuseCode" | "text">,
): RefusedLetter {
  if (!(error instanceof EdiError)) throw error;
  return {
    kind: "refused",
    ...letter,
    type: letter.type?.slice(0, 10) ?? null,
    version: letter.version?.slice(0, 10) ?? null,
    refuseCode: error.refuseCode,
    text: error.message,
  };
}

export type ReadLetter = ReferralLetter | CorrespondenceLetter | AttachmentLetter | ReceiptLetter;
export type Letter = ReadLetter | RefusedLetter;

export interface Envelope {
  syntax: Syntax;
  identifier: string;
  /** Location numbers of the envelope; null in XML, where letters carry them. */
  senderEan: string | null;
  receiverEan: string | null;
  wantsReceipt: boolean;
  letters: Letter[];
}

/** A violation of the standard. The Danish text goes to the log and the sender and names no patient. */
export class EdiError extends Error {
  constructor(
    readonly refuseCode: RefuseCode,
    text: string,
  ) {
    super(text);
  }
}

export const syntaxError = (text: string) => new EdiError("syntaksfejl", text);

const knownVersions: Readonly<Record<string, string>> = {
  XREF01: "XH0130R",
  XREF06: "XH0630R",
  XDIS91: "XD9134L",
  XBIN01: "XB0131X",
  XCTL01: "XC0130Q",
  XCTL02: "XC0230Q",
  XCTL03: "XC0330Q",
  REF01: "H0130R",
  REF06: "H0630R",
  CTL01: "C0130Q",
  CTL02: "C0230Q",
  CTL03: "C0330Q",
};

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

import { birthDate } from "~/text/cpr";
import { nameTokens } from "~/text/names";

/** What a DICOM header says of whose picture it is. Null where it does not say. */
export interface NamedPatient {
  /** Whether its patient's number is this referral's; null when the number is no CPR number. */
  isOwnCpr: boolean | null;
  /** Given name first. */
  name: string | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
}

export interface ReferredPatient {
  cpr: string | null;
  name: string;
}

/** How a file and its referral differ; `nobody`: the file names no patient. Values are null where there is none, or it is not kept. */
export interface Difference {
  field: "cpr" | "name" | "birthDate" | "nobody";
  inFile: string | null;
  onReferral: string | null;
}

/**
 * Whether a DICOM file is the referred patient's, so that it may go to the archive as it is; empty: it is. The CPR number decides alone where
 * the file has one: people marry. Without one the birth date and the name must not disagree, and one of them must be there.
 */
export function differencesOf(file: NamedPatient, patient: ReferredPatient): Difference[] {
  const own = { cpr: patient.cpr, name: patient.name, birthDate: patient.cpr === null ? null : birthDate(patient.cpr) };
  if (file.isOwnCpr === true) return [];
  const differs: Record<Exclude<Difference["field"], "nobody">, boolean> = {
    cpr: file.isOwnCpr === false,
    name: file.name !== null && !isSameName(file.name, own.name),
    birthDate: file.birthDate !== null && own.birthDate !== null && file.birthDate !== own.birthDate,
  };
  const found: Difference[] = [];
  if (differs.cpr) found.push({ field: "cpr", inFile: null, onReferral: own.cpr });
  if (differs.name) found.push({ field: "name", inFile: file.name, onReferral: own.name });
  if (differs.birthDate) found.push({ field: "birthDate", inFile: file.birthDate, onReferral: own.birthDate });
  const saysNothing = file.name === null && (file.birthDate === null || own.birthDate === null);
  return found.length === 0 && saysNothing ? [{ field: "nobody", inFile: null, onReferral: own.name }] : found;
}

/** The words of the shorter name all stand in the longer one, and there are two of them: `Berggren^Nancy` is Nancy Ann Berggren. */
function isSameName(one: string, other: string): boolean {
  const [shorter, longer] = [nameTokens(one), nameTokens(other)].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  const isWithin = shorter.every((token) => longer.includes(token));
  return isWithin && (shorter.length >= 2 || shorter.length === longer.length);
}

/** Why a message's file is withheld from the archive; the image stands in the referral with what differs. */
export const WITHHELD = {
  otherPatient: "Tilbageholdt: filen nævner en anden patient",
  noPatientNamed: "Tilbageholdt: filen siger ikke, hvis den er",
} as const;

export const isWithheld = (reason: string | null) => reason !== null && reason in WITHHELD;

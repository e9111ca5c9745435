import { birthDate } from "~/text/cpr";
import { nameTokens } from "~/text/names";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { EXPORT_ARCHIVED, EXPORT_FAILED, EXPORT_NO_DATA, EXPORT_PLANNED } from "~/features/referrals/model/referral";

export interface NamedPatient {
  isOwnCpr: boolean | null;
  name: string | null;
  birthDate: string | null;
}

interface ReferredPatient {
  cpr: string | null;
  name: string;
}

/**
 * A difference between file and referral; `nobody`: the file names no patient; `samePicture`: other patients' referrals
 * (`inFile`) have it too. Values are null if absent or not stored.
 */
export interface Difference {
  field: "cpr" | "name" | "birthDate" | "nobody" | "samePicture";
  inFile: string | null;
  onReferral: string | null;
}

/**
 * Checks whether a DICOM file belongs to the patient; empty if so. A CPR number decides alone, because names change.
 * Without one, birth date and name must not disagree and one must be present.
 */
export function differencesOf(file: NamedPatient, patient: ReferredPatient): Difference[] {
  const own = { cpr: patient.cpr, name: patient.name, birthDate: patient.cpr === null ? null : birthDate(patient.cpr) };
  if (file.isOwnCpr === true) return [];
  const differs: Record<"cpr" | "name" | "birthDate", boolean> = {
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

/** All words of the shorter name, at least two, must be in the longer: `Berggren^Nancy` is Nancy Ann Berggren. */
function isSameName(one: string, other: string): boolean {
  const [shorter, longer] = [nameTokens(one), nameTokens(other)].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  const isWithin = shorter.every((token) => longer.includes(token));
  return isWithin && (shorter.length >= 2 || shorter.length === longer.length);
}

export const WITHHELD = {
  otherPatient: "Tilbageholdt: filen nævner en anden patient",
  noPatientNamed: "Tilbageholdt: filen siger ikke, hvis den er",
  samePicture: "Tilbageholdt: samme billede hos nr.",
} as const;

export const isWithheld = (reason: string | null): reason is keyof typeof WITHHELD =>
  reason !== null && reason in WITHHELD;

/** What a person says who has a withheld image sent. */
export const RELEASED_BY: Readonly<Record<keyof typeof WITHHELD, string>> = {
  otherPatient: "Send alligevel",
  noPatientNamed: "Send alligevel",
  samePicture: "Billedet er rigtigt her",
};

interface Exported {
  export: { outcome: Outcome } | null;
}

/**
 * Combined archive state of a referral's images: planned while any is under way, else failed if any failed or is
 * unknown, else archived. Null if none was planned; no data if all were deleted.
 */
export function exportSummary(images: readonly Exported[], before: number | null): number | null {
  const counted = images.flatMap((image) => image.export?.outcome ?? []);
  if (counted.some((outcome) => outcome === "queued" || outcome === "awaiting")) return EXPORT_PLANNED;
  if (counted.some((outcome) => outcome === "failed" || outcome === "unknown")) return EXPORT_FAILED;
  if (counted.includes("sent")) return EXPORT_ARCHIVED;
  return before === null ? null : EXPORT_NO_DATA;
}

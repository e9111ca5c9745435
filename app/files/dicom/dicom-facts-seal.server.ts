import { z } from "zod";
import { rowContext, type Secrets } from "~/access/secrets.server";

const shown = z.object({
  frames: z.number(),
  patientName: z.string().nullable(),
  studyDate: z.string().nullable(),
  /** Absent in older records. */
  birthDate: z.string().nullable().optional(),
});

export type ShownDicomFacts = z.output<typeof shown>;

/** Binds a ciphertext to its file; the storage key is known before the row exists. */
const contextOf = (storageKey: string) => rowContext("stored_file", "dicom_facts_encrypted", storageKey);

export function sealDicomFacts(
  secrets: Secrets,
  storageKey: string,
  { frames, patientName, studyDate, birthDate }: ShownDicomFacts,
): string {
  return secrets.encrypt("draft", JSON.stringify({ frames, patientName, studyDate, birthDate }), contextOf(storageKey));
}

/** Null without data or if it cannot be decrypted for this file. */
export function unsealDicomFacts(secrets: Secrets, storageKey: string, sealed: string | null): ShownDicomFacts | null {
  const plain = sealed === null ? null : secrets.decrypt("draft", sealed, contextOf(storageKey));
  return plain === null ? null : shown.parse(JSON.parse(plain));
}

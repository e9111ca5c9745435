import { z } from "zod";
import { rowContext, type Secrets } from "~/access/secrets.server";

const shown = z.object({
  frames: z.number(),
  patientName: z.string().nullable(),
  studyDate: z.string().nullable(),
  /** Absent from what was kept before the archive asked for it. */
  birthDate: z.string().nullable().optional(),
});

/** What a page, and who judges whose picture it is, are told of a DICOM file. */
export type ShownDicomFacts = z.output<typeof shown>;

/** A ciphertext is only that of its own file: the storage key is known before there is a row. */
const contextOf = (storageKey: string) => rowContext("stored_file", "dicom_facts_encrypted", storageKey);

export function sealDicomFacts(
  secrets: Secrets,
  storageKey: string,
  { frames, patientName, studyDate, birthDate }: ShownDicomFacts,
): string {
  return secrets.encrypt("draft", JSON.stringify({ frames, patientName, studyDate, birthDate }), contextOf(storageKey));
}

/** Null for a file without them, and for what this file's key does not open. */
export function unsealDicomFacts(secrets: Secrets, storageKey: string, sealed: string | null): ShownDicomFacts | null {
  const plain = sealed === null ? null : secrets.decrypt("draft", sealed, contextOf(storageKey));
  return plain === null ? null : shown.parse(JSON.parse(plain));
}

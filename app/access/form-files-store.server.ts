import type { DbOrTx, Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** The uploads that wait in these fields of a person's form. */
export interface FormFiles {
  ownerId: number;
  formKey: string;
  fields: readonly string[];
}

const staged = (db: DbOrTx, { ownerId, formKey, fields }: FormFiles) =>
  db
    .selectFrom("staged_upload")
    .innerJoin("stored_file", "stored_file.id", "staged_upload.stored_file_id")
    .select(["staged_upload.id", "staged_upload.field", "stored_file.id as storedFileId", "stored_file.sha256"])
    .where("staged_upload.owner_id", "=", ownerId)
    .where("staged_upload.form_key", "=", formKey)
    .where("staged_upload.field", "in", fields)
    .execute();

/** What was chosen, as hashes in a fixed order: the same files are the same, however often they were sent. */
export async function findFormContents(db: DbOrTx, of: FormFiles): Promise<string[]> {
  if (of.fields.length === 0) return [];
  return [...new Set((await staged(db, of)).map(({ field, sha256 }) => `${field} ${sha256}`))].sort();
}

/** Takes away what still waits once the form has been carried out; the bytes go with the next purge. */
export async function discardFormFiles(tx: Tx, of: FormFiles, now: Date): Promise<void> {
  const left = of.fields.length === 0 ? [] : await staged(tx, of);
  if (left.length === 0) return;
  const ids = left.map(({ id }) => id);
  await tx.deleteFrom("staged_upload").where("id", "in", ids).execute();
  const stored = left.map(({ storedFileId }) => storedFileId);
  await tx
    .updateTable("stored_file")
    .set({ purge_after: toMoment(now) })
    .where("id", "in", stored)
    .execute();
}

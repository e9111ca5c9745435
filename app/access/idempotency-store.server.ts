import { type DbOrTx, insertUnlessThere, type Tx, idsOf } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export interface FormOfOperation {
  userId: number;
  operation: string;
  formKey: string;
}

const columnsOf = ({ userId, operation, formKey }: FormOfOperation) => ({
  userId,
  operation,
  formKey,
});

export function claimForm(tx: Tx, form: FormOfOperation, now: Date): Promise<boolean> {
  return insertUnlessThere(tx, "idempotency", { ...columnsOf(form), location: "", createdAt: toMoment(now) });
}

/** The page a form redirected to and its message, which is sealed because it may name a patient. */
export interface RecordedAnswer {
  to?: string;
  sealedFlash?: string;
}

/** The recorded answer to a form's first submission; null while there is none. */
export async function findFormAnswer(db: DbOrTx, form: FormOfOperation): Promise<RecordedAnswer | null> {
  const row = await db
    .selectFrom("idempotency")
    .select("answer")
    .where((eb) => eb.and(columnsOf(form)))
    .executeTakeFirst();
  return row?.answer ? (JSON.parse(row.answer) as RecordedAnswer) : null;
}

export async function recordFormAnswer(
  tx: Tx,
  form: FormOfOperation,
  { to, sealedFlash }: RecordedAnswer,
): Promise<void> {
  await tx
    .updateTable("idempotency")
    .set({ answer: JSON.stringify({ to, sealedFlash } satisfies RecordedAnswer) })
    .where((eb) => eb.and(columnsOf(form)))
    .execute();
}

export async function removeFormKeys(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("idempotency").where("createdAt", "<", toMoment(before)).execute();
}

export interface FormFiles {
  ownerId: number;
  formKey: string;
  fields: readonly string[];
}

const staged = (db: DbOrTx, { ownerId, formKey, fields }: FormFiles) =>
  db
    .selectFrom("stagedUpload")
    .innerJoin("storedFile", "storedFile.id", "stagedUpload.storedFileId")
    .select(["stagedUpload.id", "stagedUpload.field", "storedFile.id as storedFileId", "storedFile.sha256"])
    .where("stagedUpload.ownerId", "=", ownerId)
    .where("stagedUpload.formKey", "=", formKey)
    .where("stagedUpload.field", "in", fields)
    .execute();

/** Content hashes of the chosen files in a fixed order, so that the same files compare equal. */
export async function findFormContents(db: DbOrTx, of: FormFiles): Promise<string[]> {
  if (of.fields.length === 0) return [];
  return [...new Set((await staged(db, of)).map(({ field, sha256 }) => `${field} ${sha256}`))].sort();
}

/** Discards uploads left waiting once their form has been carried out; the next purge removes the bytes. */
export async function discardFormFiles(tx: Tx, of: FormFiles, now: Date): Promise<void> {
  const left = of.fields.length === 0 ? [] : await staged(tx, of);
  if (left.length === 0) return;
  const ids = idsOf(left);
  await tx.deleteFrom("stagedUpload").where("id", "in", ids).execute();
  const stored = left.map(({ storedFileId }) => storedFileId);
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter: toMoment(now) })
    .where("id", "in", stored)
    .execute();
}

import { type DbOrTx, insertUnlessThere, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** A form that a person sent to an operation: what is done once for it, however often it is sent. */
export interface FormOfOperation {
  userId: number;
  operation: string;
  formKey: string;
}

const columnsOf = ({ userId, operation, formKey }: FormOfOperation) => ({
  user_id: userId,
  operation,
  form_key: formKey,
});

/** Claims a form key for this transaction; false when it was used before. */
export function claimForm(tx: Tx, form: FormOfOperation, now: Date): Promise<boolean> {
  return insertUnlessThere(tx, "idempotency", { ...columnsOf(form), location: "", created_at: toMoment(now) });
}

/** The page that a form led to and, sealed, the message shown there, which may name a patient. */
export interface RecordedAnswer {
  to?: string | undefined;
  sealedFlash?: string | undefined;
}

/** What the form's first submission was answered; nothing while none is recorded. */
export async function findFormAnswer(db: DbOrTx, form: FormOfOperation): Promise<RecordedAnswer> {
  const row = await db
    .selectFrom("idempotency")
    .select("answer")
    .where((eb) => eb.and(columnsOf(form)))
    .executeTakeFirst();
  return row?.answer ? (JSON.parse(row.answer) as RecordedAnswer) : {};
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
  await tx.deleteFrom("idempotency").where("created_at", "<", toMoment(before)).execute();
}

import { type DbOrTx, insertUnlessThere, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

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

export function claimForm(tx: Tx, form: FormOfOperation, now: Date): Promise<boolean> {
  return insertUnlessThere(tx, "idempotency", { ...columnsOf(form), location: "", created_at: toMoment(now) });
}

/** The page a form redirected to and its message, which is sealed because it may name a patient. */
export interface RecordedAnswer {
  to?: string | undefined;
  sealedFlash?: string | undefined;
}

/** The recorded answer to a form's first submission; undefined while there is none. */
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

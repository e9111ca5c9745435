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

/** The result of the form's first submission, empty while none is recorded; null for an unknown form key. */
export async function findFormResult(db: DbOrTx, form: FormOfOperation): Promise<string | null> {
  const row = await db
    .selectFrom("idempotency")
    .select("location")
    .where((eb) => eb.and(columnsOf(form)))
    .executeTakeFirst();
  return row?.location ?? null;
}

export async function recordFormResult(tx: Tx, form: FormOfOperation, location: string): Promise<void> {
  await tx
    .updateTable("idempotency")
    .set({ location })
    .where((eb) => eb.and(columnsOf(form)))
    .execute();
}

export async function removeFormKeys(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("idempotency").where("created_at", "<", toMoment(before)).execute();
}

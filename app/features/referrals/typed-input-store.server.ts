import type { DbOrTx, Tx } from "~db/connection.server";
import { insertUnlessThere } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

/** Field name → what stands in it; a list where several boxes of one name are ticked. */
export type TypedValues = Record<string, string | string[]>;

export interface TypedInput {
  formKey: string;
  values: TypedValues;
  /** UTC moment. */
  modifiedAt: string;
}

/** A saved draft or referral has one half-typed form a person, however often it is opened. */
export const typedKeyOf = (referralId: number) => `nr-${referralId}`;

/** Keeps what a person has typed in a form and not saved, encrypted; the newest takes the place of what was there. */
export async function keepTypedInput(
  tx: Tx,
  secrets: Secrets,
  { userId, formKey, referralId, values, now }: { userId: number; formKey: string; referralId: number | null; values: TypedValues; now: Date },
): Promise<void> {
  const row = { values_encrypted: secrets.encrypt("draft", JSON.stringify(values)), modified_at: toMoment(now) };
  if (await insertUnlessThere(tx, "typed_input", { user_id: userId, form_key: formKey, referral_id: referralId, ...row })) return;
  await tx.updateTable("typed_input").set(row).where("user_id", "=", userId).where("form_key", "=", formKey).execute();
}

export async function forgetTypedInput(tx: Tx, userId: number, formKeys: string[]): Promise<void> {
  await tx.deleteFrom("typed_input").where("user_id", "=", userId).where("form_key", "in", formKeys).execute();
}

export async function findTypedInput(db: DbOrTx, secrets: Secrets, userId: number, formKey: string): Promise<TypedInput | null> {
  const row = await db
    .selectFrom("typed_input")
    .select(["form_key", "values_encrypted", "modified_at"])
    .where("user_id", "=", userId)
    .where("form_key", "=", formKey)
    .executeTakeFirst();
  return row ? toTyped(secrets, row) : null;
}

/** A person's forms that were begun and never saved, newest first, at most five. */
export async function findUnsavedForms(db: DbOrTx, secrets: Secrets, userId: number): Promise<TypedInput[]> {
  const rows = await db
    .selectFrom("typed_input")
    .select(["form_key", "values_encrypted", "modified_at"])
    .where("user_id", "=", userId)
    .where("referral_id", "is", null)
    .orderBy("modified_at", "desc")
    .limit(5)
    .execute();
  return rows.flatMap((row) => toTyped(secrets, row) ?? []);
}

/** Null where the keys have changed beyond reading. */
function toTyped(secrets: Secrets, row: { form_key: string; values_encrypted: string; modified_at: string }): TypedInput | null {
  const plain = secrets.decrypt("draft", row.values_encrypted);
  return plain === null ? null : { formKey: row.form_key, values: JSON.parse(plain) as TypedValues, modifiedAt: row.modified_at };
}

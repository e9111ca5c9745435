import type { DbOrTx, Tx } from "~db/connection.server";
import { insertUnlessThere } from "~db/connection.server";
import { sealedAutosave } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import { cprOf } from "~/text/fields.server";
import { hasPatientContent } from "~/features/referrals/wizard/autosave-content";

export type TypedValues = Record<string, string | string[]>;

/**
 * One person's unsaved text of a form under one CPR number. A form may have several, when the number changed in another
 * tab or in the referral (docs/decisions/0052).
 */
export interface StoredAutosave {
  id: number;
  formKey: string;
  /** `DDMMYY-XXXX`; null without a complete number. */
  cpr: string | null;
  values: TypedValues;
  /** UTC moment. */
  modifiedAt: string;
}

export const autosaveKeyOf = (referralId: number) => `nr-${referralId}`;

const MAX_COPIES = 50;

interface Copy {
  userId: number;
  formKey: string;
  referralId: number | null;
  values: TypedValues;
  now: Date;
}

/**
 * Stores a person's unsaved form text encrypted, replacing the copy of the same form and number. Only the newest copies
 * are kept.
 */
export async function upsertAutosave(
  tx: Tx,
  secrets: Secrets,
  { userId, formKey, referralId, values, now }: Copy,
): Promise<void> {
  const cpr = cprOf(values);
  const former = (await findAutosaves(tx, secrets, userId, formKey)).find((copy) => copy.cpr === cpr);
  const row = {
    cpr_hash: hashOf(secrets, cpr),
    ...sealedAutosave.seal(secrets, JSON.stringify(values)),
    modified_at: toMoment(now),
  };
  if (former) await tx.updateTable("autosave").set(row).where("id", "=", former.id).execute();
  else if (
    await insertUnlessThere(tx, "autosave", { user_id: userId, form_key: formKey, referral_id: referralId, ...row })
  )
    await deleteOldestAutosaves(tx, userId);
  else
    await tx
      .updateTable("autosave")
      .set(row)
      .where("user_id", "=", userId)
      .where("form_key", "=", formKey)
      .where("cpr_hash", "=", row.cpr_hash)
      .execute();
}

async function deleteOldestAutosaves(tx: Tx, userId: number): Promise<void> {
  const beyond = await copiesOf(tx, userId).clearSelect().select("id").offset(MAX_COPIES).limit(100).execute();
  if (beyond.length > 0)
    await tx
      .deleteFrom("autosave")
      .where(
        "id",
        "in",
        beyond.map(({ id }) => id),
      )
      .execute();
}

const hashOf = (secrets: Secrets, cpr: string | null) => (cpr === null ? "" : secrets.lookup("cpr", cpr));

/** Deletes a form's copy under a number; null for the one without. */
export async function deleteAutosavesUnder(
  tx: Tx,
  secrets: Secrets,
  userId: number,
  formKey: string,
  cpr: string | null,
): Promise<void> {
  const ids = (await findAutosaves(tx, secrets, userId, formKey))
    .filter((copy) => copy.cpr === cpr)
    .map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("autosave").where("id", "in", ids).execute();
}

export async function findAutosave(
  db: DbOrTx,
  secrets: Secrets,
  userId: number,
  id: number,
): Promise<StoredAutosave | null> {
  const row = await copiesOf(db, userId).where("id", "=", id).executeTakeFirst();
  return row ? toAutosave(secrets, row) : null;
}

export async function deleteAutosave(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom("autosave").where("id", "=", id).where("user_id", "=", userId).execute();
}

/** Moves a copy to another unsaved form. */
export async function moveAutosaves(tx: Tx, id: number, formKey: string): Promise<void> {
  await tx.updateTable("autosave").set({ form_key: formKey, referral_id: null }).where("id", "=", id).execute();
}

const copiesOf = (db: DbOrTx, userId: number) =>
  db
    .selectFrom("autosave")
    .select(["id", "form_key", "row_key", "values_encrypted", "modified_at"])
    .where("user_id", "=", userId)
    .orderBy("modified_at", "desc")
    .orderBy("id", "desc");

/** Copies of a form, newest first. */
export async function findAutosaves(
  db: DbOrTx,
  secrets: Secrets,
  userId: number,
  formKey: string,
): Promise<StoredAutosave[]> {
  const rows = await copiesOf(db, userId).where("form_key", "=", formKey).execute();
  return rows.flatMap((row) => toAutosave(secrets, row) ?? []);
}

/** A person's unsaved forms, newest first, at most five; a number alone does not count. */
export async function findUnsavedForms(db: DbOrTx, secrets: Secrets, userId: number): Promise<StoredAutosave[]> {
  const rows = await copiesOf(db, userId).where("referral_id", "is", null).limit(20).execute();
  return rows
    .flatMap((row) => toAutosave(secrets, row) ?? [])
    .filter(({ values }) => hasPatientContent(values))
    .slice(0, 5);
}

function toAutosave(
  secrets: Secrets,
  row: { id: number; form_key: string; row_key: string | null; values_encrypted: string; modified_at: string },
): StoredAutosave | null {
  const plain = sealedAutosave.open(secrets, row);
  if (plain === null) return null;
  const values = JSON.parse(plain) as TypedValues;
  return { id: row.id, formKey: row.form_key, cpr: cprOf(values), values, modifiedAt: row.modified_at };
}

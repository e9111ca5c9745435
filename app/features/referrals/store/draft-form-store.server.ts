import { createHash } from "node:crypto";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { claimForm, findFormAnswer, recordFormAnswer } from "~/access/idempotency-store.server";
import type { Secrets } from "~/access/secrets.server";

const formOf = (person: Person, formKey: string) => ({ userId: person.id, operation: "savePatient", formKey });

/** The draft created by a form key, or null (docs/rules/referral-form.md). */
export async function findDraftOfForm(db: DbOrTx, person: Person, formKey: string): Promise<number | null> {
  const { to } = await findFormAnswer(db, formOf(person, formKey));
  return to === undefined ? null : Number(to);
}

/** Finds the draft of an earlier submission of this form: going back and saving again changes that draft. */
export async function claimDraftOfForm(tx: Tx, person: Person, formKey: string, now: Date): Promise<number | null> {
  return (await claimForm(tx, formOf(person, formKey), now)) ? null : findDraftOfForm(tx, person, formKey);
}

export function recordDraftOfForm(tx: Tx, person: Person, formKey: string, id: number): Promise<void> {
  return recordFormAnswer(tx, formOf(person, formKey), { to: String(id) });
}

/**
 * The form key of this number's text. A form may be open in two tabs; once it is the draft of one number, or was taken
 * over, another number's text gets a form of its own (docs/decisions/0052).
 */
export async function formKeyFor(
  db: DbOrTx,
  person: Person,
  secrets: Secrets,
  formKey: string,
  cpr: string | null,
): Promise<string> {
  const begun = cpr === null ? null : await findDraftOfForm(db, person, formKey);
  if (begun === null || cpr === null) return formKey;
  const draft = await db
    .selectFrom("referral")
    .select("id")
    .where("id", "=", begun)
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .where("modifier_id", "=", person.id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return draft
    ? formKey
    : createHash("sha256")
        .update(`${formKey} ${secrets.lookup("cpr", cpr)}`)
        .digest("hex");
}

import { sql } from "kysely";
import { type DbOrTx, forUpdate, type Tx, idsOf } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { DRAFT, draftScope, inScope, type ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

/** A draft without step 2 belongs to its creator. */
export const referrerOfDraft = sql<number>`coalesce(referral.referrer_id, referral.creator_id)`;

export async function findDraftReferrerIds(db: DbOrTx, actor: Actor): Promise<number[]> {
  const rows = await db
    .selectFrom("referral")
    .select(referrerOfDraft.as("id"))
    .distinct()
    .where(draftScope(actor))
    .execute();
  return idsOf(rows);
}

/** Hides a draft in scope; it can be restored until it is purged. Throws `notInScope`. */
export async function hideDraft(tx: Tx, actor: Actor, id: number, now: Date): Promise<ScopedReferralId> {
  const draft = await inScope(
    forUpdate(tx, tx.selectFrom("referral").select("id").where("id", "=", id)),
    actor,
    "draft",
  ).executeTakeFirst();
  if (!draft) throw new Refusal("notInScope");
  await tx
    .updateTable("referral")
    .set({ deletedAt: toMoment(now) })
    .where("id", "=", draft.id)
    .execute();
  return draft.id;
}

/** Whether a draft in scope exists, or has become a referral. */
export async function isThere(db: DbOrTx, actor: Actor, id: number): Promise<boolean> {
  const row = await inScope(
    db.selectFrom("referral").select("id").where("id", "=", id),
    actor,
    "both",
  ).executeTakeFirst();
  return row !== undefined;
}

/** Restores a draft hidden after `since`. Throws `notInScope`. */
export async function restoreDraftRow(tx: Tx, actor: Actor, id: number, since: Date): Promise<void> {
  const hidden = await tx
    .selectFrom("referral")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", DRAFT)
    .where("deletedAt", ">", toMoment(since))
    .executeTakeFirst();
  if (!hidden) throw new Refusal("notInScope");
  await tx.updateTable("referral").set({ deletedAt: null }).where("id", "=", id).execute();
  // Only a restored row can be checked for scope; otherwise the transaction is rolled back.
  const own = await tx
    .selectFrom("referral")
    .select("id")
    .where("id", "=", id)
    .where(draftScope(actor))
    .executeTakeFirst();
  if (!own) throw new Refusal("notInScope");
}

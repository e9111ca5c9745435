import { sql } from "kysely";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { DRAFT, draftScope, inScope, type ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

/** Until step 2 has been saved, a draft is its creator's. */
export const referrerOfDraft = sql<number>`coalesce(referral.referrer_id, referral.creator_id)`;

/** Whose drafts there are in the actor's scope: what the list can be filtered by. */
export async function findDraftReferrerIds(db: DbOrTx, actor: Actor): Promise<number[]> {
  const rows = await db
    .selectFrom("referral")
    .select(referrerOfDraft.as("id"))
    .distinct()
    .where(draftScope(actor))
    .execute();
  return rows.map(({ id }) => id);
}

/** Hides a draft of the actor's; it can be brought back until it is purged. Throws `notInScope`. */
export async function hideDraft(tx: Tx, actor: Actor, id: number, now: Date): Promise<ScopedReferralId> {
  const draft = await inScope(
    forUpdate(tx, tx.selectFrom("referral").select("id").where("id", "=", id)),
    actor,
    "draft",
  ).executeTakeFirst();
  if (!draft) throw new Refusal("notInScope");
  await tx
    .updateTable("referral")
    .set({ deleted_at: toMoment(now) })
    .where("id", "=", draft.id)
    .execute();
  return draft.id;
}

/** Whether a draft is the actor's to see, or a referral by now: it is not deleted. */
export async function isThere(db: DbOrTx, actor: Actor, id: number): Promise<boolean> {
  const row = await inScope(
    db.selectFrom("referral").select("id").where("id", "=", id),
    actor,
    "both",
  ).executeTakeFirst();
  return row !== undefined;
}

/** Brings back a draft that was hidden after `since`. Throws `notInScope`. */
export async function restoreDraftRow(tx: Tx, actor: Actor, id: number, since: Date): Promise<void> {
  const hidden = await tx
    .selectFrom("referral")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", DRAFT)
    .where("deleted_at", ">", toMoment(since))
    .executeTakeFirst();
  if (!hidden) throw new Refusal("notInScope");
  await tx.updateTable("referral").set({ deleted_at: null }).where("id", "=", id).execute();
  // Only now the scope can tell whether it was the actor's to bring back; if not, the transaction is undone.
  const own = await tx
    .selectFrom("referral")
    .select("id")
    .where("id", "=", id)
    .where(draftScope(actor))
    .executeTakeFirst();
  if (!own) throw new Refusal("notInScope");
}

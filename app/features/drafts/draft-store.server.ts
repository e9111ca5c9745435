import { sql } from "kysely";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { DRAFT, draftScope } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { filterCondition } from "~/features/referrals/filter-sql.server";
import { filterFor } from "~/features/referrals/filters";
import { toMoment } from "~/text/dates";
import type { DraftFilter } from "./draft-filter";
import type { DraftSort } from "./draft-sort";

const sortColumns = {
  1: "referral.id",
  2: "referral.cpr6",
  3: "referral.name_sort",
  4: "referral.create_date",
  5: "referral.modified_at",
  6: "modifier.name_sort",
} as const satisfies Record<DraftSort["key"], string>;

interface DraftPage {
  filter: DraftFilter;
  sort: DraftSort;
  page: number;
  pageSize: number;
}

/** Until step 2 has been saved, a draft is its creator's. */
const referrerOfDraft = sql<number>`coalesce(referral.referrer_id, referral.creator_id)`;

/** Whose drafts there are in the actor's scope: what the list can be filtered by. */
export async function findDraftReferrerIds(db: DbOrTx, actor: Actor): Promise<number[]> {
  const rows = await db.selectFrom("referral").select(referrerOfDraft.as("id")).distinct().where(draftScope(actor)).execute();
  return rows.map(({ id }) => id);
}

/** One page of the drafts in the actor's scope, and how many there are in all. Drafts are few: the list counts them as it goes. */
export async function findDrafts({ db, secrets }: { db: DbOrTx; secrets: Secrets }, actor: Actor, { filter, sort, page, pageSize }: DraftPage) {
  const direction = sort.ascending ? "asc" : "desc";
  const { referrerId, ...rest } = filterFor(actor, filter);
  const inScope = db
    .selectFrom("referral")
    .where(draftScope(actor))
    .where(filterCondition(rest, { actor, secrets }))
    .$if(referrerId !== undefined, (query) => query.where(referrerOfDraft, "=", referrerId!));
  const { count } = await inScope.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const total = Number(count);
  // A page beyond the last shows the last one.
  const shown = Math.min(page, Math.max(1, Math.ceil(total / pageSize)));
  const rows = await inScope
    .leftJoin("user as modifier", "modifier.id", "referral.modifier_id")
    .select([
      "referral.id",
      "referral.cpr_encrypted",
      "referral.first_name",
      "referral.last_name",
      "referral.create_date",
      "referral.modified_at",
      "modifier.first_name as modifier_first_name",
      "modifier.last_name as modifier_last_name",
    ])
    .orderBy(sortColumns[sort.key], direction)
    .orderBy("referral.id", direction)
    .limit(pageSize)
    .offset((shown - 1) * pageSize)
    .execute();
  return { total, page: shown, rows };
}

/** Hides a draft of the actor's; it can be brought back until it is purged. Throws `notInScope`. */
export async function hideDraft(tx: Tx, actor: Actor, id: number, now: Date): Promise<void> {
  const hidden = await tx.updateTable("referral").set({ deleted_at: toMoment(now) }).where("id", "=", id).where(draftScope(actor)).executeTakeFirst();
  if (hidden.numUpdatedRows === 0n) throw new Refusal("notInScope");
}

/** Brings back a draft that was hidden after `since`. Throws `notInScope`. */
export async function showDraftAgain(tx: Tx, actor: Actor, id: number, since: Date): Promise<void> {
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
  const own = await tx.selectFrom("referral").select("id").where("id", "=", id).where(draftScope(actor)).executeTakeFirst();
  if (!own) throw new Refusal("notInScope");
}

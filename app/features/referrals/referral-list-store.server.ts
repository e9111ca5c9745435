import { sql } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import { type Actor, isStaff } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { filterCondition } from "./filter-sql.server";
import { type OverviewFilter, PAGE_SIZE, type Sort, type SortKey } from "./filters";

const sortColumns = {
  1: "referral.id",
  2: "referral.cpr6",
  3: "referral.name_sort",
  4: "referral.birth_date",
  5: "referral.create_date",
  7: "referral.status",
} as const satisfies Record<SortKey, string>;

export interface ListPage {
  /** 1 for the first. */
  page: number;
  /** A row of the page that `anchorPage` was, from where to step; without it the page is found by counting rows. */
  anchor: { id: number; page: number } | null;
}

const rowColumns = [
  "referral.id",
  "referral.version",
  "referral.external_id",
  "referral.external_doctor_id",
  "referral.cpr_encrypted",
  "referral.first_name",
  "referral.last_name",
  "referral.birth_date",
  "referral.create_date",
  "referral.status",
  "referral.reference_type",
  "referral.has_radiographs",
  "referral.has_unanswered_message",
  "referral.referrer_has_unread_messages",
  "referral.exported_to_csv",
  "referral.radiograph_export_status",
  "referral.is_test",
] as const;

/**
 * One page of the referrals in the actor's scope. Links near an anchor step from that row's place in the order instead of
 * counting through everything before it (design/architecture.md, Lists).
 */
export async function findPage(db: DbOrTx, secrets: Secrets, actor: Actor, filter: OverviewFilter, sort: Sort, { page, anchor }: ListPage) {
  const column = sortColumns[sort.key];
  const place = anchor ? await db.selectFrom("referral").select([`${column} as place`, "referral.id"]).where("referral.id", "=", anchor.id).where(referralScope(actor)).executeTakeFirst() : undefined;
  const steps = place && anchor ? (page - anchor.page) * PAGE_SIZE : null;
  const isBackwards = steps !== null && steps < 0;
  const ascending = isBackwards ? !sort.ascending : sort.ascending;
  const direction = ascending ? "asc" : "desc";
  let ids = db
    .selectFrom("referral")
    .select("referral.id")
    .where(referralScope(actor))
    .where(filterCondition(filter, secrets))
    .orderBy(column, direction)
    .$if(column !== "referral.id", (query) => query.orderBy("referral.id", direction))
    .limit(PAGE_SIZE);
  if (place && steps !== null) {
    ids = ids.where(beyond(column, place, ascending, !isBackwards)).offset(isBackwards ? -steps - PAGE_SIZE : steps);
  } else {
    ids = ids.offset((page - 1) * PAGE_SIZE);
  }
  const found = (await ids.execute()).map((row) => row.id);
  if (isBackwards) found.reverse();
  if (found.length === 0) return [];
  const rows = await db.selectFrom("referral").select(rowColumns).where("referral.id", "in", found).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap((id) => byId.get(id) ?? []);
}

/** Rows at or past a place in the order: `d <= x AND (d < x OR id < y)`, which an index on (d, id) answers; nulls come first. */
function beyond(column: (typeof sortColumns)[SortKey], place: { place: unknown; id: number }, ascending: boolean, including: boolean) {
  const ref = sql.ref(column);
  const idRef = sql.ref("referral.id");
  const op = (text: string) => sql.raw(text);
  const idOp = op(`${ascending ? ">" : "<"}${including ? "=" : ""}`);
  if (column === "referral.id") return sql<boolean>`${idRef} ${idOp} ${place.id}`;
  if (place.place === null) {
    const sameNull = sql<boolean>`(${ref} is null and ${idRef} ${idOp} ${place.id})`;
    return ascending ? sql<boolean>`(${ref} is not null or ${sameNull})` : sameNull;
  }
  const strictly = op(ascending ? ">" : "<");
  const atOrPast = sql<boolean>`${ref} ${op(ascending ? ">=" : "<=")} ${place.place} and (${ref} ${strictly} ${place.place} or ${idRef} ${idOp} ${place.id})`;
  return ascending ? sql<boolean>`(${atOrPast})` : sql<boolean>`((${atOrPast}) or ${ref} is null)`;
}

const KEEP_COUNT_MS = 60_000;
const COSTLY_MS = 2;
const MOST_COUNTS = 500;

/**
 * Counts that were costly are kept for a minute, beside the actor's scope and the filter (design/architecture.md, Lists). One keeper a
 * process and database: it is part of the portal.
 */
export function createCountKeeper() {
  const kept = new Map<string, { total: number; until: number }>();
  return {
    async count(db: DbOrTx, secrets: Secrets, actor: Actor, filter: OverviewFilter): Promise<number> {
      const key = `${scopeKey(actor)} ${JSON.stringify(filter)}`;
      const before = kept.get(key);
      if (before && before.until > performance.now()) return before.total;
      const started = performance.now();
      const total = await countReferrals(db, secrets, actor, filter);
      const ended = performance.now();
      if (ended - started > COSTLY_MS) {
        if (kept.size >= MOST_COUNTS) kept.clear();
        kept.set(key, { total, until: ended + KEEP_COUNT_MS });
      }
      return total;
    },
  };
}

/** Two actors with the same key see the same referrals. */
function scopeKey(actor: Actor): string {
  return isStaff(actor) ? "staff" : actor.kind === "person" ? `person ${actor.id}` : actor.kind;
}

/** How many referrals there are in all; exact. */
async function countReferrals(db: DbOrTx, secrets: Secrets, actor: Actor, filter: OverviewFilter): Promise<number> {
  const row = await db
    .selectFrom("referral")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where(referralScope(actor))
    .where(filterCondition(filter, secrets))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

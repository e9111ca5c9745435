import type { DbOrTx } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";
import type { Actor } from "~/access/actor";
import { referralScope } from "~/access/scope.server";

/**
 * Number and oldest arrival of referrals in scope by status; with `today` those on hold are left out. Statuses without
 * any are absent.
 */
export async function countByStatus(
  db: DbOrTx,
  actor: Actor,
  statuses: number[],
  today: string | null,
): Promise<{ status: number; count: number; oldest: string }[]> {
  const rows = await db
    .selectFrom("referral")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count"), eb.fn.min("create_date").as("oldest")])
    .where(referralScope(actor))
    .where("status", "in", statuses)
    .$if(today !== null, (query) => query.where("hold_until", "<=", today!))
    .groupBy("status")
    .execute();
  return rows.map(({ status, count, oldest }) => ({ status, count: Number(count), oldest }));
}

/** Number and oldest arrival of urgent referrals of a status in scope; null without any. */
export async function countUrgent(
  db: DbOrTx,
  actor: Actor,
  status: number,
  today: string | null,
): Promise<{ count: number; oldest: string } | null> {
  const { count, first } = await db
    .selectFrom("referral")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("queue_order").as("first")])
    .where(referralScope(actor))
    .where("status", "=", status)
    .where("queue_order", "<", "1")
    .$if(today !== null, (query) => query.where(withoutIndex<string>("hold_until"), "<=", today!))
    .executeTakeFirstOrThrow();
  return first === null ? null : { count: Number(count), oldest: first.slice(1) };
}

/** Counts referrals with a status of `ever`, or with one of `since` from before a moment. */
export async function countWaiting(
  db: DbOrTx,
  { ever, since, before }: { ever: number[]; since: number[]; before: string },
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("referral")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count")])
    .where((eb) =>
      eb.or([eb.and([eb("status", "in", since), eb("status_since", "<", before)]), eb("status", "in", ever)]),
    )
    .groupBy("status")
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
}

import type { DbOrTx } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";
import type { Actor } from "~/access/actor";
import { referralScope } from "~/access/scope.server";

/**
 * How many referrals in the actor's scope have each of some statuses, and when the oldest of them came; a status that none has is left out. With
 * `today` those on hold are left out.
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

/** How many urgent referrals of a status are in the actor's scope, and when the oldest of them came; null where there is none. */
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

/** How many referrals have one of the statuses `ever`, or have had one of the statuses `since` from before a moment on. */
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

import { subDays, subMinutes } from "date-fns";
import { type ExpressionBuilder, sql } from "kysely";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { markMessages } from "~db/marked-rows.server";
import type { Database } from "~db/schema";
import { toMoment } from "~/text/dates";
import type { ChannelName, FailureReason } from "./delivery-outcome";
import { type NewOutcome, settledColumns } from "./port";
import type { Kind } from "./message-kinds";
import { settledAs } from "./claim-store.server";

/** Minutes after which a due message counts as stuck, and days after which an accepted one counts as unanswered. */
const STUCK_MINUTES = 30;
const SILENT_DAYS = 2;

const TEST_KIND: Kind = "testMessage";

interface FailureScope {
  now: Date;
  lanes: readonly ChannelName[];
  withHandled?: boolean;
}

const stuckBefore = (now: Date) => toMoment(subMinutes(now, STUCK_MINUTES));
const silentBefore = (now: Date) => toMoment(subDays(now, SILENT_DAYS));

/**
 * Messages a person must handle: failed or unknown; accepted but unanswered for days; overdue. Each part has its own
 * index.
 */
export function failureIds(db: DbOrTx, { now, lanes, withHandled = false }: FailureScope) {
  const outbox = () => db.selectFrom("outbox").select("outbox.id").where("outbox.kind", "!=", TEST_KIND);
  const settled = outbox()
    .where("outbox.outcome", "in", ["failed", "unknown"])
    .$if(!withHandled, (query) => query.where("outbox.handledAt", "is", null));
  const silent = outbox()
    .where("outbox.channel", "in", ["email", "sms", "eboks", "print", "edi", "archive"])
    .where("outbox.outcome", "=", "awaiting")
    .where("outbox.sentAt", "<", silentBefore(now));
  const stuck = outbox()
    .$if(lanes.length > 0, (query) => query.where("outbox.channel", "in", lanes))
    .$if(lanes.length === 0, (query) => query.where(sql<boolean>`1 = 0`))
    .where("outbox.outcome", "=", "queued")
    .where("outbox.notBefore", "<", stuckBefore(now));
  return settled.unionAll(silent).unionAll(stuck);
}

export async function countFailures(
  db: DbOrTx,
  scope: FailureScope,
): Promise<{ count: number; oldest: string | null }> {
  const counted = await db
    .selectFrom(failureIds(db, scope).as("failure"))
    .innerJoin("outbox", "outbox.id", "failure.id")
    .select((eb) => [
      eb.fn.countAll<number>().as("count"),
      eb.fn.min(eb.fn.coalesce("outbox.settledAt", "outbox.notBefore")).as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  return { count: Number(counted.count), oldest: counted.oldest };
}

/** An attempt was made or failed to connect; the latter is not counted but leaves its detail. */
const isTried = (eb: ExpressionBuilder<Database, "outbox">) =>
  eb.or([eb("attempts", ">", 0), eb.and([eb("detail", "is not", null), eb("waitingSince", "is", null)])]);

/** Their own receiver's server put these off, so they say nothing of the channel. */
const OF_RECEIVER: FailureReason[] = ["mailboxFull", "receiverDelays"];

/** Channels with waiting messages that could not be sent, none sent since the first was tried. */
export async function findChannelsDown(db: DbOrTx, lanes: readonly ChannelName[], now: Date) {
  if (lanes.length === 0) return [];
  const waiting = await db
    .selectFrom("outbox")
    .select((eb) => [
      "channel",
      eb.fn.countAll<number>().as("count"),
      eb.fn.max(eb.case().when(isTried(eb)).then(1).else(0).end()).as("tried"),
      eb.fn.max("reason").as("reason"),
      eb.fn
        .min(
          eb.fn.coalesce(
            eb
              .selectFrom("outboxAttempt")
              .select((attempt) => attempt.fn.min("outboxAttempt.at").as("at"))
              .whereRef("outboxAttempt.outboxId", "=", "outbox.id"),
            "outbox.notBefore",
          ),
        )
        .as("since"),
    ])
    .where("channel", "in", lanes)
    .where("outcome", "=", "queued")
    .where((eb) => eb.or([isTried(eb), eb("notBefore", "<", stuckBefore(now))]))
    .where((eb) => eb.or([eb("reason", "is", null), eb("reason", "not in", OF_RECEIVER)]))
    .groupBy("channel")
    .execute();
  const down = [];
  for (const row of waiting) {
    const isAwayLong = Number(row.tried) > 0 && row.since !== null && row.since < stuckBefore(now);
    if (row.since === null || (Number(row.count) < 2 && !isAwayLong)) continue;
    const sent = await db
      .selectFrom("outbox")
      .select("id")
      .where("settledAt", ">", row.since)
      .where("channel", "=", row.channel)
      .where("outcome", "=", "sent")
      .limit(1)
      .executeTakeFirst();
    if (sent === undefined)
      down.push({
        channel: row.channel as ChannelName,
        count: Number(row.count),
        since: row.since,
        isTried: Number(row.tried) > 0,
        reason: row.reason,
      });
  }
  return down;
}

export async function lockFailure(tx: Tx, id: number) {
  const query = tx
    .selectFrom("outbox")
    .select([...settledColumns, "outcome", "sentAt", "handledAt", "resendsId"])
    .where("id", "=", id);
  return forUpdate(tx, query).executeTakeFirst();
}

export const hasBeenSilent = (sentAt: string | null, now: Date) => sentAt !== null && sentAt < silentBefore(now);

export async function settleByPerson(tx: Tx, id: number, settlement: NewOutcome, now: Date): Promise<void> {
  markMessages(tx, [id]);
  await tx
    .updateTable("outbox")
    .set((eb) => ({
      ...settledAs(settlement, now),
      sentAt: settlement.outcome === "sent" ? eb.fn.coalesce("sentAt", eb.val(toMoment(now))) : eb.ref("sentAt"),
    }))
    .where("id", "=", id)
    .execute();
}

export async function writeHandled(
  tx: Tx,
  id: number,
  by: { personId: number; note: string | null } | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable("outbox")
    .set({
      handledAt: by && toMoment(now),
      handledBy: by && by.personId,
      handledNote: by && (by.note?.slice(0, 200) ?? null),
    })
    .where("id", "=", id)
    .execute();
}

/** Marks failures as handled when a newer message of the same kind succeeded. */
export async function handleOvertaken(
  tx: Tx,
  { id, kind, referralId }: { id: number; kind: Kind; referralId: number },
  note: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable("outbox")
    .set({ handledAt: toMoment(now), handledBy: null, handledNote: note })
    .where("referralId", "=", referralId)
    .where("kind", "=", kind)
    .where("id", "<", id)
    .where("outcome", "in", ["failed", "unknown"])
    .where("handledAt", "is", null)
    .execute();
}

export async function findResent(db: DbOrTx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("outbox").select("resendsId").where("resendsId", "in", ids).execute();
  return rows.flatMap(({ resendsId: id }) => id ?? []);
}

export async function handleByPortal(tx: Tx, ids: readonly number[], note: string, now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("outbox")
    .set({ handledAt: toMoment(now), handledBy: null, handledNote: note })
    .where("id", "in", ids)
    .where("handledAt", "is", null)
    .execute();
}

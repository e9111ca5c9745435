import type { DbOrTx, Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { type Actor, hasAccount, personName } from "~/access/actor";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

export interface VisitLogEntry {
  referralId: ScopedReferralId;
  status: number | null;
  event: string | null;
  treatmentTypeId?: number | null;
  surgeonComment?: string | null;
  logType?: string;
}

const whoOf = (actor: Actor) =>
  hasAccount(actor)
    ? { modifierId: actor.id, modifierName: actor.key ? `${actor.key.name} (API)` : personName(actor) }
    : { modifierId: null, modifierName: "Systemet" };

function rowOf(who: ReturnType<typeof whoOf>, entry: VisitLogEntry, now: Date) {
  const { referralId, status, event, treatmentTypeId, surgeonComment, logType } = entry;
  return {
    referralId,
    at: toMoment(now),
    ...who,
    status,
    treatmentTypeId: treatmentTypeId ?? null,
    surgeonComment: surgeonComment ?? null,
    logType: logType ?? null,
    event,
  };
}

/** Statistics count how long a referral took to reach a status from its log. */
const markLogged = (db: DbOrTx, entries: VisitLogEntry[]) =>
  markReferrals(
    db,
    entries.flatMap(({ referralId, status }) => (status === null ? [] : [referralId])),
  );

const BATCH_SIZE = 200;

export async function isLoggedSince(
  db: DbOrTx,
  referralId: ScopedReferralId,
  { event, since }: { event: string; since: string },
): Promise<boolean> {
  const row = await db
    .selectFrom("visitLog")
    .select("id")
    .where("referralId", "=", referralId)
    .where("event", "=", event)
    .where("at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertVisitLog(db: DbOrTx, actor: Actor, entries: VisitLogEntry[], now: Date): Promise<void> {
  const who = whoOf(actor);
  const rows = entries.map((entry) => rowOf(who, entry, now));
  markLogged(db, entries);
  for (let start = 0; start < rows.length; start += BATCH_SIZE)
    await db
      .insertInto("visitLog")
      .values(rows.slice(start, start + BATCH_SIZE))
      .execute();
}

interface Logging {
  tx: Tx;
  actor: Actor;
  now: Date;
}

/** Logs an event of a referral, by default under its present status. */
export const logEvent = (
  { tx, actor, now }: Logging,
  { id, status }: { id: ScopedReferralId; status: number | null },
  event: string | null,
  more: Omit<VisitLogEntry, "referralId" | "status" | "event"> = {},
): Promise<void> => insertVisitLog(tx, actor, [{ referralId: id, status, event, ...more }], now);

export const logWithoutStatus = (
  context: Logging,
  id: ScopedReferralId,
  event: string,
  logType?: "sms",
): Promise<void> => logEvent(context, { id, status: null }, event, { logType });

export async function insertVisitLogEntry(db: DbOrTx, actor: Actor, entry: VisitLogEntry, now: Date): Promise<number> {
  markLogged(db, [entry]);
  const { insertId } = await db
    .insertInto("visitLog")
    .values(rowOf(whoOf(actor), entry, now))
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** The person or job that set the present status according to the log; undefined if not logged. */
export async function findStatusSetter(
  db: DbOrTx,
  { id, status, statusSince: since }: { id: ScopedReferralId; status: number; statusSince: string | null },
): Promise<{ id: number | null; name: string } | undefined> {
  if (since === null) return undefined;
  return db
    .selectFrom("visitLog")
    .select(["modifierId as id", "modifierName as name"])
    .where("referralId", "=", id)
    .where("at", "=", since)
    .where("status", "=", status)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** A referral's log, newest first; all of it without `limit`. */
export async function findVisitLog(db: DbOrTx, referralId: ScopedReferralId, limit?: number) {
  return db
    .selectFrom("visitLog")
    .leftJoin("treatmentType", "treatmentType.id", "visitLog.treatmentTypeId")
    .select([
      "visitLog.id",
      "visitLog.at",
      "visitLog.modifierName",
      "visitLog.status",
      "visitLog.event",
      "visitLog.logType",
      "visitLog.surgeonComment",
      "treatmentType.name as treatmentType",
    ])
    .where("visitLog.referralId", "=", referralId)
    .orderBy("visitLog.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute();
}

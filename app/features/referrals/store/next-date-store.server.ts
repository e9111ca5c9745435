import { sql } from "kysely";
import { type DbOrTx, forUpdate, type Tx, idsOf } from "~db/connection.server";
import type { Actor, WithRoles } from "~/access/actor";
import { inScope } from "~/access/scope.server";
import type { DatedReferral } from "../model/next-date.server";
import { statusesWithoutKnownDate, knownSince, storedStatuses } from "../model/status";
import { IN_TREATMENT } from "../model/statuses";
import { can } from "~/access/permissions";
import { SENT } from "~/features/delivery/delivery-status";
import type { ReferralRow } from "./referral-store.server";

/** Locked, so that a change of another transaction is not followed from an older state. */
export function lockDated(
  tx: Tx,
  ids: readonly number[],
): Promise<(DatedReferral & { id: number; nextDueOn: string })[]> {
  const rows = tx
    .selectFrom("referral")
    .select([
      "id",
      "status",
      "statusSince",
      "createDate",
      "sentAt",
      "deletedAt",
      "isTest",
      "holdUntil",
      "operationDate",
      "cancellationDate",
      "referenceType",
      "triageUrgency",
      "triagedAt",
      "nextDueOn",
    ])
    .where("id", "in", ids)
    .orderBy("id");
  return forUpdate(tx, rows).execute();
}

/** Day of the upgrade from which on deadlines follow urgency, `YYYYMMDD`; 0 for a portal that always did. */
export async function findUrgencyCountsFrom(db: DbOrTx): Promise<number> {
  const state = db.selectFrom("statisticsState").select("value").where("name", "=", "urgencyCountsFrom");
  return (await state.executeTakeFirst())?.value ?? 0;
}

/** First day of each open silence that has a row, by referral. */
export async function findOpenSilences(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = tx.selectFrom("silence").select(["referralId", "fromDay", "untilDay"]).where("referralId", "in", ids);
  return new Map(
    (await rows.execute())
      .filter(({ untilDay: until }) => until === null)
      .map(({ referralId: id, fromDay: from }) => [id, from]),
  );
}

/** Adds spells of silence, in place of the open ones of their referrals. */
export async function saveSilences(
  tx: Tx,
  spells: readonly { referralId: number; fromDay: string; untilDay: string | null }[],
): Promise<void> {
  if (spells.length === 0) return;
  const ids = spells.map(({ referralId: id }) => id);
  await tx.deleteFrom("silence").where("referralId", "in", ids).where("untilDay", "is", null).execute();
  // A silence that spans no end of a day does not count.
  const lasting = spells.filter(({ fromDay: from, untilDay: until }) => until === null || from < until);
  if (lasting.length > 0) await tx.insertInto("silence").values(lasting).execute();
}

export async function saveNextDate(tx: Tx, ids: readonly number[], day: string): Promise<void> {
  await tx.updateTable("referral").set({ nextDueOn: day }).where("id", "in", ids).execute();
}

function silentOn(db: DbOrTx, actor: Actor, today: string) {
  const unknown = statusesWithoutKnownDate(actor);
  return inScope(db.selectFrom("referral").select("referral.id"), actor, "sent")
    .where("nextDueOn", "<", today)
    .$if(unknown.length > 0, (query) => query.where("referral.status", "not in", unknown));
}

export async function countSilent(db: DbOrTx, actor: Actor, today: string): Promise<number> {
  const { n } = await silentOn(db, actor, today)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export function findSilent(
  db: DbOrTx,
  actor: Actor,
  today: string,
  { offset, limit }: { offset: number; limit: number },
) {
  return silentOn(db, actor, today)
    .select([
      "referral.status",
      "referral.nextDueOn",
      "referral.clinicId",
      "referral.statusSince",
      "referral.createDate",
      "referral.operationSetAt",
      "referral.dischargeSentAt",
      "referral.declinesDischargeLetter",
    ])
    .orderBy("referral.nextDueOn")
    .orderBy("referral.id")
    .offset(offset)
    .limit(limit)
    .execute();
}

type Sign = "received" | "status" | "message" | "callUp" | "appointment" | "letter";

interface LastSign {
  what: Sign;
  /** ISO 8601 in UTC. */
  at: string;
}

type SignedReferral = Pick<
  ReferralRow,
  "id" | "status" | "statusSince" | "createDate" | "operationSetAt" | "dischargeSentAt" | "declinesDischargeLetter"
>;

/**
 * The latest thing that happened with each sent referral and that the reader may know of: its arrival, another visible
 * status, a message of its thread, a call-up or letter that has left, a time that was set, moved or removed. Patients
 * do not know of the thread. It is one statement for all rows, so the caller limits their number.
 */
export async function findLastSigns(
  db: DbOrTx,
  reader: WithRoles,
  rows: readonly SignedReferral[],
): Promise<Map<number, LastSign>> {
  const last = new Map<number, LastSign>();
  if (rows.length === 0) return last;
  const found = [
    ...rows.flatMap((row) => ownSigns(row, reader)),
    ...(await signsElsewhere(db, reader, idsOf(rows)).execute()),
  ];
  for (const { id, what, at } of found) if (at !== null && at >= (last.get(id)?.at ?? "")) last.set(id, { what, at });
  return last;
}

const ownSigns = (row: SignedReferral, reader: WithRoles): { id: number; what: Sign; at: string | null }[] => [
  { id: row.id, what: "status", at: knownSince(row, reader) },
  // Last of the two, because a referral gets its first status when it arrives.
  { id: row.id, what: "received", at: row.createDate },
  { id: row.id, what: "appointment", at: row.operationSetAt },
  { id: row.id, what: "letter", at: row.declinesDischargeLetter ? null : row.dischargeSentAt },
];

const CALL_UP_SENT = 3;
const kind = (what: Sign) => sql.lit(what).as("what");

function signsElsewhere(db: DbOrTx, reader: WithRoles, ids: readonly number[]) {
  const callUps = db
    .selectFrom("callUp")
    .leftJoin("outbox as sending", "sending.id", "callUp.outboxId")
    .select((eb) => [
      "callUp.referralId as id",
      kind("callUp"),
      eb.fn.max<string | null>(eb.fn.coalesce("sending.sentAt", "callUp.incallDate")).as("at"),
    ])
    .where("callUp.referralId", "in", ids)
    .where((eb) =>
      eb.or([
        eb("sending.outcome", "=", "sent"),
        eb.and([eb("callUp.outboxId", "is", null), eb("callUp.callUpStatus", "=", CALL_UP_SENT)]),
      ]),
    )
    .groupBy("callUp.referralId");
  const letters = db
    .selectFrom("appointmentLetter as letter")
    .leftJoin("outbox as sending", "sending.id", "letter.outboxId")
    .select((eb) => [
      "letter.referralId as id",
      kind("letter"),
      eb.fn.max<string | null>(eb.fn.coalesce("sending.sentAt", "letter.sendDate")).as("at"),
    ])
    .where("letter.referralId", "in", ids)
    .where((eb) =>
      eb.or([
        eb("sending.outcome", "=", "sent"),
        eb.and([eb("letter.outboxId", "is", null), eb("letter.status", "=", SENT)]),
      ]),
    )
    .groupBy("letter.referralId");
  const times = db
    .selectFrom("visitAppointment")
    .select((eb) => ["referralId as id", kind("appointment"), eb.fn.max<string | null>("modifiedAt").as("at")])
    .where("referralId", "in", ids)
    .groupBy("referralId");
  const messages = db
    .selectFrom("message")
    .select((eb) => ["referralId as id", kind("message"), eb.fn.max<string | null>("createdAt").as("at")])
    .where("referralId", "in", ids)
    .groupBy("referralId");
  const alike = storedStatuses([IN_TREATMENT], reader);
  let all = callUps.unionAll(letters).unionAll(times);
  if (alike.length > 1) all = all.unionAll(sharedStatusSince(db, alike, ids));
  return can(reader, "referral.read") ? all.unionAll(messages) : all;
}

/**
 * Since when the reader sees one label for statuses that the clinic tells apart: the first entry of the log after the
 * last one with another status.
 */
function sharedStatusSince(db: DbOrTx, alike: readonly number[], ids: readonly number[]) {
  return db
    .selectFrom("visitLog as entry")
    .innerJoin("referral", "referral.id", "entry.referralId")
    .select((eb) => ["entry.referralId as id", kind("status"), eb.fn.min("entry.at").as("at")])
    .where("entry.referralId", "in", ids)
    .where("referral.status", "in", alike)
    .where("entry.status", "in", alike)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("visitLog as later")
            .select("later.id")
            .whereRef("later.referralId", "=", "entry.referralId")
            .whereRef("later.id", ">", "entry.id")
            .where("later.status", "not in", alike),
        ),
      ),
    )
    .groupBy("entry.referralId");
}

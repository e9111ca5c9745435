import { sql } from "kysely";
import { type DbOrTx, forUpdate, type Tx, idsOf } from "~db/connection.server";
import type { Actor, WithRoles } from "~/access/actor";
import { inScope } from "~/access/scope.server";
import type { DatedReferral } from "../model/next-date.server";
import { statusesWithoutKnownDate, IN_TREATMENT, knownSince, storedStatuses } from "../model/status";
import { can } from "~/access/permissions";
import { SENT } from "~/features/delivery/delivery-status";
import type { ReferralRow } from "./referral-store.server";

/** Locked, so that a change of another transaction is not followed from an older state. */
export function lockDated(
  tx: Tx,
  ids: readonly number[],
): Promise<(DatedReferral & { id: number; next_due_on: string })[]> {
  const rows = tx
    .selectFrom("referral")
    .select([
      "id",
      "status",
      "status_since",
      "create_date",
      "sent_at",
      "deleted_at",
      "is_test",
      "hold_until",
      "operation_date",
      "cancellation_date",
      "next_due_on",
    ])
    .where("id", "in", ids)
    .orderBy("id");
  return forUpdate(tx, rows).execute();
}

/** First day of each open silence that has a row, by referral. */
export async function findOpenSilences(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = tx
    .selectFrom("silence")
    .select(["referral_id", "from_day", "until_day"])
    .where("referral_id", "in", ids);
  return new Map(
    (await rows.execute())
      .filter(({ until_day: until }) => until === null)
      .map(({ referral_id: id, from_day: from }) => [id, from]),
  );
}

/** Adds spells of silence, in place of the open ones of their referrals. */
export async function saveSilences(
  tx: Tx,
  spells: readonly { referral_id: number; from_day: string; until_day: string | null }[],
): Promise<void> {
  if (spells.length === 0) return;
  const ids = spells.map(({ referral_id: id }) => id);
  await tx.deleteFrom("silence").where("referral_id", "in", ids).where("until_day", "is", null).execute();
  // A silence that spans no end of a day does not count.
  const lasting = spells.filter(({ from_day: from, until_day: until }) => until === null || from < until);
  if (lasting.length > 0) await tx.insertInto("silence").values(lasting).execute();
}

export async function saveNextDate(tx: Tx, ids: readonly number[], day: string): Promise<void> {
  await tx.updateTable("referral").set({ next_due_on: day }).where("id", "in", ids).execute();
}

function silentOn(db: DbOrTx, actor: Actor, today: string) {
  const unknown = statusesWithoutKnownDate(actor);
  return inScope(db.selectFrom("referral").select("referral.id"), actor, "sent")
    .where("next_due_on", "<", today)
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
      "referral.next_due_on",
      "referral.clinic_id",
      "referral.status_since",
      "referral.create_date",
      "referral.operation_set_at",
      "referral.discharge_sent_at",
      "referral.declines_discharge_letter",
    ])
    .orderBy("referral.next_due_on")
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
  | "id"
  | "status"
  | "status_since"
  | "create_date"
  | "operation_set_at"
  | "discharge_sent_at"
  | "declines_discharge_letter"
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
  { id: row.id, what: "received", at: row.create_date },
  { id: row.id, what: "appointment", at: row.operation_set_at },
  { id: row.id, what: "letter", at: row.declines_discharge_letter === 1 ? null : row.discharge_sent_at },
];

const CALL_UP_SENT = 3;
const kind = (what: Sign) => sql.lit(what).as("what");

function signsElsewhere(db: DbOrTx, reader: WithRoles, ids: readonly number[]) {
  const callUps = db
    .selectFrom("call_up")
    .leftJoin("outbox as sending", "sending.id", "call_up.outbox_id")
    .select((eb) => [
      "call_up.referral_id as id",
      kind("callUp"),
      eb.fn.max<string | null>(eb.fn.coalesce("sending.sent_at", "call_up.incall_date")).as("at"),
    ])
    .where("call_up.referral_id", "in", ids)
    .where((eb) =>
      eb.or([
        eb("sending.outcome", "=", "sent"),
        eb.and([eb("call_up.outbox_id", "is", null), eb("call_up.call_up_status", "=", CALL_UP_SENT)]),
      ]),
    )
    .groupBy("call_up.referral_id");
  const letters = db
    .selectFrom("appointment_letter as letter")
    .leftJoin("outbox as sending", "sending.id", "letter.outbox_id")
    .select((eb) => [
      "letter.referral_id as id",
      kind("letter"),
      eb.fn.max<string | null>(eb.fn.coalesce("sending.sent_at", "letter.send_date")).as("at"),
    ])
    .where("letter.referral_id", "in", ids)
    .where((eb) =>
      eb.or([
        eb("sending.outcome", "=", "sent"),
        eb.and([eb("letter.outbox_id", "is", null), eb("letter.status", "=", SENT)]),
      ]),
    )
    .groupBy("letter.referral_id");
  const times = db
    .selectFrom("visit_appointment")
    .select((eb) => ["referral_id as id", kind("appointment"), eb.fn.max<string | null>("modified_at").as("at")])
    .where("referral_id", "in", ids)
    .groupBy("referral_id");
  const messages = db
    .selectFrom("message")
    .select((eb) => ["referral_id as id", kind("message"), eb.fn.max<string | null>("created_at").as("at")])
    .where("referral_id", "in", ids)
    .groupBy("referral_id");
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
    .selectFrom("visit_log as entry")
    .innerJoin("referral", "referral.id", "entry.referral_id")
    .select((eb) => ["entry.referral_id as id", kind("status"), eb.fn.min("entry.at").as("at")])
    .where("entry.referral_id", "in", ids)
    .where("referral.status", "in", alike)
    .where("entry.status", "in", alike)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("visit_log as later")
            .select("later.id")
            .whereRef("later.referral_id", "=", "entry.referral_id")
            .whereRef("later.id", ">", "entry.id")
            .where("later.status", "not in", alike),
        ),
      ),
    )
    .groupBy("entry.referral_id");
}

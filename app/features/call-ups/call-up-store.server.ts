import { type DbOrTx, type Tx, rowCount } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCallUp } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { MessageText } from "~/features/delivery/templates/default-texts";
import { callUpSending, type Sending, sendingColumns } from "~/features/referrals/model/sending-state";
import { toMoment } from "~/text/dates";
import { PLANNED } from "./call-up-states";

export interface CallUpSummary {
  status: number | null;
  type: number | null;
  date: string | null;
}

/** Inserts a waiting call-up. The database's key refuses a second one (`unlessTaken`). */
export async function insertCallUp(
  tx: Tx,
  secrets: Secrets,
  callUp: {
    referralId: ScopedReferralId;
    referralStatus: number;
    outboxId: number;
    type: number;
    text: MessageText;
    visitLogId: number | null;
  },
  now: Date,
): Promise<void> {
  const { referralId, referralStatus, outboxId, type, text, visitLogId } = callUp;
  await tx
    .insertInto("call_up")
    .values({
      referral_id: referralId,
      planned_referral_id: referralId,
      referral_status: referralStatus,
      outbox_id: outboxId,
      call_up_type: type,
      call_up_status: PLANNED,
      incall_date: null,
      ...sealedCallUp.seal(secrets, text.subject === "" ? text.body : `${text.subject}\n\n${text.body}`),
      stored_file_id: null,
      visit_log_id: visitLogId,
      created_at: toMoment(now),
    })
    .execute();
}

/** The call-up of a message with the referral's status when it was requested; undefined for other messages. */
export async function findByMessage(tx: Tx, outboxId: number) {
  return tx
    .selectFrom("call_up")
    .select(["id", "referral_id", "call_up_type", "referral_status"])
    .where("outbox_id", "=", outboxId)
    .executeTakeFirst();
}

export async function findPlannedMessage(db: DbOrTx, referralId: ScopedReferralId): Promise<number | null> {
  const planned = await db
    .selectFrom("call_up")
    .select("outbox_id")
    .where("planned_referral_id", "=", referralId)
    .executeTakeFirst();
  return planned?.outbox_id ?? null;
}

/** How many of these referrals have a call-up that no worker has begun to send. */
export async function countPlanned(db: DbOrTx, referralIds: readonly ScopedReferralId[]): Promise<number> {
  if (referralIds.length === 0) return 0;
  return rowCount(db.selectFrom("call_up").where("planned_referral_id", "in", referralIds));
}

export async function freePlan(tx: Tx, callUpId: number, storedFileId: number | null): Promise<void> {
  await tx
    .updateTable("call_up")
    .set({ planned_referral_id: null, stored_file_id: storedFileId ?? undefined })
    .where("id", "=", callUpId)
    .execute();
}

const callUpsOf = (db: DbOrTx, referralId: number) =>
  db
    .selectFrom("call_up")
    .leftJoin("outbox as sending", "sending.id", "call_up.outbox_id")
    .select(["call_up.id", "call_up_type", "call_up_status", "incall_date", "call_up.created_at"])
    .select(sendingColumns)
    .where("call_up.referral_id", "=", referralId)
    .orderBy("call_up.id", "desc");

export async function findStates(db: DbOrTx, referralId: number) {
  const rows = await callUpsOf(db, referralId).execute();
  return rows.map((row) => callUpSending(row as typeof row & Sending));
}

export async function findCallUpLog(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await callUpsOf(db, referralId)
    .select(["call_up.row_key", "call_up.content_encrypted", "call_up.stored_file_id as pdf_file_id", "visit_log_id"])
    .execute();
  return rows.map((row) => callUpSending(row as typeof row & Sending));
}

export async function findCallUpFile(db: DbOrTx, visitLogId: number) {
  return db
    .selectFrom("call_up")
    .leftJoin("stored_file", "stored_file.id", "call_up.stored_file_id")
    .select(["call_up.referral_id", "storage_key", "file_name", "size_bytes"])
    .where("visit_log_id", "=", visitLogId)
    .executeTakeFirst();
}

/** State 1 while any call-up is under way, else the newest one's state, type and date. Withdrawn ones do not count. */
export function summaryOf(all: Awaited<ReturnType<typeof findStates>>): CallUpSummary {
  const states = all.filter((state) => state.sending_outcome !== "withdrawn");
  const [newest] = states;
  if (newest === undefined) return { status: null, type: null, date: null };
  return {
    status: states.some((state) => state.call_up_status === PLANNED) ? PLANNED : newest.call_up_status,
    type: newest.call_up_type,
    date: newest.incall_date ?? newest.created_at,
  };
}

/** Writes the call-up summary that lists sort and filter by. Must run in the transaction that changed a call-up. */
export async function refreshSummary(tx: Tx, referralId: number): Promise<CallUpSummary> {
  const summary = summaryOf(await findStates(tx, referralId));
  await tx
    .updateTable("referral")
    .set({ call_up_status: summary.status, call_up_type: summary.type, call_up_date: summary.date })
    .where("id", "=", referralId)
    .execute();
  return summary;
}

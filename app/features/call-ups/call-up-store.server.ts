import { type DbOrTx, type Tx, rowCount } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCallUp } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { MessageText } from "~/features/delivery/templates/message-templates";
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
    .insertInto("callUp")
    .values({
      referralId,
      plannedReferralId: referralId,
      referralStatus,
      outboxId,
      callUpType: type,
      callUpStatus: PLANNED,
      incallDate: null,
      ...sealedCallUp.seal(secrets, text.subject === "" ? text.body : `${text.subject}\n\n${text.body}`),
      storedFileId: null,
      visitLogId,
      createdAt: toMoment(now),
    })
    .execute();
}

/** The call-up of a message with the referral's status when it was requested; undefined for other messages. */
export async function findByMessage(tx: Tx, outboxId: number) {
  return tx
    .selectFrom("callUp")
    .select(["id", "referralId", "callUpType", "referralStatus"])
    .where("outboxId", "=", outboxId)
    .executeTakeFirst();
}

export async function findPlannedMessage(db: DbOrTx, referralId: ScopedReferralId): Promise<number | null> {
  const planned = await db
    .selectFrom("callUp")
    .select("outboxId")
    .where("plannedReferralId", "=", referralId)
    .executeTakeFirst();
  return planned?.outboxId ?? null;
}

/** How many of these referrals have a call-up that no worker has begun to send. */
export async function countPlanned(db: DbOrTx, referralIds: readonly ScopedReferralId[]): Promise<number> {
  if (referralIds.length === 0) return 0;
  return rowCount(db.selectFrom("callUp").where("plannedReferralId", "in", referralIds));
}

export async function freePlan(tx: Tx, callUpId: number, storedFileId: number | null): Promise<void> {
  await tx
    .updateTable("callUp")
    .set({ plannedReferralId: null, storedFileId: storedFileId ?? undefined })
    .where("id", "=", callUpId)
    .execute();
}

const callUpsOf = (db: DbOrTx, referralId: number) =>
  db
    .selectFrom("callUp")
    .leftJoin("outbox as sending", "sending.id", "callUp.outboxId")
    .select(["callUp.id", "callUpType", "callUpStatus", "incallDate", "callUp.createdAt"])
    .select(sendingColumns)
    .where("callUp.referralId", "=", referralId)
    .orderBy("callUp.id", "desc");

export async function findStates(db: DbOrTx, referralId: number) {
  const rows = await callUpsOf(db, referralId).execute();
  return rows.map((row) => callUpSending(row as typeof row & Sending));
}

export async function findCallUpLog(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await callUpsOf(db, referralId)
    .select(["callUp.rowKey", "callUp.contentEncrypted", "callUp.storedFileId as pdfFileId", "visitLogId"])
    .execute();
  return rows.map((row) => callUpSending(row as typeof row & Sending));
}

export async function findCallUpFile(db: DbOrTx, visitLogId: number) {
  return db
    .selectFrom("callUp")
    .leftJoin("storedFile", "storedFile.id", "callUp.storedFileId")
    .select(["callUp.referralId", "storageKey", "fileName", "sizeBytes"])
    .where("visitLogId", "=", visitLogId)
    .executeTakeFirst();
}

/** State 1 while any call-up is under way, else the newest one's state, type and date. Withdrawn ones do not count. */
export function summaryOf(all: Awaited<ReturnType<typeof findStates>>): CallUpSummary {
  const states = all.filter((state) => state.sendingOutcome !== "withdrawn");
  const [newest] = states;
  if (newest === undefined) return { status: null, type: null, date: null };
  return {
    status: states.some((state) => state.callUpStatus === PLANNED) ? PLANNED : newest.callUpStatus,
    type: newest.callUpType,
    date: newest.incallDate ?? newest.createdAt,
  };
}

/** Writes the call-up summary that lists sort and filter by. Must run in the transaction that changed a call-up. */
export async function refreshSummary(tx: Tx, referralId: number): Promise<CallUpSummary> {
  const summary = summaryOf(await findStates(tx, referralId));
  await tx
    .updateTable("referral")
    .set({ callUpStatus: summary.status, callUpType: summary.type, callUpDate: summary.date })
    .where("id", "=", referralId)
    .execute();
  return summary;
}

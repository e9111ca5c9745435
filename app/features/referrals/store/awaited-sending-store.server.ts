import { addHours } from "date-fns";
import { type DbOrTx, insertUnlessThere, type Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { draftScope, type ScopedReferralId } from "~/access/scope.server";
import { MAX_WAIT_HOURS } from "~/features/referrals/sending/sending-rules";
import { toMoment } from "~/text/dates";

export interface AwaitedSending {
  requestedBy: number;
  requestedAt: Date;
  dueAt: Date;
}

/** Marks a draft to be sent once its files arrive; the first request counts. */
export async function insertAwaitedSending(
  tx: Tx,
  referralId: ScopedReferralId,
  requestedBy: number,
  now: Date,
): Promise<void> {
  await insertUnlessThere(tx, "awaited_sending", {
    referral_id: referralId,
    requested_by: requestedBy,
    requested_at: toMoment(now),
    due_at: toMoment(addHours(now, MAX_WAIT_HOURS)),
  });
}

export async function findAwaitedSending(db: DbOrTx, referralId: ScopedReferralId): Promise<AwaitedSending | null> {
  const row = await db
    .selectFrom("awaited_sending")
    .select(["requested_by", "requested_at", "due_at"])
    .where("referral_id", "=", referralId)
    .executeTakeFirst();
  return row
    ? { requestedBy: row.requested_by, requestedAt: new Date(row.requested_at), dueAt: new Date(row.due_at) }
    : null;
}

export async function deleteAwaitedSending(tx: Tx, referralId: ScopedReferralId): Promise<boolean> {
  const deleted = await tx.deleteFrom("awaited_sending").where("referral_id", "=", referralId).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function findAwaiting(db: DbOrTx, limit: number): Promise<number[]> {
  const rows = await db.selectFrom("awaited_sending").select("referral_id").orderBy("due_at").limit(limit).execute();
  return rows.map(({ referral_id: id }) => id);
}

export function findAwaitingDrafts(db: DbOrTx, actor: Actor, limit: number) {
  return db
    .selectFrom("awaited_sending")
    .innerJoin("referral", "referral.id", "awaited_sending.referral_id")
    .select(["referral.id", "referral.first_name", "referral.last_name"])
    .where((eb) => draftScope(actor)(eb as never))
    .orderBy("awaited_sending.due_at")
    .limit(limit)
    .execute();
}

/** Unfinished uploads of waiting referrals; 0 if none is left, absent if it does not wait. */
export async function countAwaited(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, number>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("awaited_sending")
    .leftJoin("partial_upload", (join) =>
      join
        .onRef("partial_upload.referral_id", "=", "awaited_sending.referral_id")
        .on("partial_upload.state", "=", "arriving"),
    )
    .select((eb) => ["awaited_sending.referral_id", eb.fn.count<number>("partial_upload.id").as("files")])
    .where("awaited_sending.referral_id", "in", referralIds)
    .groupBy("awaited_sending.referral_id")
    .execute();
  return new Map(rows.map(({ referral_id: id, files }) => [id, Number(files)]));
}

export async function refreshAwaitedFiles(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  const { files } = await tx
    .selectFrom("partial_upload")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("referral_id", "=", referralId)
    .where("state", "=", "arriving")
    .where("awaited_at", "is not", null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("referral")
    .set({ awaited_files: Number(files) })
    .where("id", "=", referralId)
    .execute();
}

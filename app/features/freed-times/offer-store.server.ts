import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** How an offer ended; `expired` includes unsettled ones past their deadline. */
export type OfferOutcome = "open" | "accepted" | "declined" | "expired" | "withdrawn";

const offersOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  db
    .selectFrom("time_offer")
    .innerJoin("freed_time", "freed_time.id", "time_offer.freed_time_id")
    .select([
      "time_offer.id",
      "time_offer.outcome",
      "time_offer.expires_at",
      "freed_time.id as freed_time_id",
      "freed_time.referral_id",
      "freed_time.operation_moment",
      "freed_time.duration_minutes",
      "freed_time.surgeon_id",
      "freed_time.closed_at",
    ])
    .where("time_offer.referral_id", "=", referralId)
    .where("freed_time.operation_moment", "=", operationMoment)
    .orderBy("time_offer.id", "desc")
    .limit(1);

/** The newest offer of a time to a patient. */
export const findOffer = (db: DbOrTx, referralId: number, operationMoment: string) =>
  offersOf(db, referralId, operationMoment).executeTakeFirst();

/** An offer with its time, locked until the transaction ends. */
export const lockOffer = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(tx, offersOf(tx, referralId, operationMoment)).executeTakeFirst();

/** Ends an open offer; false if it had ended. `whileOpenAt`: only if its deadline has not passed by then. */
export async function settleOffer(
  tx: Tx,
  id: number,
  outcome: Exclude<OfferOutcome, "open">,
  now: Date,
  { whileOpenAt }: { whileOpenAt?: Date } = {},
): Promise<boolean> {
  const settled = await tx
    .updateTable("time_offer")
    .set({ outcome, settled_at: toMoment(now), open_freed_time_id: null })
    .where("id", "=", id)
    .where("outcome", "=", "open")
    .$if(whileOpenAt !== undefined, (query) => query.where("expires_at", ">", toMoment(whileOpenAt!)))
    .executeTakeFirst();
  return settled.numUpdatedRows > 0n;
}

/** Whether a patient has an offer they may still accept. */
export async function hasOpenOfferOf(db: DbOrTx, referralId: number, now: Date): Promise<boolean> {
  const open = await db
    .selectFrom("time_offer")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("outcome", "=", "open")
    .where("expires_at", ">", toMoment(now))
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

export async function settleExpired(tx: Tx, freedTimeId: number, now: Date): Promise<void> {
  await tx
    .updateTable("time_offer")
    .set({ outcome: "expired", settled_at: toMoment(now), open_freed_time_id: null })
    .where("open_freed_time_id", "=", freedTimeId)
    .where("expires_at", "<=", toMoment(now))
    .execute();
}

export async function insertOffer(
  tx: Tx,
  offer: { freedTimeId: number; referralId: number; offeredBy: number | null; expiresAt: Date },
  now: Date,
): Promise<number> {
  const { insertId } = await tx
    .insertInto("time_offer")
    .values({
      freed_time_id: offer.freedTimeId,
      open_freed_time_id: offer.freedTimeId,
      referral_id: offer.referralId,
      outbox_id: null,
      offered_by: offer.offeredBy,
      offered_at: toMoment(now),
      expires_at: toMoment(offer.expiresAt),
      outcome: "open",
      settled_at: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function setOfferMessage(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("time_offer").set({ outbox_id: outboxId }).where("id", "=", id).execute();
}

export const findOfferByMessage = (db: DbOrTx, outboxId: number) =>
  db
    .selectFrom("time_offer")
    .select(["id", "outcome", "expires_at"])
    .where("outbox_id", "=", outboxId)
    .executeTakeFirst();

/** Open offers of a time, to a referral, or by id. */
export function findOpenOffers(db: DbOrTx, of: { freedTimeId?: number; referralId?: number }) {
  let query = db.selectFrom("time_offer").select(["id", "referral_id", "outbox_id"]).where("outcome", "=", "open");
  if (of.freedTimeId !== undefined) query = query.where("open_freed_time_id", "=", of.freedTimeId);
  if (of.referralId !== undefined) query = query.where("referral_id", "=", of.referralId);
  return query.execute();
}

export async function findOffersOf(db: DbOrTx, freedTimeIds: number[]) {
  if (freedTimeIds.length === 0) return [];
  return db
    .selectFrom("time_offer")
    .innerJoin("referral", "referral.id", "time_offer.referral_id")
    .select([
      "time_offer.id",
      "time_offer.freed_time_id",
      "time_offer.referral_id",
      "time_offer.outcome",
      "time_offer.offered_at",
      "time_offer.expires_at",
      "referral.first_name",
      "referral.last_name",
    ])
    .where("time_offer.freed_time_id", "in", freedTimeIds)
    .orderBy("time_offer.id")
    .execute();
}

import { sql } from "kysely";
import { type DbOrTx, type Tx, idsOf, referralIdsOf, unlessTaken, insertOrChange } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { inScope } from "~/access/scope.server";
import { sealedCpr, sealedParking } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { WITHOUT_TIME } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";

/** Serialises bookings of a day until the transaction ends. Returns how many receipts were withheld. */
export async function lockDay(tx: Tx, day: string): Promise<number> {
  // A single statement that locks the row whether or not it existed.
  await insertOrChange(tx, "parking_day", { day, withheld: 0 }, ["day"], () => ({
    withheld: sql.ref("parking_day.withheld"),
  }));
  const { withheld } = await tx
    .selectFrom("parking_day")
    .select("withheld")
    .where("day", "=", day)
    .executeTakeFirstOrThrow();
  return withheld;
}

export async function countWithheld(tx: Tx, day: string): Promise<void> {
  await tx
    .updateTable("parking_day")
    .set((eb) => ({ withheld: eb("withheld", "+", 1) }))
    .where("day", "=", day)
    .execute();
}

export async function findWithheld(db: DbOrTx, day: string): Promise<number> {
  const row = await db.selectFrom("parking_day").select("withheld").where("day", "=", day).executeTakeFirst();
  return row?.withheld ?? 0;
}

export async function findSameBooking(tx: Tx, secrets: Secrets, content: ParkingContent) {
  return tx
    .selectFrom("parking_booking")
    .select(["id", "reference_number as reference"])
    .where("booking_hash", "in", bookingHashes(secrets, content))
    .executeTakeFirst();
}

interface NewBooking {
  content: ParkingContent;
  reference: string;
  referralId: number | null;
  userId: number | null;
}

export async function insertBooking(
  tx: Tx,
  secrets: Secrets,
  { content, reference, referralId, userId }: NewBooking,
  now: Date,
): Promise<number | null> {
  const insert = tx.insertInto("parking_booking").values({
    reference_number: reference,
    booking_day: content.day,
    booking_hash: bookingHash(secrets, content),
    ...sealedParking.seal(secrets, JSON.stringify(content)),
    referral_id: referralId,
    user_id: userId,
    created_at: toMoment(now),
  });
  const inserted = await unlessTaken(insert.executeTakeFirstOrThrow(), () => null);
  return inserted && Number(inserted.insertId);
}

export async function claimBooking(
  tx: Tx,
  id: number,
  { referralId, userId }: { referralId: number | null; userId: number },
): Promise<void> {
  await tx
    .updateTable("parking_booking")
    .set({ referral_id: referralId, user_id: userId })
    .where("id", "=", id)
    .execute();
}

export async function countReceipts(tx: Tx, day: string, numberHashes: string[]) {
  const rows = await tx.selectFrom("parking_receipt").select("number_hash").where("sent_day", "=", day).execute();
  return { all: rows.length, toNumber: rows.filter((row) => numberHashes.includes(row.number_hash)).length };
}

export async function hasReceiptSince(tx: Tx, bookingId: number, since: Date): Promise<boolean> {
  const row = await tx
    .selectFrom("parking_receipt")
    .innerJoin("outbox", "outbox.id", "outbox_id")
    .select("outbox.id")
    .where("booking_id", "=", bookingId)
    .where("outbox.created_at", ">=", toMoment(since))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertReceipt(
  tx: Tx,
  receipt: { bookingId: number; outboxId: number; numberHash: string; day: string },
): Promise<void> {
  await tx
    .insertInto("parking_receipt")
    .values({
      booking_id: receipt.bookingId,
      outbox_id: receipt.outboxId,
      number_hash: receipt.numberHash,
      sent_day: receipt.day,
    })
    .execute();
}

export async function findExpectedOn(tx: Tx, actor: Actor, day: string) {
  return inScope(
    tx
      .selectFrom("referral")
      .select(["referral.id", "mobile_phone", "cpr_hash"])
      .where("operation_date", "=", day)
      .where("cancellation_date", "is", null)
      .where("status", "not in", WITHOUT_TIME)
      .orderBy("referral.id"),
    actor,
    "sent",
  ).execute();
}

/** Bookings from a day on, soonest first; referral data only as far as in scope. */
export async function findBookingsFrom(
  db: DbOrTx,
  secrets: Secrets,
  actor: Actor,
  { day, limit }: { day: string; limit: number },
) {
  const rows = await db
    .selectFrom("parking_booking")
    .selectAll()
    .where("booking_day", ">=", day)
    .orderBy("booking_day")
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = referralIdsOf(rows);
  const referrals =
    ids.length === 0
      ? []
      : await inScope(
          db
            .selectFrom("referral")
            .select(["referral.id", "row_key", "cpr_encrypted", "operation_date"])
            .where("referral.id", "in", ids),
          actor,
          "sent",
        ).execute();
  const byId = new Map(referrals.map((referral) => [Number(referral.id), referral]));
  return rows.map((row) => {
    const content = sealedParking.open(secrets, row);
    const { plate = "", phone = "" } = content === null ? {} : (JSON.parse(content) as Partial<ParkingContent>);
    const referral = row.referral_id === null ? undefined : byId.get(row.referral_id);
    return {
      id: row.id,
      reference: row.reference_number,
      day: row.booking_day,
      plate,
      phone,
      referralId: referral?.id ?? null,
      cpr: referral ? sealedCpr.open(secrets, referral) : null,
      operationDate: referral?.operation_date ?? null,
    };
  });
}

export async function findEndedBefore(tx: Tx, day: string, limit: number) {
  const bookings = await tx
    .selectFrom("parking_booking")
    .select("id")
    .where("booking_day", "<", day)
    .orderBy("booking_day")
    .limit(limit)
    .execute();
  const ids = idsOf(bookings);
  const receipts =
    ids.length === 0
      ? []
      : await tx
          .selectFrom("parking_receipt")
          .select(["booking_id as bookingId", "outbox_id as outboxId"])
          .where("booking_id", "in", ids)
          .execute();
  return { ids, receipts };
}

export async function deleteBookings(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom("parking_receipt").where("booking_id", "in", ids).execute();
  await tx.deleteFrom("parking_booking").where("id", "in", ids).execute();
}

export async function deleteDaysBefore(tx: Tx, day: string): Promise<void> {
  await tx.deleteFrom("parking_day").where("day", "<", day).execute();
}

export interface ParkingContent {
  /** In Copenhagen, `YYYY-MM-DD`. */
  day: string;
  plate: string;
  phone: string;
  /** E.164. */
  number: string;
}

const identity = ({ day, plate, number }: Omit<ParkingContent, "phone">) => `${day} ${plate} ${number}`;

/** Keyed hash of plate, day and number; without the key plates cannot be guessed. */
export const bookingHash = (secrets: Secrets, content: Omit<ParkingContent, "phone">) =>
  secrets.lookup("parking", identity(content));

const bookingHashes = (secrets: Secrets, content: Omit<ParkingContent, "phone">) =>
  secrets.lookups("parking", identity(content));

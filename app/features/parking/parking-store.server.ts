import { sql } from "kysely";
import { type DbOrTx, type Tx, idsOf, referralIdsOf, unlessTaken, insertOrChange } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { inScope } from "~/access/scope.server";
import { sealedCpr, sealedParking } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { WITHOUT_TIME } from "~/features/referrals/model/statuses";
import { toMoment } from "~/text/dates";

/** Serialises bookings of a day until the transaction ends. Returns how many receipts were withheld. */
export async function lockDay(tx: Tx, day: string): Promise<number> {
  // A single statement that locks the row whether or not it existed.
  await insertOrChange(tx, "parkingDay", { day, withheld: 0 }, ["day"], () => ({
    withheld: sql.ref("parkingDay.withheld"),
  }));
  const { withheld } = await tx
    .selectFrom("parkingDay")
    .select("withheld")
    .where("day", "=", day)
    .executeTakeFirstOrThrow();
  return withheld;
}

export async function countWithheld(tx: Tx, day: string): Promise<void> {
  await tx
    .updateTable("parkingDay")
    .set((eb) => ({ withheld: eb("withheld", "+", 1) }))
    .where("day", "=", day)
    .execute();
}

export async function findWithheld(db: DbOrTx, day: string): Promise<number> {
  const row = await db.selectFrom("parkingDay").select("withheld").where("day", "=", day).executeTakeFirst();
  return row?.withheld ?? 0;
}

export async function findSameBooking(tx: Tx, secrets: Secrets, content: ParkingContent) {
  return tx
    .selectFrom("parkingBooking")
    .select(["id", "referenceNumber as reference"])
    .where("bookingHash", "in", bookingHashes(secrets, content))
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
  const insert = tx.insertInto("parkingBooking").values({
    referenceNumber: reference,
    bookingDay: content.day,
    bookingHash: bookingHash(secrets, content),
    ...sealedParking.seal(secrets, JSON.stringify(content)),
    referralId,
    userId,
    createdAt: toMoment(now),
  });
  const inserted = await unlessTaken(insert.executeTakeFirstOrThrow(), () => null);
  return inserted && Number(inserted.insertId);
}

export async function claimBooking(
  tx: Tx,
  id: number,
  { referralId, userId }: { referralId: number | null; userId: number },
): Promise<void> {
  await tx.updateTable("parkingBooking").set({ referralId, userId }).where("id", "=", id).execute();
}

export async function countReceipts(tx: Tx, day: string, numberHashes: string[]) {
  const rows = await tx.selectFrom("parkingReceipt").select("numberHash").where("sentDay", "=", day).execute();
  return { all: rows.length, toNumber: rows.filter((row) => numberHashes.includes(row.numberHash)).length };
}

export async function hasReceiptSince(tx: Tx, bookingId: number, since: Date): Promise<boolean> {
  const row = await tx
    .selectFrom("parkingReceipt")
    .innerJoin("outbox", "outbox.id", "outboxId")
    .select("outbox.id")
    .where("bookingId", "=", bookingId)
    .where("outbox.createdAt", ">=", toMoment(since))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertReceipt(
  tx: Tx,
  receipt: { bookingId: number; outboxId: number; numberHash: string; day: string },
): Promise<void> {
  await tx
    .insertInto("parkingReceipt")
    .values({
      bookingId: receipt.bookingId,
      outboxId: receipt.outboxId,
      numberHash: receipt.numberHash,
      sentDay: receipt.day,
    })
    .execute();
}

export async function findExpectedOn(tx: Tx, actor: Actor, day: string) {
  return inScope(
    tx
      .selectFrom("referral")
      .select(["referral.id", "mobilePhone", "cprHash"])
      .where("operationDate", "=", day)
      .where("cancellationDate", "is", null)
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
    .selectFrom("parkingBooking")
    .selectAll()
    .where("bookingDay", ">=", day)
    .orderBy("bookingDay")
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
            .select(["referral.id", "rowKey", "cprEncrypted", "operationDate"])
            .where("referral.id", "in", ids),
          actor,
          "sent",
        ).execute();
  const byId = new Map(referrals.map((referral) => [Number(referral.id), referral]));
  return rows.map((row) => {
    const content = sealedParking.open(secrets, row);
    const { plate = "", phone = "" } = content === null ? {} : (JSON.parse(content) as Partial<ParkingContent>);
    const referral = row.referralId === null ? undefined : byId.get(row.referralId);
    return {
      id: row.id,
      reference: row.referenceNumber,
      day: row.bookingDay,
      plate,
      phone,
      referralId: referral?.id ?? null,
      cpr: referral ? sealedCpr.open(secrets, referral) : null,
      operationDate: referral?.operationDate ?? null,
    };
  });
}

export async function findEndedBefore(tx: Tx, day: string, limit: number) {
  const bookings = await tx
    .selectFrom("parkingBooking")
    .select("id")
    .where("bookingDay", "<", day)
    .orderBy("bookingDay")
    .limit(limit)
    .execute();
  const ids = idsOf(bookings);
  const receipts =
    ids.length === 0
      ? []
      : await tx
          .selectFrom("parkingReceipt")
          .select(["bookingId as bookingId", "outboxId as outboxId"])
          .where("bookingId", "in", ids)
          .execute();
  return { ids, receipts };
}

export async function deleteBookings(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom("parkingReceipt").where("bookingId", "in", ids).execute();
  await tx.deleteFrom("parkingBooking").where("id", "in", ids).execute();
}

export async function deleteDaysBefore(tx: Tx, day: string): Promise<void> {
  await tx.deleteFrom("parkingDay").where("day", "<", day).execute();
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

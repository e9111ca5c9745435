import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * Bookings of parking. Plate and number are encrypted; a keyed hash of them and the day says whether a booking is there already. The row of a
 * day counts what is held back of that day's receipts, and makes those who book at once wait for each other.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("parking_booking")
    .addColumn("reference_number", "varchar(12)", (c) => c.notNull())
    .addColumn("booking_day", "varchar(10)", (c) => c.notNull())
    .addColumn("booking_hash", "varchar(64)", (c) => c.notNull())
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("content_encrypted", "text", (c) => c.notNull())
    .addColumn("referral_id", d.reference)
    .addColumn("user_id", d.reference)
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("parking_booking_once", "parking_booking", ["booking_hash"], { unique: true });
  await d.index("parking_booking_by_reference", "parking_booking", ["reference_number"], { unique: true });
  await d.index("parking_booking_by_day", "parking_booking", ["booking_day", "id"]);

  await d
    .table("parking_receipt")
    .addColumn("booking_id", d.reference, (c) => c.notNull())
    .addColumn("outbox_id", d.reference, (c) => c.notNull())
    .addColumn("number_hash", "varchar(64)", (c) => c.notNull())
    .addColumn("sent_day", "varchar(10)", (c) => c.notNull())
    .execute();
  await d.index("parking_receipt_by_day", "parking_receipt", ["sent_day", "number_hash"]);
  await d.index("parking_receipt_by_booking", "parking_receipt", ["booking_id"]);

  await d
    .plainTable("parking_day")
    .addColumn("day", "varchar(10)", (c) => c.primaryKey())
    .addColumn("withheld", "integer", (c) => c.notNull())
    .execute();
}

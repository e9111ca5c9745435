import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * What patients answer by SMS, and the list of their threads. A message out is found by a keyed hash of the number it went to. What the list
 * sorts by and whom it holds is computed by the database from the columns that are written anyhow.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("outbox", "recipient_hash", sql`varchar(64)`);
  await d.index("outbox_by_recipient", "outbox", ["recipient_hash", "id"]);

  await d.column("delivery_event", "taken_at", moment);
  await d.index("delivery_event_by_taken", "delivery_event", ["kind", "taken_at", "id"]);

  await d
    .table("incoming_sms")
    .addColumn("delivery_event_id", d.reference, (c) => c.notNull())
    .addColumn("received_at", moment, (c) => c.notNull())
    .addColumn("sender_hash", "varchar(64)", (c) => c.notNull())
    .addColumn("row_key", "varchar(32)")
    .addColumn("content_encrypted", d.longText, (c) => c.notNull())
    .addColumn("referral_id", d.reference)
    .addColumn("judgement", "varchar(12)", (c) => c.notNull())
    .addColumn("state", "varchar(12)", (c) => c.notNull())
    .addColumn("cancellation_detected", "smallint", (c) => c.notNull().defaultTo(0))
    .addColumn("settled_by", d.reference)
    .addColumn("settled_at", moment)
    .execute();
  await d.index("incoming_sms_once", "incoming_sms", ["delivery_event_id"], { unique: true });
  await d.index("incoming_sms_by_referral", "incoming_sms", ["referral_id", "id"]);
  await d.index("incoming_sms_by_state", "incoming_sms", ["state", "id"]);

  await d
    .table("sms_stop")
    .addColumn("number_hash", "varchar(64)", (c) => c.notNull())
    .addColumn("row_key", "varchar(32)")
    .addColumn("number_encrypted", "text", (c) => c.notNull())
    .addColumn("stopped_at", moment, (c) => c.notNull())
    .execute();
  await d.index("sms_stop_by_number", "sms_stop", ["number_hash"], { unique: true });

  await d.column("referral", "sms_count", sql`integer`, 0);
  await d.column("referral", "has_cancellation_message", "smallint", 0);
  await d.column("referral", "cancellation_date", moment);
  await sql`
    update referral set sms_count =
      (select count(*) from outbox where outbox.referral_id = referral.id and outbox.channel = 'sms' and outbox.outcome <> 'withdrawn')
    where id in (select referral_id from outbox where channel = 'sms')`.execute(db);
  await d.computed(
    "referral",
    "operation_order",
    sql`bigint`,
    sql`replace(operation_date, '-', '') * 10000 + coalesce(operation_hour, 0) * 100 + coalesce(operation_minute, 0)`,
  );
  await d.computed(
    "referral",
    "sms_list",
    sql`smallint`,
    sql`case when status < 0 then 0 when cancellation_date is not null or has_cancellation_message = 1 then 2 when operation_date is not null or sms_count > 0 then 1 else 0 end`,
  );
  for (const column of ["operation_order", "name_sort", "cancellation_date"])
    await d.index(`referral_sms_by_${column}`, "referral", ["sms_list", column, "id"]);
}

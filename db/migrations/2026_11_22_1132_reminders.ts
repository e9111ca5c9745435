import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Each reminder of the settings goes once for one referral and moment; those that a person sends (`rule` null) as often as they press. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("appointment_reminder")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("operation_moment", sql`varchar(16)`, (c) => c.notNull())
    .addColumn("rule", sql`smallint`)
    .addColumn("outbox_id", d.reference)
    .addColumn("queued_at", moment, (c) => c.notNull())
    .execute();
  await d.index("appointment_reminder_once", "appointment_reminder", ["referral_id", "operation_moment", "rule"], {
    unique: true,
  });
  await d.index("appointment_reminder_by_message", "appointment_reminder", ["outbox_id"]);
}

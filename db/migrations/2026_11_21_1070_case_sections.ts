import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What an open referral shows of plan, call-ups and letters: treatment plan, call-ups, appointment letters, invoices and discharge letters. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("visit_appointment")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("date", "varchar(10)", (c) => c.notNull())
    .addColumn("time", "varchar(5)")
    .addColumn("duration_minutes", "smallint")
    .addColumn("treatment", "varchar(200)", (c) => c.notNull())
    .addColumn("external_code", "varchar(40)", (c) => c.notNull())
    .addColumn("is_cancelled", "smallint", (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .execute();
  await d.index("visit_appointment_by_referral", "visit_appointment", ["referral_id", "date"]);

  await d
    .table("call_up")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("incall_type", "smallint", (c) => c.notNull())
    .addColumn("call_up_status", "smallint", (c) => c.notNull())
    .addColumn("incall_date", moment)
    .addColumn("content_encrypted", d.longText)
    .addColumn("stored_file_id", d.reference)
    .addColumn("visit_log_id", d.reference)
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("call_up_by_referral", "call_up", ["referral_id", "id"]);

  await d
    .table("appointment_letter")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("appointment_type", "smallint", (c) => c.notNull())
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("send_date", moment)
    .addColumn("content_encrypted", d.longText)
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("appointment_letter_by_referral", "appointment_letter", ["referral_id", "id"]);

  await d
    .table("billing_letter")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("kind", "varchar(10)", (c) => c.notNull())
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("send_date", moment)
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("billing_letter_by_referral", "billing_letter", ["referral_id", "id"]);

  await d
    .table("discharge_letter")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("letter_number", "smallint", (c) => c.notNull())
    .addColumn("diagnosis_file_id", d.reference)
    .addColumn("radiograph_file_id", d.reference)
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("error_message", "varchar(300)")
    .addColumn("send_date", moment)
    .addColumn("recipient_email", "varchar(254)")
    .addColumn("surgeon_email", "varchar(254)")
    .addColumn("attempts", "smallint", (c) => c.notNull())
    .addColumn("is_edi", "smallint", (c) => c.notNull())
    .addColumn("send_edi_as_email", "smallint", (c) => c.notNull())
    .addColumn("patient_message_type", "smallint")
    .addColumn("patient_message_status", "smallint")
    .addColumn("patient_message_status_date", moment)
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("deleted_at", moment)
    .execute();
  await d.index("discharge_letter_by_referral", "discharge_letter", ["referral_id", "letter_number"], { unique: true });
}

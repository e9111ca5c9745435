import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** The referral with its own snapshot of the patient; a draft is one whose `sent_at` is null. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("patient")
    .addColumn("cpr_hash", "varchar(64)", (c) => c.notNull())
    .addColumn("email_norm", "varchar(254)")
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("patient_by_cpr", "patient", ["cpr_hash"], { unique: true });
  await d.index("patient_by_email", "patient", ["email_norm"], { unique: true });

  await d
    .table("referral")
    .addColumn("version", "integer", (c) => c.notNull().defaultTo(1))
    .addColumn("sent_at", moment)
    .addColumn("create_date", moment, (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .addColumn("creator_id", d.reference)
    .addColumn("modifier_id", d.reference)
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("reference_type", "smallint", (c) => c.notNull())
    .addColumn("call_type", "smallint", (c) => c.notNull())
    .addColumn("visit_type", "varchar(10)", (c) => c.notNull())
    .addColumn("external_id", "varchar(40)")
    .addColumn("clinic_id", d.reference)
    .addColumn("referrer_id", d.reference)
    .addColumn("external_doctor_id", "varchar(40)")
    .addColumn("edi_responsible_dentist", "varchar(200)")
    .addColumn("send_notification_to_dentist", "smallint", (c) => c.notNull())
    .addColumn("surgeon_id", d.reference)
    .addColumn("patient_id", d.reference)
    .addColumn("cpr_encrypted", "varchar(200)")
    .addColumn("cpr_hash", "varchar(64)")
    .addColumn("cpr6", "varchar(6)")
    .addColumn("birth_date", "varchar(10)")
    .addColumn("first_name", "varchar(100)", (c) => c.notNull())
    .addColumn("last_name", "varchar(100)", (c) => c.notNull())
    .addColumn("name_sort", "varchar(400)", (c) => c.notNull())
    .addColumn("profession", "varchar(100)")
    .addColumn("address", "varchar(200)")
    .addColumn("zip", "varchar(20)")
    .addColumn("city", "varchar(100)")
    .addColumn("phone", "varchar(40)")
    .addColumn("mobile_phone", "varchar(40)")
    .addColumn("email", "varchar(254)")
    .addColumn("email_norm", "varchar(254)")
    .addColumn("patient_without_eboks", "smallint", (c) => c.notNull())
    .addColumn("payment_type", "smallint", (c) => c.notNull())
    .addColumn("insurance_company", "varchar(200)")
    .addColumn("police_claim", "varchar(100)")
    .addColumn("region_number", "varchar(40)")
    .addColumn("region_address", "varchar(200)")
    .addColumn("region_institution", "varchar(200)")
    .addColumn("region_zip", "varchar(20)")
    .addColumn("region_city", "varchar(100)")
    .addColumn("approval_type", "smallint", (c) => c.notNull())
    .addColumn("diagnose", "text")
    .addColumn("previous_treatment", "text")
    .addColumn("desired_treatment", "text")
    .addColumn("comment", "text")
    .addColumn("is_health_insurance", "smallint", (c) => c.notNull())
    .addColumn("health_insurance_type", "smallint", (c) => c.notNull())
    .addColumn("radiographs_send_type", "smallint", (c) => c.notNull())
    .addColumn("available_step", "smallint", (c) => c.notNull())
    .addColumn("operation_date", "varchar(10)")
    .addColumn("operation_hour", "smallint")
    .addColumn("operation_minute", "smallint")
    .addColumn("operation_duration", "smallint")
    .addColumn("treatment_type_id", d.reference)
    .addColumn("surgeon_comment", "text")
    .addColumn("not_need_treatment_comment", "text")
    .addColumn("price", "varchar(40)")
    .addColumn("is_test", "smallint", (c) => c.notNull())
    .addColumn("exported_to_csv", "smallint", (c) => c.notNull())
    .addColumn("has_radiographs", "smallint", (c) => c.notNull())
    .addColumn("has_unanswered_message", "smallint", (c) => c.notNull())
    .addColumn("surgeon_has_unread_messages", "smallint", (c) => c.notNull())
    .addColumn("radiograph_export_status", "smallint")
    .addColumn("send_radiograph_to_patient", "smallint", (c) => c.notNull())
    .addColumn("force_radiograph_export", "smallint", (c) => c.notNull())
    .addColumn("call_up_status", "smallint")
    .addColumn("deleted_at", moment)
    .execute();
  await d.index("referral_by_date", "referral", ["create_date", "id", "status"]);
  await d.index("referral_by_status", "referral", ["status", "create_date"]);
  await d.index("referral_by_clinic", "referral", ["clinic_id", "create_date", "status"]);
  await d.index("referral_by_referrer", "referral", ["referrer_id", "create_date"]);
  await d.index("referral_by_creator", "referral", ["creator_id", "create_date"]);
  await d.index("referral_by_deletion", "referral", ["deleted_at"]);
  await d.index("referral_by_change", "referral", ["status", "modified_at"]);
  await d.index("referral_by_name", "referral", ["name_sort", "id"]);
  await d.index("referral_by_birth", "referral", ["birth_date", "id"]);
  await d.index("referral_by_cpr6", "referral", ["cpr6", "id"]);
  await d.index("referral_by_cpr", "referral", ["cpr_hash", "create_date"]);

  await d
    .plainTable("referral_name_token")
    .addColumn("token", "varchar(60)", (c) => c.notNull())
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addPrimaryKeyConstraint("referral_name_token_pk", ["token", "referral_id"])
    .execute();
  await d.index("referral_name_token_by_referral", "referral_name_token", ["referral_id"]);

  await d
    .plainTable("draft_input")
    .addColumn("referral_id", d.reference, (c) => c.primaryKey())
    .addColumn("values_encrypted", d.longText, (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .execute();

  await d
    .table("visit_log")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("at", moment, (c) => c.notNull())
    .addColumn("modifier_id", d.reference)
    .addColumn("modifier_name", "varchar(200)", (c) => c.notNull())
    .addColumn("status", "smallint")
    .addColumn("treatment_type_id", d.reference)
    .addColumn("surgeon_comment", "text")
    .addColumn("log_type", "varchar(10)")
    .addColumn("event", "varchar(300)")
    .execute();
  await d.index("visit_log_by_referral", "visit_log", ["referral_id", "id"]);
}

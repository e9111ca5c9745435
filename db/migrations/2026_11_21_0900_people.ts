import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Users, clinics, who belongs where, and the texts a person accepts. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("clinic")
    .addColumn("name", "varchar(200)", (c) => c.notNull())
    .addColumn("name_sort", "varchar(400)", (c) => c.notNull())
    .addColumn("name_norm", "varchar(400)", (c) => c.notNull())
    .addColumn("address", "varchar(200)", (c) => c.notNull())
    .addColumn("zip", "varchar(20)", (c) => c.notNull())
    .addColumn("city", "varchar(100)", (c) => c.notNull())
    .addColumn("phone", "varchar(40)", (c) => c.notNull())
    .addColumn("mobile_phone", "varchar(40)")
    .addColumn("fax", "varchar(40)")
    .addColumn("email", "varchar(254)", (c) => c.notNull())
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await d.index("clinic_by_name", "clinic", ["status", "name_sort"]);

  await d
    .table("user")
    .addColumn("user_name", "varchar(100)", (c) => c.notNull())
    .addColumn("user_name_norm", "varchar(200)", (c) => c.notNull())
    .addColumn("first_name", "varchar(100)", (c) => c.notNull())
    .addColumn("last_name", "varchar(100)", (c) => c.notNull())
    .addColumn("name_sort", "varchar(400)", (c) => c.notNull())
    .addColumn("name_norm", "varchar(400)", (c) => c.notNull())
    .addColumn("email", "varchar(254)", (c) => c.notNull())
    .addColumn("phone", "varchar(40)")
    .addColumn("mobile_phone", "varchar(40)")
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("password_hash", "varchar(255)")
    .addColumn("dentist_external_id", "varchar(40)")
    .addColumn("edi_dentist_id", "varchar(40)")
    .addColumn("send_ending_letters_via_edi", "smallint", (c) => c.notNull())
    .addColumn("light_edition", "smallint", (c) => c.notNull())
    .addColumn("accepted_conditions_version", "integer")
    .addColumn("accepted_conditions_at", moment)
    .addColumn("last_password_reset_at", moment)
    .addColumn("last_active_at", moment)
    .addColumn("creator_id", d.reference)
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await d.index("user_by_user_name", "user", ["user_name_norm"], { unique: true });
  await d.index("user_by_name", "user", ["status", "name_sort"]);

  await d
    .plainTable("user_role")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("role", "varchar(30)", (c) => c.notNull())
    .addPrimaryKeyConstraint("user_role_pk", ["user_id", "role"])
    .execute();
  await d.index("user_role_by_role", "user_role", ["role", "user_id"]);

  await d
    .plainTable("user_clinic")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("clinic_id", d.reference, (c) => c.notNull())
    .addColumn("is_primary", "smallint", (c) => c.notNull())
    .addPrimaryKeyConstraint("user_clinic_pk", ["user_id", "clinic_id"])
    .execute();
  await d.index("user_clinic_by_clinic", "user_clinic", ["clinic_id", "user_id"]);

  await d
    .table("portal_text")
    .addColumn("kind", "varchar(30)", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("button_text", "varchar(100)", (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("portal_text_by_kind", "portal_text", ["kind", "version"], { unique: true });

  await d
    .plainTable("setting")
    .addColumn("name", "varchar(60)", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .addColumn("modifier_id", d.reference)
    .execute();

  await d
    .table("treatment_type")
    .addColumn("name", "varchar(200)", (c) => c.notNull())
    .addColumn("name_sort", "varchar(400)", (c) => c.notNull())
    .addColumn("external_appointment_ids", "varchar(400)", (c) => c.notNull())
    .addColumn("patient_recommendation_link", "varchar(500)")
    .addColumn("deleted_at", moment)
    .execute();
}

import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What a person has typed and not saved, by form rather than by referral: a form has no referral before its first save. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await db.schema.dropTable("draft_input").ifExists().execute();
  await d
    .table("typed_input")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("form_key", "varchar(64)", (c) => c.notNull())
    .addColumn("referral_id", d.reference)
    .addColumn("values_encrypted", d.longText, (c) => c.notNull())
    .addColumn("modified_at", moment, (c) => c.notNull())
    .execute();
  await d.index("typed_input_by_form", "typed_input", ["user_id", "form_key"], { unique: true });
  await d.index("typed_input_by_referral", "typed_input", ["referral_id"]);
  await d.index("typed_input_by_age", "typed_input", ["modified_at"]);
}

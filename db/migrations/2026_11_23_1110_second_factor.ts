import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * A person's second factor, in use or being set up, and its recovery codes. Both are encrypted: a code that is looked up by a keyed hash could
 * not be carried to another key.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("second_factor")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("is_active", "smallint", (c) => c.notNull())
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("secret_encrypted", "text", (c) => c.notNull())
    .addColumn("last_step", d.reference)
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("activated_at", moment)
    .execute();
  await d.index("second_factor_of_user", "second_factor", ["user_id", "is_active"], { unique: true });

  await d
    .table("recovery_code")
    .addColumn("second_factor_id", d.reference, (c) => c.notNull())
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("code_encrypted", "text", (c) => c.notNull())
    .addColumn("used_at", moment)
    .execute();
  await d.index("recovery_code_of_factor", "recovery_code", ["second_factor_id"]);
}

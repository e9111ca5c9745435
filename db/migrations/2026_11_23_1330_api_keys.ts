import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Keys by which other systems call the API, known by their hashes alone; and which of them a row of the audit tells of. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("api_key")
    .addColumn("name", sql`varchar(60)`, (c) => c.notNull())
    .addColumn("key_hash", sql`varchar(64)`, (c) => c.notNull())
    .addColumn("key_hint", sql`varchar(8)`, (c) => c.notNull())
    .addColumn("scopes", sql`varchar(100)`, (c) => c.notNull())
    .addColumn("clinic_id", d.reference)
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("creator_id", d.reference, (c) => c.notNull())
    .addColumn("addresses", "text", (c) => c.notNull())
    .addColumn("calls_per_minute", d.reference, (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("expires_at", moment, (c) => c.notNull())
    .addColumn("last_used_at", moment)
    .addColumn("revoked_at", moment)
    .addColumn("revoked_by", d.reference)
    .execute();
  await d.index("api_key_by_hash", "api_key", ["key_hash"], { unique: true });
  await d.index("api_key_of_user", "api_key", ["user_id"]);
  await d.index("api_key_by_creator", "api_key", ["creator_id"]);
  await d.index("api_key_of_clinic", "api_key", ["clinic_id"]);
  await d.column("audit_event", "api_key_id", d.reference);
}

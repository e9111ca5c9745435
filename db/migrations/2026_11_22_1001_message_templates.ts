import type { Kysely } from "kysely";
import { sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What the clinic writes instead of the portal's own words: one row a version, the newest counts. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("message_template")
    .addColumn("kind", sql`varchar(40)`, (c) => c.notNull())
    .addColumn("channel", sql`varchar(12)`, (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("subject", sql`varchar(200)`, (c) => c.notNull())
    .addColumn("body", d.longText, (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("author_id", d.reference)
    .execute();
  await d.index("message_template_version", "message_template", ["kind", "channel", "version"], { unique: true });
}

import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What each process has changed that others hold in their caches: one row a topic and process, so that no two wait for one row. */
export async function up(db: Kysely<any>) {
  await ddl(db)
    .plainTable("cache_change")
    .addColumn("topic", sql`varchar(100)`, (c) => c.notNull())
    .addColumn("process_id", sql`varchar(36)`, (c) => c.notNull())
    .addColumn("version", sql`varchar(36)`, (c) => c.notNull())
    .addColumn("changed_at", moment, (c) => c.notNull())
    .addPrimaryKeyConstraint("cache_change_pk", ["topic", "process_id"])
    .execute();
}

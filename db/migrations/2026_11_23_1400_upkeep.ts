import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What the installation knows of itself: that it is a copy, that one is being made of it, or that one is being restored into it. */
export async function up(db: Kysely<any>) {
  await ddl(db)
    .plainTable("upkeep")
    .addColumn("name", sql`varchar(20)`, (c) => c.primaryKey())
    .addColumn("at", moment, (c) => c.notNull())
    .execute();
}

import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What a session was begun with, in words, and its people's sessions found by whose they are. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("session", "device", sql`varchar(60)`);
}

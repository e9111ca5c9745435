import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** The address that a mail left from, as it was then. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("outbox", "sender", sql`varchar(320)`);
}

import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** A ZIP is taken as the images in it; each of them is known as an upload that came out of it. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("partial_upload", "archive_id", sql`varchar(32)`);
}

import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** Day on which an image was taken, and whether a person has typed it. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "stored_file", "taken_on", "day");
  await addColumn(db, "stored_file", "taken_on_is_typed", "flag not null default 0");
}

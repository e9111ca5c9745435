import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** Whether a letter is urgent by its own words; null for letters from before this column. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "edi_message", "is_urgent", "flag");
}

import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What a DICOM header says is read once, when the file arrives, and not again for every page that shows it. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("stored_file", "dicom_facts_encrypted", sql`text`);
}

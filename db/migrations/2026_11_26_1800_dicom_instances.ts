import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** The UID that archives know a DICOM file by: one image must not go to the archive for two patients. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("stored_file", "dicom_instance_hash", sql`varchar(64)`);
  await d.index("stored_file_by_instance", "stored_file", ["dicom_instance_hash"]);
}

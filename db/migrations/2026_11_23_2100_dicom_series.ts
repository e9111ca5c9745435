import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** The slices of a CBCT are shown, opened and removed as one: which series a file is a slice of, and where in it. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("stored_file", "dicom_series_hash", sql`varchar(64)`);
  await d.column("stored_file", "dicom_slice", sql`integer`);
  await d.index("stored_file_by_series", "stored_file", ["dicom_series_hash"]);
}

import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Who has said that a file is the patient's though it names another, and when: it may go to the archive and to the patient. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("stored_file", "owner_confirmed_at", moment);
  await d.column("stored_file", "owner_confirmed_by", d.reference);
  // A link leads to the files that are there: no message of it keeps them from being deleted.
  await db
    .updateTable("outbox")
    .set({ needs_files: 0 })
    .where("kind", "in", ["radiographLink", "letterFilesLink"])
    .where("outcome", "in", ["queued", "awaiting"])
    .execute();
}

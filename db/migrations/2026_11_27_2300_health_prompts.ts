import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** What the form asks for beside the diagnosis. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ["allergies", "medication", "illnesses", "tobacco", "alcohol", "psyche"])
    await addColumn(db, "referral", column, "text");
  await addColumn(db, "referral", "interpreter", "varchar(100)");
}

import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Messages that wait to be shown name patients: they are sealed in a column of their own, and none is left in clear. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("session", "flash_sealed", d.longText);
  await db.updateTable("session").set({ flash: null }).where("flash", "is not", null).execute();
}

import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Who has turned the overview's keys off. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("user", "shortcuts_off", "smallint", 0);
}

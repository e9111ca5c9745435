import { type Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A password that somebody else chose is changed at the next sign-in. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("user", "must_change_password", "smallint", 0);
}

import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A call-up's type is named as the call-up is. */
export async function up(db: Kysely<any>) {
  await ddl(db).renameColumn("call_up", "incall_type", "call_up_type");
}

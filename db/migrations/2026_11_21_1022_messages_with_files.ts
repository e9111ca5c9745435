import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Whether a message that waits will need its referral's files: until it has been sent they cannot be deleted. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("outbox", "needs_files", "smallint", 0);
}

import { type Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Since when a message has been due and could not be judged fit to send, such as while the person register is silent. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("outbox", "waiting_since", moment);
}

import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** Whether an answer names something clinical and is read first. Answers from before have none. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "incoming_sms", "has_alarm", "flag not null default 0");
}

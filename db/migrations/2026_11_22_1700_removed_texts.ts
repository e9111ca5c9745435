import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** Texts that are still kept are found by age, without reading the rows whose text has been removed. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  for (const [table, age] of [
    ["outbox", "settled_at"],
    ["incoming_sms", "received_at"],
  ] as const) {
    await d.computed(table, "has_text", sql`smallint`, sql`content_encrypted <> ''`);
    await d.index(`${table}_by_text`, table, ["has_text", age]);
  }
}

import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** What a form was answered the first time, as JSON: sent again it is answered alike, its message included. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("idempotency", "answer", d.longText);
}

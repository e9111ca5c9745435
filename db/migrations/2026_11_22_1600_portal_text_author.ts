import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Who wrote a version of one of the portal's texts; the portal's first ones have nobody. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("portal_text", "author_id", d.reference);
}

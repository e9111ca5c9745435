import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A discharge letter goes by mail, by EDI, or by both: what became of each stands in the outbox. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("discharge_letter", "edi_outbox_id", d.reference);
  await d.index("discharge_letter_by_edi_outbox", "discharge_letter", ["edi_outbox_id"]);
}

import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Each call-up and letter names its latest sending, whose state then stands in the outbox alone. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  for (const table of ["call_up", "appointment_letter", "billing_letter", "discharge_letter"])
    await d.column(table, "outbox_id", d.reference);
}

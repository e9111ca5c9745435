import type { Kysely } from "kysely";
import { sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Links to files that were sent to patients; how each went stands in the outbox. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("patient_message")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("outbox_id", d.reference, (c) => c.notNull())
    .addColumn("purpose", sql`varchar(30)`, (c) => c.notNull())
    .addColumn("letter_number", "integer")
    .addColumn("message_type", "integer", (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("patient_message_by_referral", "patient_message", ["referral_id", "purpose", "letter_number"]);
  await d.index("patient_message_by_outbox", "patient_message", ["outbox_id"]);
}

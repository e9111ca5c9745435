import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * A cancelled time is free until somebody has it. It is offered to one patient at a time: an offer that is open names its time in a column
 * that holds each number once.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("freed_time")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("operation_moment", sql`varchar(16)`, (c) => c.notNull())
    .addColumn("duration_minutes", "integer")
    .addColumn("treatment_type_id", d.reference)
    .addColumn("surgeon_id", d.reference)
    .addColumn("freed_at", moment, (c) => c.notNull())
    .addColumn("closed_at", moment)
    .addColumn("closed_because", sql`varchar(10)`)
    .addColumn("taken_by", d.reference)
    .execute();
  await d.index("freed_time_by_referral", "freed_time", ["referral_id", "id"]);
  await d.index("freed_time_by_moment", "freed_time", ["closed_at", "operation_moment"]);
  await d
    .table("time_offer")
    .addColumn("freed_time_id", d.reference, (c) => c.notNull())
    .addColumn("open_freed_time_id", d.reference)
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("outbox_id", d.reference)
    .addColumn("offered_by", d.reference)
    .addColumn("offered_at", moment, (c) => c.notNull())
    .addColumn("expires_at", moment, (c) => c.notNull())
    .addColumn("outcome", sql`varchar(10)`, (c) => c.notNull())
    .addColumn("settled_at", moment)
    .execute();
  await d.index("time_offer_open", "time_offer", ["open_freed_time_id"], { unique: true });
  await d.index("time_offer_by_time", "time_offer", ["freed_time_id", "id"]);
  await d.index("time_offer_by_referral", "time_offer", ["referral_id", "id"]);
  await d.index("time_offer_by_message", "time_offer", ["outbox_id"]);
}

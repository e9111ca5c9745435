import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** When each scheduled job ran last, how it went, and when it runs next; the lease makes it one process at a time. */
export async function up(db: Kysely<any>) {
  await ddl(db)
    .plainTable("job_run")
    .addColumn("name", "varchar(60)", (c) => c.primaryKey())
    .addColumn("next_run_at", moment, (c) => c.notNull())
    .addColumn("started_at", moment)
    .addColumn("finished_at", moment)
    .addColumn("outcome", "varchar(10)")
    .addColumn("lease_owner", "varchar(64)")
    .addColumn("lease_until", moment)
    .execute();
}

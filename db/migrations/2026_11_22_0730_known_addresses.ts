import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Networks from which a person has signed in before, as keyed hashes: there a wrong password is delayed, not locked out. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("known_address")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("address_hash", sql`varchar(64)`, (c) => c.notNull())
    .addColumn("last_at", moment, (c) => c.notNull())
    .addPrimaryKeyConstraint("known_address_pk", ["user_id", "address_hash"])
    .execute();
  await d.index("known_address_by_time", "known_address", ["last_at"]);
}

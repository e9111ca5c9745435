import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Requests for a new password by e-mail address, from the answer until the job has looked the address up. */
export async function up(db: Kysely<any>) {
  await ddl(db)
    .table("password_request")
    .addColumn("site", sql`varchar(10)`, (c) => c.notNull())
    .addColumn("email", sql`varchar(254)`, (c) => c.notNull())
    .addColumn("requested_at", moment, (c) => c.notNull())
    .execute();
}

import type { Kysely } from "kysely";
import { addColumn, addIndex } from "../ddl.server";

/** Sign-in by an account of the hospital or of MitID: which account there is which user, and how a session began. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ["external_identity", "external_issuer", "external_subject"])
    await addColumn(db, "user", column, "varchar(255)");
  await addIndex(db, "user", { user_external_identity: ["external_identity"] }, "unique");
  await addIndex(db, "user", { user_external_subject: ["external_subject", "external_issuer"] }, "unique");
  await addColumn(db, "session", "identity_provider", "varchar(12)");
  await addColumn(db, "session", "has_second_factor", "flag not null default 0");
}

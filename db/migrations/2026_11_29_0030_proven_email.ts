import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** The e-mail address whose mailed link a user has opened: only such an address names a user at an identity provider. */
export const up = (db: Kysely<any>) => addColumn(db, "user", "proven_email_key", "varchar(254)");

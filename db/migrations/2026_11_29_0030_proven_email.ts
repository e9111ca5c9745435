import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** The e-mail address whose mailed link a user has opened: only such an address, while it equals `email_key`, names a user at an identity provider. */
export const changes = { columns: { user: { proven_email_key: "varchar(254)" } } } as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

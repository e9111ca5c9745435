import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** Whether the next referral opens by itself once a status is set. */
export const up = (db: Kysely<any>) => addColumn(db, "user", "goes_on", "flag not null default 0");

import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Whether the next referral opens by itself once a status is set. */
export const changes = { columns: { user: { goes_on: "flag not null default 0" } } } as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** How many times the referrer has been reminded of material that is missing, and when last. */
export const changes = {
  columns: { material_request: { reminders: "smallint not null default 0", reminded_at: "moment" } },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Whether an answer names something clinical and is read first. Answers from before have none. */
export const changes = {
  columns: { incoming_sms: { has_alarm: "flag not null default 0" } },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

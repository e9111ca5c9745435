import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Whether a letter is urgent by its own words; null for letters from before this column. */
export const changes = { columns: { edi_message: { is_urgent: "flag" } } } as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

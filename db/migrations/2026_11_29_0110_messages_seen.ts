import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** The newest message that the writer's page showed; null where unknown. */
export const changes = { columns: { message: { newest_seen_id: "integer" } } } as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

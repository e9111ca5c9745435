import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** When the operation time was last set or moved, for 'Senest sket'; unknown for times of before. */
export const changes = { columns: { referral: { operation_set_at: "moment" } } } as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

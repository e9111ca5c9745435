import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** The count of silent referrals also asks for the status, which it would otherwise read from each row. */
export const changes = {
  indexes: { referral: { referral_by_next_date_status: ["next_due_on", "id", "status"] } },
  droppedIndexes: { referral: ["referral_by_next_date"] },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

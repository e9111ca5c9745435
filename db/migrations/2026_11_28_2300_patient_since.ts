import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** When the referral was last given another patient's CPR number, null if never: messages queued before it are not the patient's. */
export const changes = { columns: { referral: { patient_since: "moment" } } } as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

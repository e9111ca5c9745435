import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** What the form asks for beside the diagnosis. */
export const changes = {
  columns: {
    referral: {
      allergies: "text",
      medication: "text",
      illnesses: "text",
      tobacco: "text",
      alcohol: "text",
      psyche: "text",
      /** The language, or how else the patient is to be understood. */
      interpreter: "varchar(100)",
    },
  },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

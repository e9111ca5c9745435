import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Random look-ups of a month, which the person responsible for access goes through and signs. */
export const changes = {
  tables: {
    access_sample: {
      columns: {
        id: "id",
        /** 'YYYY-MM' in Copenhagen. */
        month: "varchar(7) not null",
        drawn_at: "moment not null",
        drawn_by: "reference not null",
        /** JSON: `SampledLookUp[]`. Their events and referrals may have been deleted by age since. */
        lookups: "longText not null",
        note: "longText",
        signed_at: "moment",
        signed_by: "reference",
      },
      keys: { drawn_by: "user restrict", signed_by: "user restrict" },
      unique: { access_sample_by_month: ["month"] },
      indexes: { access_sample_by_drawer: ["drawn_by"], access_sample_by_signer: ["signed_by"] },
    },
  },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

import type { Kysely } from "kysely";
import { createTables } from "../ddl.server";

/** Random look-ups of a month, which the person responsible for access goes through and signs. */
export async function up(db: Kysely<any>): Promise<void> {
  await createTables(db, {
    access_sample: {
      columns: {
        id: "id",
        month: "varchar(7) not null",
        drawn_at: "moment not null",
        drawn_by: "reference not null",
        lookups: "longText not null",
        note: "longText",
        signed_at: "moment",
        signed_by: "reference",
      },
      keys: { drawn_by: "user restrict", signed_by: "user restrict" },
      unique: { access_sample_by_month: ["month"] },
      indexes: { access_sample_by_drawer: ["drawn_by"], access_sample_by_signer: ["signed_by"] },
    },
  });
}

import type { Kysely } from "kysely";
import { insertUnlessThere } from "../connection.server";
import { createTables, type Tables } from "../ddl.server";
import { appointments } from "./initial/appointments";
import { edi } from "./initial/edi";
import { files } from "./initial/files";
import { operating } from "./initial/operating";
import { people } from "./initial/people";
import { referrals } from "./initial/referrals";
import { sending } from "./initial/sending";

/** In the order of their foreign keys. */
export const tables: Tables = {
  ...people,
  ...referrals,
  ...files,
  ...sending,
  ...edi,
  ...appointments,
  ...operating,
};

export async function up(db: Kysely<any>) {
  await createTables(db, tables);
  await insertUnlessThere(db, "statistics_state", [
    { name: "generation", value: 1 },
    { name: "nextReferral", value: 1 },
  ]);
}

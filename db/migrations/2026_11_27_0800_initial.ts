import type { Kysely } from "kysely";
import { insertMissing } from "../dialect.server";
import { applyChanges, type Changes } from "../ddl.server";
import { appointments } from "./initial/appointments";
import { edi } from "./initial/edi";
import { files } from "./initial/files";
import { operating } from "./initial/operating";
import { people } from "./initial/people";
import { referrals } from "./initial/referrals";
import { sending } from "./initial/sending";

/** In the order of their foreign keys. */
export const changes = {
  tables: {
    ...people,
    ...referrals,
    ...files,
    ...sending,
    ...edi,
    ...appointments,
    ...operating,
  },
} as const satisfies Changes;

export async function up(db: Kysely<any>) {
  await applyChanges(db, changes);
  await insertMissing(db, "statistics_state", [
    { name: "generation", value: 1 },
    { name: "nextReferral", value: 1 },
  ]);
}

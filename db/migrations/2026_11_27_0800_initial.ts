import type { Kysely } from "kysely";
import { insertUnlessThere } from "../connection.server";
import { createTables } from "../ddl.server";
import { appointments } from "./initial/appointments";
import { edi } from "./initial/edi";
import { files } from "./initial/files";
import { operating } from "./initial/operating";
import { people } from "./initial/people";
import { referrals } from "./initial/referrals";
import { sending } from "./initial/sending";

export async function up(db: Kysely<any>) {
  await createTables(db, { ...people, ...referrals, ...files, ...sending, ...edi, ...appointments, ...operating });
  await insertUnlessThere(db, "statistics_state", [
    { name: "generation", value: 1 },
    { name: "nextReferral", value: 1 },
  ]);
}

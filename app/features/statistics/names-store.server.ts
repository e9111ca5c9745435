import { UNKNOWN_TREATMENT } from "~/features/referrals/model/referral";
import { fullName } from "~/text/names";
import type { DbOrTx } from "~db/connection.server";

/** Names by id; missing ones are absent. */
export async function findNames(
  db: DbOrTx,
  ids: { referrers: number[]; clinics: number[] },
): Promise<{ referrers: Map<number, string>; clinics: Map<number, string> }> {
  const users = await among(ids.referrers, (some) =>
    db.selectFrom("user").select(["id", "first_name", "last_name"]).where("id", "in", some).execute(),
  );
  const clinics = await among(ids.clinics, (some) =>
    db.selectFrom("clinic").select(["id", "name"]).where("id", "in", some).execute(),
  );
  return {
    referrers: new Map(users.map((row) => [row.id, fullName(row)])),
    clinics: new Map(clinics.map((row) => [row.id, row.name])),
  };
}

const BATCH_SIZE = 1000;

async function among<R>(ids: number[], find: (some: number[]) => Promise<R[]>): Promise<R[]> {
  const each = [...new Set(ids)];
  const found: R[] = [];
  for (let start = 0; start < each.length; start += BATCH_SIZE)
    found.push(...(await find(each.slice(start, start + BATCH_SIZE))));
  return found;
}

/** All treatment types by name, including deleted ones. */
export function findAllTypes(db: DbOrTx) {
  return db
    .selectFrom("treatment_type")
    .select(["id", "name", "deleted_at"])
    .where("id", "!=", UNKNOWN_TREATMENT)
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
}

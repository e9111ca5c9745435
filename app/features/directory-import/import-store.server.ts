import type { DbOrTx } from "~db/connection.server";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { searchKey } from "~/text/names";

/** Values per query. */
const BATCH_SIZE = 200;

async function inParts<T, R>(values: readonly T[], ask: (part: T[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < values.length; at += BATCH_SIZE) found.push(...(await ask(values.slice(at, at + BATCH_SIZE))));
  return found;
}

export const findClinicsNamed = (db: DbOrTx, sortKeys: readonly string[]) =>
  inParts(sortKeys, (part) =>
    db
      .selectFrom("clinic")
      .select(["id", "name", "name_sort", "zip", "status"])
      .where("status", "in", [ACTIVE, INACTIVE])
      .where("name_sort", "in", part)
      .execute(),
  );

export const findAccountsNamed = (db: DbOrTx, userNames: readonly string[]) =>
  inParts(userNames.map(searchKey), (part) =>
    db.selectFrom("user").select(["user_name_norm", "email"]).where("user_name_norm", "in", part).execute(),
  );

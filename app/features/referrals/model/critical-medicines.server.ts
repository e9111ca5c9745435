import type { DbOrTx } from "~db/connection.server";
import { SETTINGS } from "~/features/settings/settings.server";
import { findSettings } from "~/features/settings/setting-store.server";
import type { Portal } from "~/portal.server";
import { CRITICAL_MEDICINES, standardMedicines } from "./critical-medicines";

/** The clinic's list, which may be empty; the portal's own until it is set. Not cached, so usable inside a transaction. */
export async function readCriticalMedicines(db: DbOrTx): Promise<readonly string[]> {
  const saved = (await findSettings(db, [CRITICAL_MEDICINES])).get(CRITICAL_MEDICINES);
  return saved === undefined ? standardMedicines : saved.split("\n").filter(Boolean);
}

/** Cached for pages; not inside a transaction. */
export const cachedCriticalMedicines = ({ cache, db }: Pick<Portal, "cache" | "db">): Promise<readonly string[]> =>
  cache.get(`${SETTINGS} critical medicines`, () => readCriticalMedicines(db));

import type { DbOrTx } from "~db/connection.server";
import type { Cache } from "~/cache.server";
import { findSetting } from "~/features/referrals/store/setting-store.server";
import { AWAITING_CONSULTANT, statuses, type StatusSettings } from "./status";

const STATUS_16_LABEL = "status16Label";

/** What staff have named themselves; until they do, the standard words. */
export async function readStatusSettings(db: DbOrTx): Promise<StatusSettings> {
  const label = await findSetting(db, STATUS_16_LABEL);
  return { status16Label: label ?? statuses.find((status) => status.value === AWAITING_CONSULTANT)!.label };
}

/** The same as it was within the last minute; who saves a setting calls `forget("settings")`. */
export function cachedStatusSettings({ cache, db }: { cache: Cache; db: DbOrTx }): Promise<StatusSettings> {
  return cache.get("settings of statuses", () => readStatusSettings(db));
}

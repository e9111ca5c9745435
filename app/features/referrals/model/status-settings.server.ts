import type { DbOrTx } from "~db/connection.server";
import type { Cache } from "~/cache.server";
import { findSetting } from "~/features/settings/read-setting.server";
import { AWAITING_CONSULTANT, statuses, type StatusSettings } from "./status";

/** What staff have named themselves; until they do, the standard words. */
export async function readStatusSettings(db: DbOrTx): Promise<StatusSettings> {
  const label = await findSetting(db, "status16Label");
  return { status16Label: label ?? statuses.find((status) => status.value === AWAITING_CONSULTANT)!.label };
}

/** What `invalidate` takes after a change of them. */
export const STATUS_SETTINGS = "settings of statuses";

/** The same as it was within the last minute; who saves a setting invalidates `STATUS_SETTINGS`. */
export function cachedStatusSettings({ cache, db }: { cache: Cache; db: DbOrTx }): Promise<StatusSettings> {
  return cache.get(STATUS_SETTINGS, () => readStatusSettings(db));
}

import type { DbOrTx } from "~db/connection.server";
import { findSetting, SETTINGS } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import { type StatusSettings } from "./status";
import { AWAITING_CONSULTANT, statuses } from "./statuses";

/** Not cached, so it may be called inside a transaction. */
export async function readStatusSettings(db: DbOrTx): Promise<StatusSettings> {
  const label = await findSetting(db, "status16Label");
  return { status16Label: label ?? statuses.find((status) => status.value === AWAITING_CONSULTANT)!.label };
}

/** Cached for pages; not inside a transaction. */
export const cachedStatusSettings = ({ cache, db }: Pick<Portal, "cache" | "db">): Promise<StatusSettings> =>
  cache.get(`${SETTINGS} statuses`, () => readStatusSettings(db));

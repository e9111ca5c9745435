import type { DbOrTx } from "~db/connection.server";
import { findSetting } from "~/features/settings/read-setting.server";
import { AWAITING_CONSULTANT, statuses, type StatusSettings } from "./status";

/** What staff have named themselves; until they do, the standard words. */
export async function readStatusSettings(db: DbOrTx): Promise<StatusSettings> {
  const label = await findSetting(db, "status16Label");
  return { status16Label: label ?? statuses.find((status) => status.value === AWAITING_CONSULTANT)!.label };
}

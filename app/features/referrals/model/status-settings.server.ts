import type { DbOrTx } from "~db/connection.server";
import type { Keeper } from "~/access/keeper.server";
import { AWAITING_CONSULTANT, statuses, type StatusSettings } from "./status";

const STATUS_16_LABEL = "status16Label";

/** What staff have named themselves; until they do, the standard words. */
export async function readStatusSettings(db: DbOrTx): Promise<StatusSettings> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", STATUS_16_LABEL).executeTakeFirst();
  return { status16Label: row?.value ?? statuses.find((status) => status.value === AWAITING_CONSULTANT)!.label };
}

/** The same as it was within the last minute; who saves a setting calls `forget("settings")`. */
export function keptStatusSettings({ kept, db }: { kept: Keeper; db: DbOrTx }): Promise<StatusSettings> {
  return kept.keep("settings of statuses", () => readStatusSettings(db));
}

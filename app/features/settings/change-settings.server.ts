import type { ChangeContext } from "~/access/operation.server";
import { SETTINGS } from "./read-setting.server";
import { saveSettings } from "./setting-store.server";

/** Saves settings in a person's name; an empty value clears one. */
export async function changeSettings(
  { tx, person, now, afterCommit, portal }: Pick<ChangeContext, "tx" | "person" | "now" | "afterCommit" | "portal">,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await saveSettings(tx, values, person.id, now);
  afterCommit(() => portal.cache.invalidate(SETTINGS));
}

import type { ChangeContext } from "~/access/operation.server";
import { saveSettings } from "./setting-store.server";

/** Saves settings in the name of whoever changes them; an empty value is none. */
export const changeSettings = (
  { tx, person, now }: Pick<ChangeContext, "tx" | "person" | "now">,
  values: Readonly<Record<string, string>>,
): Promise<void> => saveSettings(tx, values, person.id, now);

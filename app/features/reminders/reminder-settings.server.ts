import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { findSetting } from "~/features/settings/read-setting.server";

/** The setting that all of it stands in, as JSON. */
export const REMINDERS = "reminders";

const savedRule = z.object({
  /** Of the settings' form, 1 to 3: a reminder goes once for a time, also when its hour is changed. */
  slot: z.number().int(),
  daysBefore: z.number().int(),
  /** In Copenhagen. */
  hour: z.number().int(),
  /** Empty: the clinic's words for the kind. */
  text: z.string(),
});

const savedSettings = z.object({
  isOn: z.boolean(),
  rules: z.array(savedRule),
  /** No SMS leaves from the one hour until the other; the same twice: at any time. */
  quietFrom: z.number().int(),
  quietTo: z.number().int(),
  skipsHolidays: z.boolean(),
  /** Treatment types whose patients get none. */
  excludedTypes: z.array(z.number().int()),
});

export type ReminderRule = z.output<typeof savedRule>;
export type ReminderSettings = z.output<typeof savedSettings>;

/** Until staff have saved: nothing goes by itself. */
const UNSAVED: ReminderSettings = {
  isOn: false,
  rules: [
    { slot: 1, daysBefore: 7, hour: 10, text: "" },
    { slot: 2, daysBefore: 1, hour: 10, text: "" },
  ],
  quietFrom: 20,
  quietTo: 8,
  skipsHolidays: true,
  excludedTypes: [],
};

export async function readReminderSettings(db: DbOrTx): Promise<ReminderSettings> {
  const saved = await findSetting(db, REMINDERS);
  return saved === null ? UNSAVED : savedSettings.parse(JSON.parse(saved));
}

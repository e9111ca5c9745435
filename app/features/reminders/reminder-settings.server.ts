import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { findSetting } from "~/features/settings/read-setting.server";

export const REMINDERS = "reminders";

const savedRule = z.object({
  /** Row 1 to 3 of the form: a reminder is sent once per time, even if its hour changes. */
  slot: z.number().int(),
  daysBefore: z.number().int(),
  hour: z.number().int(),
  /** Empty uses the kind's text. */
  text: z.string(),
});

const savedSettings = z.object({
  isOn: z.boolean(),
  rules: z.array(savedRule),
  /** Quiet hours; equal values mean none. */
  quietFrom: z.number().int(),
  quietTo: z.number().int(),
  skipsHolidays: z.boolean(),
  /** Treatment types without reminders. */
  excludedTypes: z.array(z.number().int()),
});

export type ReminderRule = z.output<typeof savedRule>;
export type ReminderSettings = z.output<typeof savedSettings>;

/** Nothing is sent automatically until staff have saved. */
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

import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { change, read, succeeded } from "~/access/operation.server";
import { CALL_UP_STATS } from "~/features/referrals/list/read-queues.server";
import {
  deadlineSetting,
  MATERIAL_REMINDERS,
  materialReminderSetting,
  openStatuses,
  urgentDeadlineSetting,
} from "~/features/referrals/model/deadlines";
import { HIDDEN_PROMPTS, healthPrompts, offeredPrompts } from "~/features/referrals/model/offered-prompts";
import { changeSettings, readSettings, settingsEdit } from "~/features/settings/settings.server";
import { clinicSettings } from "~/features/settings/clinic-settings";
import { recountAll } from "~/features/statistics/sums/rebuild-sums.server";
import { optionalEmail, text } from "~/text/fields.server";

const reminderSettings = MATERIAL_REMINDERS.map(({ nth }) => materialReminderSetting(nth));
const ordinarySettings = openStatuses.map(({ value }) => deadlineSetting(value));
const urgentSettings = openStatuses.map(({ value }) => urgentDeadlineSetting(value));
const deadlineSettings = [...ordinarySettings, ...urgentSettings];

/**
 * The name of status 16, the call-up deadline, the days of each open status and of reminders of material, the clinic's address for message mails, empty
 * where not set, and the prompts that the form offers.
 */
export const readNamesAndDeadlines = read({
  name: "readNamesAndDeadlines",
  permission: "settings.manage",
  run: ({ db }) => formValues(db),
});

const editedSettings = [...clinicSettings, ...deadlineSettings, ...reminderSettings, HIDDEN_PROMPTS];

async function formValues(db: DbOrTx) {
  const { [HIDDEN_PROMPTS]: hidden, ...settings } = await readSettings(db, editedSettings);
  return { ...settings, offeredPrompts: offeredPrompts(hidden) };
}

const days = text(4)
  .refine((typed) => typed === "" || /^[1-9]\d{0,2}$/.test(typed), "Skriv et helt antal dage fra 1 til 999.")
  .default("");

const daysOrNone = text(4)
  .refine((typed) => typed === "" || /^\d{1,3}$/.test(typed), "Skriv et helt antal dage fra 0 til 999.")
  .default("");

/**
 * Empty fields return to the defaults; without an address the clinic gets no mails. Changed days of a status change the
 * next dates of all referrals, some at a time.
 */
export const saveNamesAndDeadlines = change({
  name: "saveNamesAndDeadlines",
  permission: "settings.manage",
  edit: settingsEdit(editedSettings, formValues),
  input: z.object({
    status16Label: text(60).default(""),
    statusActiveDays: days,
    ...Object.fromEntries(ordinarySettings.map((name) => [name, days])),
    ...Object.fromEntries(urgentSettings.map((name) => [name, daysOrNone])),
    ...Object.fromEntries(reminderSettings.map((name) => [name, daysOrNone])),
    messageMailAddress: optionalEmail.transform((address) => address ?? ""),
    offeredPrompts: z.array(z.enum(healthPrompts)).default([]),
  }),
  async run(context, { offeredPrompts: offered, ...values }) {
    const { tx, portal, auditChange, afterCommit } = context;
    const before: Record<string, string> = await readSettings(tx, deadlineSettings);
    const hidden = healthPrompts.filter((name) => !offered.includes(name)).join(",");
    await changeSettings(context, { ...values, [HIDDEN_PROMPTS]: hidden });
    const after: Record<string, unknown> = values;
    if (deadlineSettings.some((name) => before[name] !== after[name])) await recountAll(tx);
    afterCommit(() => portal.cache.invalidate(CALL_UP_STATS));
    auditChange(
      [],
      "label of status 16, days of statuses, reminders and the call-up statistics, address for messages, prompts of the form",
    );
    return succeeded("Navne og frister er gemt.");
  },
});

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
import { CRITICAL_MEDICINES, MAX_MEDICINES, medicineError } from "~/features/referrals/model/critical-medicines";
import { readCriticalMedicines } from "~/features/referrals/model/critical-medicines.server";
import { HIDDEN_PROMPTS, healthPrompts, offeredPrompts } from "~/features/referrals/model/offered-prompts";
import {
  CLOSED_DAYS,
  hourSettings,
  openingFormValues,
  openingSettings,
  parseClosedDays,
  parseHours,
} from "~/features/opening-hours/read-opening-hours.server";
import { changeSettings, readSettings, settingsEdit } from "~/features/settings/settings.server";
import { clinicSettings } from "~/features/settings/clinic-settings";
import { recountAll } from "~/features/statistics/sums/rebuild-sums.server";
import { ALARM_ADDRESS } from "~/features/urgent-alarm/send-alarm.server";
import { optionalEmail, text } from "~/text/fields.server";
import { cleanLine } from "~/text/normalise";

const reminderSettings = MATERIAL_REMINDERS.map(({ nth }) => materialReminderSetting(nth));
const ordinarySettings = openStatuses.map(({ value }) => deadlineSetting(value));
const urgentSettings = openStatuses.map(({ value }) => urgentDeadlineSetting(value));
const deadlineSettings = [...ordinarySettings, ...urgentSettings];

/**
 * The name of status 16, the call-up deadline, the days of each open status and of reminders of material, the clinic's address for message mails, empty
 * where not set, the prompts that the form offers, the opening hours, and the list of critical medicines.
 */
export const readNamesAndDeadlines = read({
  name: "readNamesAndDeadlines",
  permission: "settings.manage",
  run: async ({ db }) => ({
    names: await formValues(db),
    opening: await openingFormValues(db),
    medicines: await medicineValues(db),
  }),
});

const editedSettings = [...clinicSettings, ALARM_ADDRESS, ...deadlineSettings, ...reminderSettings, HIDDEN_PROMPTS];

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
    [ALARM_ADDRESS]: optionalEmail.transform((address) => address ?? ""),
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
      "label of status 16, days of statuses, reminders and the call-up statistics, addresses for messages and alarms, prompts of the form",
    );
    return succeeded("Navne og frister er gemt.");
  },
});

/** 300 words of twenty letters. */
const MAX_LENGTH = 6000;

const hours = text(20)
  .default("")
  .refine((typed) => parseHours(typed) !== null, "Skriv åbningstiden som 8–16 eller 8.30–15.30.")
  .transform((typed) => parseHours(typed) ?? "");

const MAX_CLOSED_DAYS = 200;

const closedDays = text(MAX_LENGTH)
  .default("")
  .transform(parseClosedDays)
  .superRefine(({ days: { length }, wrong: [line] }, { addIssue }) => {
    if (line !== undefined)
      addIssue({ code: "custom", message: `Begynd hver linje med en dato som dd.mm.åååå: ${line}` });
    else if (length > MAX_CLOSED_DAYS)
      addIssue({ code: "custom", message: `Højst ${MAX_CLOSED_DAYS} dage, og her er ${length}.` });
  })
  .transform(({ lines }) => lines.join("\n"));

/** Saves when the clinic is open. Changed closed days change the next dates of all referrals, some at a time. */
export const saveOpeningHours = change({
  name: "saveOpeningHours",
  permission: "settings.manage",
  edit: settingsEdit(openingSettings, openingFormValues),
  input: z.object({ ...Object.fromEntries(hourSettings.map((name) => [name, hours])), [CLOSED_DAYS]: closedDays }),
  async run(context, values) {
    const { tx, auditChange } = context;
    const before = await readSettings(tx, [CLOSED_DAYS]);
    await changeSettings(context, values);
    if (before[CLOSED_DAYS] !== values[CLOSED_DAYS]) await recountAll(tx);
    auditChange([], "opening hours and closed days");
    return succeeded("Åbningstiderne er gemt.", { formId: "saveOpeningHours" });
  },
});

const medicineValues = async (db: DbOrTx) => ({ [CRITICAL_MEDICINES]: (await readCriticalMedicines(db)).join("\n") });

/** Each word once, without regard to case, where it was first typed. */
function medicinesOf(typed: string): string[] {
  const lines = typed.split("\n").map(cleanLine).filter(Boolean);
  return [...new Map(lines.map((line) => [line.toLowerCase(), line])).values()];
}

const medicineLines = text(MAX_LENGTH)
  .default("")
  .transform(medicinesOf)
  .superRefine((lines, { addIssue }) => {
    const [error] = lines.flatMap((line) => medicineError(line) ?? []);
    if (error !== undefined) addIssue({ code: "custom", message: error });
    else if (lines.length > MAX_MEDICINES)
      addIssue({ code: "custom", message: `Højst ${MAX_MEDICINES} ord, og her er ${lines.length}.` });
  })
  .transform((lines) => lines.join("\n"));

/** Saves the clinic's list of critical medicines, one word a line; an emptied one marks no medicine. Throws `invalid`. */
export const saveCriticalMedicines = change({
  name: "saveCriticalMedicines",
  permission: "settings.manage",
  edit: settingsEdit([CRITICAL_MEDICINES], medicineValues),
  input: z.object({ [CRITICAL_MEDICINES]: medicineLines }),
  async run(context, values) {
    await changeSettings(context, values);
    context.auditChange([], "list of critical medicines");
    return succeeded("Medicinlisten er gemt.", { formId: "saveCriticalMedicines" });
  },
});

import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { changeSettings, findSetting } from "~/features/settings/settings.server";
import { textErrors } from "~/features/delivery/templates/text-errors";
import { text } from "~/text/fields.server";
import { reminderChannel } from "./reminder-channel.server";
import { change, read } from "~/access/operation.server";
import { readText } from "~/features/delivery/templates/compose-mail.server";
import { listSelectableTreatments } from "~/features/referrals/treatment-types/operations.server";

const REMINDERS = "reminders";

const savedRule = z.object({
  /** Row 1 to 3 of the form: a reminder is sent once per time, even if its hour changes. */
  slot: z.number().int(),
  daysBefore: z.number().int(),
  hour: z.number().int(),
  text: z.string(),
});

const savedSettings = z.object({
  isOn: z.boolean(),
  rules: z.array(savedRule),
  /** Quiet hours; equal values mean none. */
  quietFrom: z.number().int(),
  quietTo: z.number().int(),
  skipsHolidays: z.boolean(),
  excludedTypes: z.array(z.number().int()),
  /** A link to the case when a referral arrives; missing in settings of before. */
  sendsCaseLink: z.boolean().default(false),
});

export type ReminderRule = z.output<typeof savedRule>;
export type ReminderSettings = z.output<typeof savedSettings>;

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
  sendsCaseLink: false,
};

export async function readReminderSettings(db: DbOrTx): Promise<ReminderSettings> {
  const saved = await findSetting(db, REMINDERS);
  return saved === null ? UNSAVED : savedSettings.parse(JSON.parse(saved));
}

const SLOTS = [1, 2, 3] as const;

const box = z
  .enum(["on", "true", ""])
  .optional()
  .transform((value) => value === "on" || value === "true");

const hour = (error: string, highest: number) => {
  const isHour = (typed: string) => /^\d{1,2}$/.test(typed) && Number(typed) <= highest;
  return z.string({ error }).trim().refine(isHour, error).transform(Number);
};

const MAX_DAYS = 60;
const DAYS_ERROR = `Skriv et helt antal dage, 1-${MAX_DAYS}, eller lad feltet stå tomt.`;

const days = z
  .string()
  .trim()
  .default("")
  .refine(
    (typed) => typed === "" || (/^\d{1,2}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= MAX_DAYS),
    DAYS_ERROR,
  )
  .transform((typed) => (typed === "" ? null : Number(typed)));

const TEXT_LENGTH = 1000;

const ownText = text(TEXT_LENGTH)
  .default("")
  .transform((typed) => typed.replace(/\r\n?/g, "\n"))
  .superRefine((typed, context) => {
    for (const message of textErrors({ subject: "", body: typed }, reminderChannel.name, "appointmentReminder").body)
      context.addIssue({ code: "custom", message });
  });

const reminderSettings = z
  .object({
    isOn: box,
    days1: days,
    hour1: hour("Vælg en time.", 23),
    text1: ownText,
    days2: days,
    hour2: hour("Vælg en time.", 23),
    text2: ownText,
    days3: days,
    hour3: hour("Vælg en time.", 23),
    text3: ownText,
    quietFrom: hour("Vælg en time.", 23),
    quietTo: hour("Vælg en time.", 23),
    skipsHolidays: box,
    excludedTypes: z.array(z.coerce.number().int()).default([]),
    sendsCaseLink: box,
  })
  .superRefine((form, context) => {
    const typed = SLOTS.map((slot) => form[`days${slot}`]);
    for (const slot of SLOTS) {
      const duplicate = SLOTS.find(
        (other) => other < slot && typed[other - 1] !== null && typed[other - 1] === typed[slot - 1],
      );
      if (duplicate !== undefined)
        context.addIssue({
          code: "custom",
          path: [`days${slot}`],
          message: "To påmindelser på samme dag. Vælg forskellige dage.",
        });
    }
    if (form.isOn && typed.every((value) => value === null))
      context.addIssue({
        code: "custom",
        path: ["days1"],
        message: "Skriv, hvor mange dage før der skal sendes en påmindelse.",
      });
  });

/** Saves the automatic reminders. A reminder already sent for a time is not repeated. */
export const saveReminderSettings = change({
  name: "saveReminderSettings",
  permission: "settings.manage",
  input: reminderSettings,
  async run(context, form) {
    const { isOn, quietFrom, quietTo, skipsHolidays, excludedTypes, sendsCaseLink } = form;
    const rules = SLOTS.flatMap((slot) => {
      const daysBefore = form[`days${slot}`];
      return daysBefore === null ? [] : [{ slot, daysBefore, hour: form[`hour${slot}`], text: form[`text${slot}`] }];
    });
    const settings: ReminderSettings = { isOn, rules, quietFrom, quietTo, skipsHolidays, excludedTypes, sendsCaseLink };
    await changeSettings(context, { [REMINDERS]: JSON.stringify(settings) });
    context.auditChange(
      [],
      `${isOn ? `reminders on, ${rules.length}` : "reminders off"}, link to the case ${sendsCaseLink ? "on" : "off"}`,
    );
    const saved = isOn ? "Påmindelserne er gemt." : "Påmindelserne er gemt. De er slået fra.";
    return { flash: { tone: "success" as const, text: saved } };
  },
});

export const readReminders = read({
  name: "readReminders",
  permission: "settings.manage",
  input: z.object({}),
  async run({ db, portal }) {
    const standard = await readText(db, "appointmentReminder", reminderChannel.name);
    return {
      settings: await readReminderSettings(db),
      treatments: await listSelectableTreatments(db),
      standardText: standard?.body ?? "",
      canSend: reminderChannel.isSet(portal),
    };
  },
});

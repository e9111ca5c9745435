import { z } from "zod";
import { getDay, parseISO } from "date-fns";
import type { DbOrTx } from "~db/connection.server";
import { changeSettings, findSetting, settingsEdit } from "~/features/settings/settings.server";
import { textErrors } from "~/features/delivery/templates/text-errors";
import { paragraphs } from "~/text/fields.server";
import { change, read, wholeNumber, succeeded } from "~/access/operation.server";
import { readText } from "~/features/delivery/templates/compose-mail.server";
import { listSelectableTreatments } from "~/features/referrals/treatment-types/operations.server";
import { contactOf } from "~/features/patient-messages/queue-message.server";
import { isStopped } from "~/features/sms-stops/stopped-numbers.server";
import type { Portal } from "~/portal.server";
import { toE164 } from "~/text/phone";
import { startOfMoment } from "~/features/referrals/model/operation-start.server";
import { partsOfMoment } from "~/features/referrals/model/operation-moment";
import { momentThere } from "~/text/copenhagen.server";
import { addDays, isHoliday } from "~/text/calendar";
import { localDate, localHour } from "~/text/dates";

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
  /** Sends a link to the case when a referral arrives; absent in settings saved before it existed. */
  sendsCaseLink: z.boolean().default(false),
  /** The clinic tells patients of imported times itself; absent in settings saved before it existed. */
  tellsImportedTimes: z.boolean().default(false),
});

type ReminderRule = z.output<typeof savedRule>;
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
  tellsImportedTimes: false,
};

/** The defaults until settings are saved. */
export async function readReminderSettings(db: DbOrTx): Promise<ReminderSettings> {
  const saved = await findSetting(db, REMINDERS);
  return saved === null ? UNSAVED : savedSettings.parse(JSON.parse(saved));
}

const SLOTS = [1, 2, 3] as const;

const box = z
  .enum(["on", "true", ""])
  .optional()
  .transform((value) => value === "on" || value === "true");

const HOUR_ERROR = "Vælg en time.";
const hourOfDay = z
  .string({ error: HOUR_ERROR })
  .trim()
  .refine((typed) => /^\d{1,2}$/.test(typed) && Number(typed) <= 23, HOUR_ERROR)
  .transform(Number);

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

const ownText = paragraphs(TEXT_LENGTH).superRefine((typed, context) => {
  for (const message of textErrors({ subject: "", body: typed }, reminderChannel.name, "appointmentReminder").body)
    context.addIssue({ code: "custom", message });
});

const reminderSettings = z
  .object({
    isOn: box,
    days1: days,
    hour1: hourOfDay,
    text1: ownText,
    days2: days,
    hour2: hourOfDay,
    text2: ownText,
    days3: days,
    hour3: hourOfDay,
    text3: ownText,
    quietFrom: hourOfDay,
    quietTo: hourOfDay,
    skipsHolidays: box,
    excludedTypes: z.array(wholeNumber).default([]),
    sendsCaseLink: box,
    tellsImportedTimes: box,
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

const USUAL_HOUR = 10;

const ticked = (isTicked: boolean) => (isTicked ? "on" : "");

/** Values of the form's controls. */
function formValues({
  isOn,
  rules,
  quietFrom,
  quietTo,
  skipsHolidays,
  excludedTypes,
  sendsCaseLink,
  tellsImportedTimes,
}: ReminderSettings) {
  const ofSlots = SLOTS.map((slot) => {
    const rule = rules.find((one) => one.slot === slot);
    return {
      [`days${slot}`]: rule ? String(rule.daysBefore) : "",
      [`hour${slot}`]: String(rule?.hour ?? USUAL_HOUR),
      [`text${slot}`]: rule?.text ?? "",
    };
  });
  return {
    ...(Object.assign({}, ...ofSlots) as Record<string, string>),
    isOn: ticked(isOn),
    quietFrom: String(quietFrom),
    quietTo: String(quietTo),
    skipsHolidays: ticked(skipsHolidays),
    excludedTypes: excludedTypes.map(String),
    sendsCaseLink: ticked(sendsCaseLink),
    tellsImportedTimes: ticked(tellsImportedTimes),
  };
}

/** Saves the automatic reminders. A reminder already sent for a time is not repeated. */
export const saveReminderSettings = change({
  name: "saveReminderSettings",
  permission: "settings.manage",
  edit: settingsEdit([REMINDERS], async (db) => formValues(await readReminderSettings(db)), [
    ...SLOTS.map((slot) => [`days${slot}`, `hour${slot}`, `text${slot}`]),
    ["quietFrom", "quietTo"],
  ]),
  input: reminderSettings,
  async run(context, form) {
    const { isOn, quietFrom, quietTo, skipsHolidays, excludedTypes, sendsCaseLink, tellsImportedTimes } = form;
    const rules = SLOTS.flatMap((slot) => {
      const daysBefore = form[`days${slot}`];
      return daysBefore === null ? [] : [{ slot, daysBefore, hour: form[`hour${slot}`], text: form[`text${slot}`] }];
    });
    const switches = { sendsCaseLink, tellsImportedTimes };
    const settings: ReminderSettings = { isOn, rules, quietFrom, quietTo, skipsHolidays, excludedTypes, ...switches };
    await changeSettings(context, { [REMINDERS]: JSON.stringify(settings) });
    context.auditChange(
      [],
      `${isOn ? `reminders on, ${rules.length}` : "reminders off"}, link to the case ${sendsCaseLink ? "on" : "off"}`,
    );
    const saved = isOn ? "Påmindelserne er gemt." : "Påmindelserne er gemt. De er slået fra.";
    return succeeded(saved);
  },
});

export const readReminders = read({
  name: "readReminders",
  permission: "settings.manage",
  async run({ db, portal }) {
    const standard = await readText(db, "appointmentReminder", reminderChannel.name);
    return {
      values: formValues(await readReminderSettings(db)),
      treatments: await listSelectableTreatments(db),
      standardText: standard?.body ?? "",
      canSend: reminderChannel.isSet(portal),
      channel: reminderChannel.name,
    };
  },
});

/**
 * The channel of reminders and of the link to the case. To change it, change this constant, and give both kinds a
 * number in `message-kinds.ts` and a text in `default-texts.ts`.
 */
export const reminderChannel = {
  name: "sms",
  /** Column of `referral` that is filled where a patient can be reached. */
  contact: "mobilePhone",
  quietDetail: "Ingen SMS i de stille timer",
  isSet: (portal: Portal) => portal.sms.mode !== "notConfigured",
  async isDeclined(db: DbOrTx, portal: Portal, referral: Parameters<typeof contactOf>[1]): Promise<boolean> {
    const { mobilePhone } = contactOf(portal, referral);
    const number = mobilePhone === null ? null : toE164(mobilePhone);
    return number !== null && (await isStopped(db, portal.secrets, number));
  },
  declined: {
    refusal: "Patienten har svaret STOP og får ingen påmindelser på det nummer.",
    detail: "Patienten har svaret STOP",
  },
} as const;

type Times = Pick<ReminderSettings, "quietFrom" | "quietTo" | "skipsHolidays">;

const SUNDAY = 0;

interface LocalHour {
  day: string;
  hour: number;
}

function isQuiet(hour: number, { quietFrom, quietTo }: Times): boolean {
  if (quietFrom === quietTo) return false;
  return quietFrom < quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo;
}

const isFreeDay = (day: string, { skipsHolidays }: Times) =>
  skipsHolidays && (getDay(parseISO(day)) === SUNDAY || isHoliday(day));

const isAllowed = ({ day, hour }: LocalHour, times: Times) => !isQuiet(hour, times) && !isFreeDay(day, times);

export const mayLeave = (now: Date, times: Times) => isAllowed({ day: localDate(now), hour: localHour(now) }, times);

const next = ({ day, hour }: LocalHour) => (hour === 23 ? { day: addDays(day, 1), hour: 0 } : { day, hour: hour + 1 });
const before = ({ day, hour }: LocalHour) =>
  hour === 0 ? { day: addDays(day, -1), hour: 23 } : { day, hour: hour - 1 };
const momentOf = ({ day, hour }: LocalHour) => momentThere(day, hour, 0);

const MAX_STEPS = 14 * 24;

function nearest(from: LocalHour, step: (at: LocalHour) => LocalHour, times: Times): LocalHour | null {
  let at = from;
  for (let steps = 0; steps < MAX_STEPS; steps += 1, at = step(at)) if (isAllowed(at, times)) return at;
  return null;
}

/**
 * When a reminder is due; null if never before the time. Sundays and holidays move it to the day before. A quiet hour
 * moves it to the next allowed one, or the last one before the appointment. @param moment `YYYY-MM-DD HH:MM` in
 * Copenhagen
 */
export function dueAt(moment: string, rule: Pick<ReminderRule, "daysBefore" | "hour">, times: Times): Date | null {
  const start = startOfMoment(moment);
  let day = addDays(partsOfMoment(moment).day, -rule.daysBefore);
  while (isFreeDay(day, times)) day = addDays(day, -1);
  const wanted = { day, hour: rule.hour };
  const later = nearest(wanted, next, times);
  if (later !== null && momentOf(later) < start) return momentOf(later);
  const earlier = nearest(wanted, before, times);
  return earlier !== null && momentOf(earlier) < start ? momentOf(earlier) : null;
}

const LATE_HOURS = 24;

/** Reminders of a time that are due and not too late, latest first. */
export function dueRules(moment: string, settings: ReminderSettings, now: Date): ReminderRule[] {
  if (now >= startOfMoment(moment)) return [];
  return settings.rules
    .flatMap((rule) => {
      const due = dueAt(moment, rule, settings);
      return due === null || due > now || now.getTime() - due.getTime() >= LATE_HOURS * 3_600_000
        ? []
        : [{ rule, due }];
    })
    .toSorted((one, other) => other.due.getTime() - one.due.getTime())
    .map(({ rule }) => rule);
}

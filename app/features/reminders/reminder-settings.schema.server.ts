import { z } from "zod";
import { textErrors } from "~/features/delivery/templates/text-errors";
import { text } from "~/text/fields.server";
import { reminderChannel } from "./reminder-channel.server";

export const SLOTS = [1, 2, 3] as const;

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

/** Empty disables the reminder. */
const days = z
  .string()
  .trim()
  .default("")
  .refine(
    (typed) => typed === "" || (/^\d{1,2}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= MAX_DAYS),
    DAYS_ERROR,
  )
  .transform((typed) => (typed === "" ? null : Number(typed)));

/** About seven SMS parts. */
const TEXT_LENGTH = 1000;

const ownText = text(TEXT_LENGTH)
  .default("")
  .transform((typed) => typed.replace(/\r\n?/g, "\n"))
  .superRefine((typed, context) => {
    for (const message of textErrors({ subject: "", body: typed }, reminderChannel.name, "appointmentReminder").body)
      context.addIssue({ code: "custom", message });
  });

export const reminderSettings = z
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

import type { ReminderSettings } from "~/features/reminders/reminder-settings.server";
import type { Choice } from "~/ui/forms/select-field";

export const slots = [1, 2, 3] as const;

export const TEXT_LIMIT = 1000;

export const labels = {
  isOn: "Send påmindelser",
  days1: "Dage før, 1. påmindelse",
  hour1: "Klokken",
  text1: "Tekst, 1. påmindelse",
  days2: "Dage før, 2. påmindelse",
  hour2: "Klokken",
  text2: "Tekst, 2. påmindelse",
  days3: "Dage før, 3. påmindelse",
  hour3: "Klokken",
  text3: "Tekst, 3. påmindelse",
  quietFrom: "Fra kl.",
  quietTo: "Til kl.",
  skipsHolidays: "Send ikke på søn- og helligdage, men dagen før",
  excludedTypes: "Send ikke påmindelser for",
};

export const hours: readonly Choice[] = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, "0")}.00`,
}));

/** Default hour of an unused reminder. */
const USUAL_HOUR = 10;

export function formValues({ isOn, rules, quietFrom, quietTo, skipsHolidays, excludedTypes }: ReminderSettings) {
  const ofSlots = slots.map((slot) => {
    const rule = rules.find((one) => one.slot === slot);
    return {
      [`days${slot}`]: rule ? String(rule.daysBefore) : "",
      [`hour${slot}`]: String(rule?.hour ?? USUAL_HOUR),
      [`text${slot}`]: rule?.text ?? "",
    };
  });
  return {
    ...(Object.assign({}, ...ofSlots) as Record<string, string>),
    isOn: isOn ? "on" : "",
    quietFrom: String(quietFrom),
    quietTo: String(quietTo),
    skipsHolidays: skipsHolidays ? "on" : "",
    excludedTypes: excludedTypes.map(String),
  };
}

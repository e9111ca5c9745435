import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { readText } from "~/features/delivery/templates/read-text.server";
import { listSelectableTreatments } from "~/features/referrals/treatment-types/list-treatment-types.server";
import { changeSettings } from "~/features/settings/change-settings.server";
import { reminderChannel } from "./reminder-channel.server";
import { readReminderSettings, REMINDERS, type ReminderSettings } from "./reminder-settings.server";
import { reminderSettings, SLOTS } from "./reminder-settings.schema.server";

/** Saves the automatic reminders. A reminder already sent for a time is not repeated. */
export const saveReminderSettings = change({
  name: "saveReminderSettings",
  permission: "settings.manage",
  input: reminderSettings,
  async run(context, form) {
    const { isOn, quietFrom, quietTo, skipsHolidays, excludedTypes } = form;
    const rules = SLOTS.flatMap((slot) => {
      const daysBefore = form[`days${slot}`];
      return daysBefore === null ? [] : [{ slot, daysBefore, hour: form[`hour${slot}`], text: form[`text${slot}`] }];
    });
    const settings: ReminderSettings = { isOn, rules, quietFrom, quietTo, skipsHolidays, excludedTypes };
    await changeSettings(context, { [REMINDERS]: JSON.stringify(settings) });
    context.auditChange([], isOn ? `reminders on, ${rules.length}` : "reminders off");
    const text = isOn ? "Påmindelserne er gemt." : "Påmindelserne er gemt. De er slået fra.";
    return { flash: { tone: "success" as const, text } };
  },
});

export const readReminders = read({
  name: "readReminders",
  permission: "settings.manage",
  input: z.object({}),
  async run({ db, portal }) {
    const text = await readText(db, "appointmentReminder", reminderChannel.name);
    return {
      settings: await readReminderSettings(db),
      treatments: await listSelectableTreatments(db),
      standardText: text?.body ?? "",
      canSend: reminderChannel.isSet(portal),
    };
  },
});

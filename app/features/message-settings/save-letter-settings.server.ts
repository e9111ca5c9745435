import { change } from "~/access/operation.server";
import { BATCH_HOUR } from "~/features/letter-batches/daily-batch.server";
import { windowAsSettings } from "~/features/letters/letter-layout.server";
import { changeSettings } from "~/features/settings/change-settings.server";
import { type Letterhead, letterheadSettings } from "~/features/settings/letterhead.server";
import { letterSettings, senderNames } from "./letter-settings.schema.server";

/** Saves letterhead, address window and batch hour for letters made from now on. */
export const saveLetterSettings = change({
  name: "saveLetterSettings",
  permission: "settings.manage",
  input: letterSettings,
  async run(context, { windowLeft, windowTop, batchHour, email, ...head }) {
    const letterhead: Letterhead = { ...head, email: email ?? "" };
    const values = Object.fromEntries(
      Object.entries(letterhead).map(([part, value]) => [
        letterheadSettings[part as keyof Letterhead],
        value as string,
      ]),
    );
    const window = windowAsSettings({ left: windowLeft, top: windowTop });
    await changeSettings(context, { ...values, ...window, [BATCH_HOUR]: batchHour });
    context.auditChange([], "letterhead, address window, batch hour");
    return { flash: { tone: "success" as const, text: "Brevene er gemt." } };
  },
});

/** Saves the senders of mails and SMS. */
export const saveSenders = change({
  name: "saveSenders",
  permission: "settings.manage",
  input: senderNames,
  async run(context, names) {
    await changeSettings(context, names);
    context.auditChange([], "senders of mails and SMS");
    return { flash: { tone: "success" as const, text: "Afsenderne er gemt." } };
  },
});

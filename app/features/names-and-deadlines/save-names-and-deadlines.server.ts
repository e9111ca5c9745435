import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { CALL_UP_STATS } from "~/features/referrals/list/call-up-stats.server";
import { changeSettings, readSettings } from "~/features/settings/settings.server";
import { clinicSettings } from "~/features/settings/clinic-settings";
import { optionalEmail, text } from "~/text/fields.server";

/** The name of status 16, the call-up deadline and the clinic's address for message mails; empty where not set. */
export const readNamesAndDeadlines = read({
  name: "readNamesAndDeadlines",
  permission: "settings.manage",
  input: z.object({}),
  run: ({ db }) => readSettings(db, clinicSettings),
});

/** Empty fields return to the defaults; without an address the clinic gets no mails. */
export const saveNamesAndDeadlines = change({
  name: "saveNamesAndDeadlines",
  permission: "settings.manage",
  input: z.object({
    status16Label: text(60).default(""),
    statusActiveDays: text(4)
      .refine((typed) => typed === "" || /^[1-9]\d{0,2}$/.test(typed), "Skriv et helt antal dage fra 1 til 999.")
      .default(""),
    messageMailAddress: optionalEmail.transform((address) => address ?? ""),
  }),
  async run(context, values) {
    const { portal, auditChange, afterCommit } = context;
    await changeSettings(context, values);
    afterCommit(() => portal.cache.invalidate(CALL_UP_STATS));
    auditChange([], "label of status 16, days of the call-up statistics, address for messages");
    return { flash: { tone: "success" as const, text: "Navne og frister er gemt." } };
  },
});

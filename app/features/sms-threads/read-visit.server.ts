import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { findRow } from "~/lists/rows.server";
import { showVisit } from "./list-sms.server";
import { readThreadOf } from "./read-thread.server";
import { smsVisitsOf } from "./sms-list.server";

/** One visit of the list with its thread: what a row shows when it is open, and again after something was sent. Throws `notInScope`. */
export const readSmsVisit = read({
  name: "readSmsVisit",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ db, portal, person, now, auditRead }, { referralId }) {
    const thread = await readThreadOf(db, portal, person, referralId, now);
    auditRead([referralId]);
    const row = await findRow(db, smsVisitsOf(portal, person, {}, null), referralId);
    return {
      thread,
      /** Null of one that is in the list no more: its time was taken away, and its thread is empty. */
      visit: row === undefined ? null : showVisit(portal, row),
      ...(await cachedStatusSettings(portal)),
    };
  },
});

export type SmsVisit = ResultOf<typeof readSmsVisit>;

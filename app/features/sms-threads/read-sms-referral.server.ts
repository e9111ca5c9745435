import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { findRow } from "~/lists/rows.server";
import { showSmsReferral } from "./list-sms.server";
import { readThreadOf } from "./read-thread.server";
import { openSmsList } from "./sms-list.server";

/** One referral of the list with its thread: what a row shows when it is open, and again after something was sent. Throws `notInScope`. */
export const readSmsReferral = read({
  name: "readSmsVisit",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ db, portal, person, now, auditRead }, { referralId }) {
    const thread = await readThreadOf(db, portal, person, referralId, now);
    auditRead([referralId]);
    const row = await findRow(db, openSmsList(portal, person, {}, null), referralId);
    return {
      thread,
      /** Null of one that is in the list no more: its time was taken away, and its thread is empty. */
      referral: row === undefined ? null : showSmsReferral(portal, row),
      ...(await cachedStatusSettings(portal)),
    };
  },
});

export type SmsReferral = ResultOf<typeof readSmsReferral>;

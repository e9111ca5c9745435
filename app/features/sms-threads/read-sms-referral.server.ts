import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { findRow } from "~/lists/rows.server";
import { showSmsReferral } from "./list-sms.server";
import { readThreadOf } from "./read-thread.server";
import { openSmsList } from "./sms-list.server";

/** A referral with its thread, for an open row and after sending. Throws `notInScope`. */
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
      /** Null once it has left the list: without time and thread. */
      referral: row === undefined ? null : showSmsReferral(portal, row),
      ...(await cachedStatusSettings(portal)),
    };
  },
});

export type SmsReferral = ResultOf<typeof readSmsReferral>;

import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { deleteStop, findStop } from "./sms-stop-store.server";
import { change, ofReferral, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { toE164 } from "~/text/phone";

/** Whether a number (E.164) answered STOP: it gets no reminders, but everything else. */
export const isStopped = async (db: DbOrTx, secrets: Secrets, number: string): Promise<boolean> =>
  (await findStop(db, secrets, number)) !== null;

/**
 * 'Ophæv': allows reminders to the referral's number again. Throws `notInScope`, and `conflict` if it was not stopped.
 */
export const liftSmsStop = change({
  name: "liftSmsStop",
  permission: "patientMessage.send",
  input: ofReferral,
  async run(context, { referralId }) {
    const { tx, actor, portal, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const number = row.mobilePhone === null ? null : toE164(row.mobilePhone);
    if (number === null || !(await deleteStop(tx, portal.secrets, number)))
      throw new Refusal("conflict", { text: "Nummeret får allerede påmindelser." });
    await logEvent(context, row, "STOP for SMS-påmindelser ophævet");
    auditChange([row.id], "SMS stop lifted");
    return succeeded("Nummeret får påmindelser igen.");
  },
});

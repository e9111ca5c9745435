import type { DbOrTx } from "~db/connection.server";
import { contactOf } from "~/features/patient-messages/compose.server";
import { isStopped } from "~/features/sms-stops/stopped-numbers.server";
import type { Portal } from "~/portal.server";
import { toE164 } from "~/text/phone";

/** The channel that reminders leave by. Another one takes this shape; nothing else of reminders knows which it is. */
export const reminderChannel = {
  name: "sms",
  /** Column of `referral` that is filled where a patient can be reached. */
  contact: "mobile_phone",
  quietDetail: "Ingen SMS i de stille timer",
  isSet: (portal: Portal) => portal.sms.mode !== "notConfigured",
  /** The patient has declined reminders on this channel. */
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

import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { obstacleTo, queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";

/** Tells the patient that the cancellation has arrived. One who cannot get an SMS gets none: it stands in the way of nothing. */
export async function queueReply(context: ChangeContext, row: ReferralRow): Promise<void> {
  if (obstacleTo(context.portal, { kind: "reminderReply", channel: "sms" }, row) !== null) return;
  try {
    await queuePatientMessage(context, { kind: "reminderReply", channel: "sms", referral: row });
  } catch (error) {
    // The clinic's words ask for something that the referral has not.
    if (!(error instanceof Refusal)) throw error;
  }
}

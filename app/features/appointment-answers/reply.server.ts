import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { obstacleTo, queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";

/** Confirms a cancellation to the patient. Skipped silently when no SMS can be sent. */
export async function queueReply(context: ChangeContext, row: ReferralRow): Promise<void> {
  if (obstacleTo(context.portal, { kind: "reminderReply", channel: "sms" }, row) !== null) return;
  try {
    await queuePatientMessage(context, { kind: "reminderReply", channel: "sms", referral: row });
  } catch (error) {
    // The clinic's text has a placeholder without a value.
    if (!(error instanceof Refusal)) throw error;
  }
}

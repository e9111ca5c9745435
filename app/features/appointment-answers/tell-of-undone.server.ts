import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { KindHooks } from "~/features/delivery/port";
import { caseObstacle, timeObstacle } from "~/features/patient-messages/case-obstacle.server";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { obstacleTo, queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/details/messaged-referral.server";

type Context = Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">;

const KIND = "cancellationUndone";

/** SMS first, as the cancellation was confirmed by SMS; mail when the number is gone. */
const WAYS = ["sms", "email"] as const;

/**
 * Tells a patient that a cancelled time stands again. Returns what staff should know: the channel used, or that they
 * must call; null for a past time or closed case.
 */
export async function tellOfUndone(
  context: Context,
  row: ReferralRow,
): Promise<{ text: string; mustCall: boolean } | null> {
  const { portal, now } = context;
  if (caseObstacle(KIND, row) !== null || timeObstacle(row, now) !== null) return null;
  for (const channel of WAYS) {
    if (obstacleTo(portal, { kind: KIND, channel }, row) !== null) continue;
    if (await isQueued(context, row, channel))
      return { text: `Patienten får besked ${channel === "sms" ? "pr. SMS" : "i en e-mail"}.`, mustCall: false };
  }
  return { text: "Ring til patienten: der kan hverken sendes SMS eller e-mail om det.", mustCall: true };
}

async function isQueued(context: Context, row: ReferralRow, channel: ChannelName): Promise<boolean> {
  try {
    await queuePatientMessage(context, { kind: KIND, channel, referral: row });
    return true;
  } catch (error) {
    // The clinic's text has a placeholder without a value.
    if (error instanceof Refusal) return false;
    throw error;
  }
}

export const cancellationUndoneHooks: KindHooks = {
  ...patientHooks,
  async resend(context, { id, referralId }, channel) {
    if (referralId === null) throw new Refusal("invalid");
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queuePatientMessage(context, { kind: KIND, channel, referral: row, resendsId: id });
  },
};

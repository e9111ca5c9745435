import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { SettledMessage } from "~/features/delivery/kind-hooks";
import { callUpWays } from "~/features/patient-messages/ways";
import { lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { queueCallUp } from "./send-call-up.server";

/** Sends a failed call-up again. Throws what `sendCallUp` throws. */
export async function resendCallUp(
  context: ChangeContext,
  { id, referralId }: SettledMessage,
  channel: ChannelName,
  { mayOverlap }: { mayOverlap: boolean },
): Promise<void> {
  const way = callUpWays.find((each) => each.channel === channel);
  if (way === undefined || referralId === null) throw new Refusal("invalid");
  const row = await lockReferral(context.tx, context.actor, referralId);
  await queueCallUp(context, row, { type: way.value, mayOverlap, resendsId: id });
}

import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { handleOvertaken } from "~/features/delivery/handle-failures.server";
import type { KindHooks, SettledMessage } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { callUpWays } from "~/features/patient-messages/ways";
import { lockReferral, moveOn } from "~/features/referrals/details/messaged-referral.server";
import { statusAfterCallUp } from "./call-up-states";
import { findByMessage, freePlan, refreshSummary } from "./call-up-store.server";
import { queueCallUp } from "./send-call-up.server";

/** Sends a failed call-up again. Throws what `sendCallUp` throws. */
async function resendCallUp(
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

/** Moves the referral on when the call-up has been sent, unless somebody moved it meanwhile. */
export const callUpHooks: KindHooks = {
  ...patientHooks,
  async onSettled(context, message, settlement) {
    await patientHooks.onSettled?.(context, message, settlement);
    const { tx } = context;
    const callUp = await findByMessage(tx, message.id);
    if (callUp === undefined) return;
    if (settlement.outcome !== "queued") await freePlan(tx, callUp.id, message.storedFileId);
    await refreshSummary(tx, callUp.referral_id);
    if (settlement.outcome === "sent")
      await handleOvertaken(
        tx,
        { id: message.id, kind: message.kind, referralId: callUp.referral_id },
        "En senere indkaldelse er sendt",
        context.now,
      );
    const from = callUp.referral_status;
    const to = from === null ? null : statusAfterCallUp(from);
    if (from === null || to === null) return;
    const { outcome, wasSentAt: since } = settlement;
    if (outcome === "sent") await moveOn(context, callUp.referral_id, { from, to });
    // Reverts the status only if this call-up moved the referral.
    if (outcome === "failed" && since !== undefined)
      await moveOn(context, callUp.referral_id, { from: to, to: from, since, event: "Indkaldelsen kom retur" });
  },
  resend: resendCallUp,
};

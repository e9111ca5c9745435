import { handleOvertaken } from "~/features/delivery/handle-failures.server";
import type { KindHooks } from "~/features/delivery/kind-hooks";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { moveOn } from "~/features/referrals/details/messaged-referral.server";
import { statusAfterCallUp } from "./call-up-states";
import { resendCallUp } from "./resend-call-up.server";
import { findByMessage, freePlan, refreshSummary } from "./call-up-store.server";

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

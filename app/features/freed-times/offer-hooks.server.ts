import type { ClaimedMessage, KindHooks } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import type { Portal } from "~/portal.server";
import { fromMoment } from "~/text/dates";
import { findOfferByMessage, settleOffer } from "./store.server";

/** Sent only while the time is available; a failed one frees it for the next patient. */
export const timeOfferHooks: KindHooks = {
  ...patientHooks,
  async recheck(portal: Portal, message: ClaimedMessage) {
    const offer = await findOfferByMessage(portal.db, message.id);
    if (offer?.outcome !== "open" || fromMoment(offer.expires_at) <= portal.clock.now())
      return { outcome: "withdrawn", detail: "Tiden er ikke længere tilbudt" };
    return patientHooks.recheck!(portal, message);
  },
  async onSettled(context, message, settlement) {
    await patientHooks.onSettled?.(context, message, settlement);
    if (settlement.outcome !== "failed" && settlement.outcome !== "withdrawn") return;
    const offer = await findOfferByMessage(context.tx, message.id);
    if (offer) await settleOffer(context.tx, offer.id, "withdrawn", context.now);
  },
};

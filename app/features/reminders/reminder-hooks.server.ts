import type { ClaimedMessage, KindHooks } from "~/features/delivery/kind-hooks";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { findMessagedReferral } from "~/features/referrals/details/messaged-referral.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { WITHOUT_TIME } from "~/features/referrals/model/status";
import type { Portal } from "~/portal.server";
import { findByMessage } from "./reminder-store.server";

/** A reminder is about one time: it leaves only while its patient is still expected then, whoever has changed what meanwhile. */
export const reminderHooks: KindHooks = { ...patientHooks, recheck: recheckReminder };

const withdrawn = (detail: string) => ({ outcome: "withdrawn" as const, detail });

async function recheckReminder(portal: Portal, message: ClaimedMessage) {
  const { db } = portal;
  const reminder = await findByMessage(db, message.id);
  const referral = message.referralId === null ? undefined : await findMessagedReferral(db, message.referralId);
  if (reminder === undefined || referral === undefined || referral.deleted_at !== null)
    return withdrawn("Henvisningen er slettet");
  if (operationMoment(referral) !== reminder.operationMoment) return withdrawn("Tiden er ændret");
  if (referral.cancellation_date !== null || WITHOUT_TIME.includes(referral.status))
    return withdrawn("Tiden er aflyst");
  if (reminder.rule !== null && referral.confirmed_at !== null) return withdrawn("Patienten har bekræftet tiden");
  return patientHooks.recheck!(portal, message);
}

import type { ClaimedMessage, KindHooks } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { findMessageReferral } from "~/features/referrals/details/messaged-referral.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import type { Portal } from "~/portal.server";
import { reminderChannel } from "./reminder-channel.server";
import { reminderObstacle } from "./send-due-reminders.server";
import { readReminderSettings } from "./reminder-settings.server";
import { findByMessage } from "./reminder-store.server";
import { mayLeave } from "./reminder-time.server";

export const reminderHooks: KindHooks = { ...patientHooks, recheck: recheckReminder };

const QUIET_MINUTES = 15;

const withdrawn = (detail: string) => ({ outcome: "withdrawn" as const, detail });

async function recheckReminder(portal: Portal, message: ClaimedMessage) {
  const { db } = portal;
  const reminder = await findByMessage(db, message.id);
  const referral = message.referralId === null ? undefined : await findMessageReferral(db, message.referralId);
  if (reminder === undefined || referral === undefined || referral.deleted_at !== null)
    return withdrawn("Henvisningen er slettet");
  if (operationMoment(referral) !== reminder.operationMoment) return withdrawn("Tiden er ændret");
  const obstacle = reminderObstacle(referral, portal.clock.now());
  if (obstacle !== null) return withdrawn(obstacleTexts[obstacle]);
  if (await reminderChannel.isDeclined(db, portal, referral)) return withdrawn(reminderChannel.declined.detail);
  if (reminder.rule === null) return patientHooks.recheck!(portal, message);
  if (referral.confirmed_at !== null) return withdrawn("Patienten har bekræftet tiden");
  if (!mayLeave(portal.clock.now(), await readReminderSettings(db)))
    return { outcome: "wait" as const, detail: reminderChannel.quietDetail, minutes: QUIET_MINUTES };
  return patientHooks.recheck!(portal, message);
}

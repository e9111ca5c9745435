import { cancellationUndoneHooks } from "./features/appointment-answers/cancel-by-patient.server";
import { appointmentLetterHooks } from "./features/appointment-letters/operations.server";
import { billHooks } from "./features/billing/send-bill.server";
import { callUpHooks } from "./features/call-ups/send-call-up.server";
import type { HooksByKind, KindHooks } from "./features/delivery/port";
import { dischargeLetterHooks } from "./features/discharge-letters/discharge-letter-hooks.server";
import { patientHooks } from "./features/patient-messages/patient-hooks.server";
import { timeOfferHooks } from "./features/freed-times/offer-time.server";
import { materialRequestHooks } from "~/features/referrals/material/material-mail.server";
import { radiographExportHooks } from "./features/referrals/archive/export-hooks.server";
import { reminderHooks } from "./features/reminders/send-due-reminders.server";
import { sendSameAgain } from "./features/delivery/send-same-again.server";
import { newUserHooks, passwordResetHooks } from "./features/accounts/passwords.server";
import { isUserActive } from "./features/accounts/store.server";
import { caseLinkHooks } from "./features/patient-links/case-link.server";
import { patientLinkHooks } from "./features/patient-links/queue-patient-link.server";

const toActiveUser: KindHooks = {
  async recheck({ db }, { userId }) {
    return userId === null || (await isUserActive(db, userId))
      ? null
      : { outcome: "withdrawn", detail: "Modtageren er ikke længere aktiv" };
  },
};

const inOrder = (...hooks: KindHooks[]): KindHooks => ({
  async recheck(portal, message) {
    for (const { recheck } of hooks) {
      const found = await recheck?.(portal, message);
      if (found) return found;
    }
    return null;
  },
});

/** Hooks of each kind, assembled here so that delivery does not import the features. */
export const kindHooks: HooksByKind = {
  passwordReset: { ...toActiveUser, ...passwordResetHooks },
  newUser: { ...toActiveUser, ...newUserHooks },
  accountChanged: sendSameAgain,
  accountMerged: sendSameAgain,
  statusNews: { ...toActiveUser, ...sendSameAgain },
  materialRequest: { ...inOrder(toActiveUser, materialRequestHooks), ...sendSameAgain },
  materialReminder: { ...inOrder(toActiveUser, materialRequestHooks), ...sendSameAgain },
  messageNews: { ...toActiveUser, ...sendSameAgain },
  messageNewsToClinic: sendSameAgain,
  dischargeLetter: dischargeLetterHooks,
  callUp: callUpHooks,
  appointmentLetter: appointmentLetterHooks,
  appointmentReminder: reminderHooks,
  reminderReply: patientHooks,
  cancellationUndone: cancellationUndoneHooks,
  timeOffer: timeOfferHooks,
  cancellationNews: sendSameAgain,
  radiographLink: patientLinkHooks,
  letterFilesLink: patientLinkHooks,
  caseLink: caseLinkHooks,
  invoice: billHooks,
  estimate: billHooks,
  smsReply: patientHooks,
  smsReplyCallUs: patientHooks,
  parkingReceipt: sendSameAgain,
  parkingLimit: sendSameAgain,
  urgentAlarm: sendSameAgain,
  ediReceipt: {},
  radiographExport: radiographExportHooks,
  testMessage: toActiveUser,
};

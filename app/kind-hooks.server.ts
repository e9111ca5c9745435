import { cancellationUndoneHooks } from "./features/appointment-answers/tell-of-undone.server";
import { appointmentLetterHooks } from "./features/appointment-letters/queue-appointment-letter.server";
import { billHooks } from "./features/billing/queue-bill.server";
import { callUpHooks } from "./features/call-ups/call-up-hooks.server";
import type { HooksByKind, KindHooks } from "./features/delivery/port";
import { dischargeLetterHooks } from "./features/discharge-letters/discharge-letter-hooks.server";
import { patientHooks } from "./features/patient-messages/patient-hooks.server";
import { timeOfferHooks } from "./features/freed-times/offer-hooks.server";
import { materialRequestHooks } from "./features/referrals/material/material-mail.server";
import { radiographExportHooks } from "./features/referrals/archive/export-hooks.server";
import { reminderHooks } from "./features/reminders/reminder-hooks.server";
import { sendSameAgain } from "./features/delivery/send-same-again.server";
import { newUserHooks, passwordResetHooks } from "./features/accounts/account-link-hooks.server";
import { isUserActive } from "./features/accounts/store.server";
import { patientLinkHooks } from "./features/patient-links/queue-patient-link.server";

const toActiveUser: KindHooks = {
  async recheck({ db }, { userId }) {
    return userId === null || (await isUserActive(db, userId))
      ? null
      : { outcome: "withdrawn", detail: "Modtageren er ikke længere aktiv" };
  },
};

/** Combines hooks: rechecks run in order until one objects. */
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
  invoice: billHooks,
  estimate: billHooks,
  smsReply: patientHooks,
  smsReplyCallUs: patientHooks,
  parkingReceipt: sendSameAgain,
  parkingLimit: sendSameAgain,
  ediReceipt: {},
  radiographExport: radiographExportHooks,
  testMessage: toActiveUser,
};

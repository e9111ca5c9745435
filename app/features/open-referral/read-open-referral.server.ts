import { execute, type Operation, plainInput, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { readAppointmentWays } from "~/features/appointment-letters/operations.server";
import { readAnswer } from "~/features/appointment-answers/open-appointment.server";
import { readCallUp } from "~/features/call-ups/read-open-call-up.server";
import { readDischargeLetters } from "~/features/discharge-letters/read-discharge-letters.server";
import { readSendingProgress } from "~/features/delivery/sending-progress.server";
import { readMessages } from "~/features/messages/read-messages.server";
import { readPatientLinks } from "~/features/patient-links/operations.server";
import { readSmsThread } from "~/features/sms-threads/read-thread.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";

/** The open referral with data of other features. Throws `notInScope`. */
export const readOpenReferral = read({
  name: "readOpenReferral",
  permission: "referral.read",
  input: readReferral.input,
  async run({ portal, caller, actor, db }, input) {
    const { referralId } = input;
    const ask = <O>(operation: Operation<any, O>, values: object = { referralId }) =>
      execute(portal, caller, operation, plainInput(values));
    const writes = can(actor, "patientMessage.send");
    // Read first, so that anything settled meanwhile appears at the next refresh.
    const sendings = await readSendingProgress(db, actor, referralId);
    const [referral, messages, letters, callUp, appointmentWays, links, sms, answered] = await Promise.all([
      ask(readReferral, input),
      ask(readMessages),
      ask(readDischargeLetters),
      writes ? ask(readCallUp) : null,
      writes ? ask(readAppointmentWays) : null,
      writes ? ask(readPatientLinks) : null,
      writes ? ask(readSmsThread) : null,
      writes ? ask(readAnswer) : null,
    ]);
    return {
      ...referral,
      sendings,
      messages,
      letters,
      toPatient: callUp &&
        appointmentWays &&
        links &&
        sms &&
        answered && { callUp, appointmentWays, links, sms, ...answered },
    };
  },
});

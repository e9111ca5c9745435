import { z } from "zod";
import { sealedCpr } from "~/access/sealed-column.server";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { appointmentWays } from "~/features/patient-messages/ways";
import { findReferral, lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { refuseOthersEmail } from "~/features/referrals/wizard/patient-email.server";
import { queueAppointmentLetter } from "./queue-appointment-letter.server";

const EMAIL = 0;
const types: readonly number[] = appointmentWays.map(({ value }) => value);

/**
 * 'Send behandlingstid til patient manuelt' (POST /Visits/{id}/appointmentinfo/{n}): the date and time of the operation, by 0 Email, 1 Brev
 * or 2 e-Boks. Throws `emailMissing` (422), `patientEmailTaken` (403), `invalid` with what is missing, and `notInScope`.
 */
export const sendAppointmentLetter = external({
  name: "sendAppointmentLetter",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({
    referralId: z.coerce.number().int(),
    appointmentType: z.coerce
      .number<unknown>("Vælg, hvordan behandlingstiden skal sendes.")
      .int()
      .refine((value) => types.includes(value), "Vælg, hvordan behandlingstiden skal sendes."),
  }),
  async prepare(context, { referralId, appointmentType }) {
    const row = await findReferral(context.db, context.actor, referralId);
    if (appointmentType !== EMAIL) return;
    if (!row.email) throw new Refusal("emailMissing");
    const cpr = sealedCpr.open(context.portal.secrets, row);
    if (cpr !== null) await refuseOthersEmail(context, { cpr, email: row.email });
  },
  async run(context, { referralId, appointmentType: type }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queueAppointmentLetter(context, row, { type });
    return {
      flash: { tone: "success" as const, formId: "sendAppointmentLetter", text: "Behandlingstiden er sat i kø." },
    };
  },
});

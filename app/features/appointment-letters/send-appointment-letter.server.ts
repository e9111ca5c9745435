import { z } from "zod";
import { sealedCpr } from "~/access/sealed-column.server";
import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { appointmentWays } from "~/features/patient-messages/ways";
import { findReferralOf, holdReferral, logEvent } from "~/features/referrals/details/messaged-referral.server";
import { refuseOthersEmail } from "~/features/referrals/wizard/patient-email.server";
import { paths } from "~/paths";
import { insertAppointmentLetter } from "./appointment-letter-store.server";

const EMAIL = 0;
const types: readonly number[] = appointmentWays.map(({ value }) => value);

/**
 * 'Send behandlingstid til patient manuelt' (POST /Visits/{id}/appointmentinfo/{n}): the date and time of the operation, by 0 Email, 1 Brev
 * or 2 e-Boks. Throws `emailMissing` (422), `patientEmailTaken` (403), `invalid` with what is missing, and `notInScope`.
 */
export const sendAppointmentLetter = external({
  name: "sendAppointmentLetter",
  permission: "patientMessage.send",
  input: z.object({
    referralId: z.coerce.number().int(),
    appointmentType: z.coerce
      .number<unknown>("Vælg, hvordan behandlingstiden skal sendes.")
      .int()
      .refine((value) => types.includes(value), "Vælg, hvordan behandlingstiden skal sendes."),
  }),
  async prepare(context, { referralId, appointmentType }) {
    const row = await findReferralOf(context.db, context.actor, referralId);
    if (appointmentType !== EMAIL) return;
    if (!row.email) throw new Refusal("emailMissing");
    const cpr = sealedCpr.open(context.portal.secrets, row);
    if (cpr !== null) await refuseOthersEmail(context, { cpr, email: row.email });
  },
  async run(context, { referralId, appointmentType: type }) {
    const { tx, actor, portal, now, auditChange } = context;
    const row = await holdReferral(tx, actor, referralId);
    const way = appointmentWays.find(({ value }) => value === type)!;
    const { outboxId, text } = await queuePatientMessage(context, {
      kind: "appointmentLetter",
      channel: way.channel,
      referral: row,
      field: "appointmentType",
    });
    await insertAppointmentLetter(tx, portal.secrets, { referralId: row.id, outboxId, type, text }, now);
    await logEvent(
      tx,
      actor,
      { referralId: row.id, status: row.status, event: `Behandlingstid i kø (${way.label})` },
      now,
    );
    auditChange([row.id], `appointment letter by ${way.channel}`);
    return {
      to: `${paths.referral(row.id)}#behandlingstid`,
      flash: { tone: "success" as const, formId: "sendAppointmentLetter", text: "Behandlingstiden er sat i kø." },
    };
  },
});

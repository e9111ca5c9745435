import { change, type ChangeContext, external, wholeNumber, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { KindHooks } from "~/features/delivery/port";
import { patientHooks, lockReferralOf } from "~/features/patient-messages/patient-hooks.server";
import {
  queuePatientMessage,
  type Composer,
  composeWays,
  wayField,
} from "~/features/patient-messages/queue-message.server";
import { findLetterMessage, insertAppointmentLetter } from "./appointment-letter-store.server";
import { z } from "zod";
import { sealedCpr } from "~/access/sealed-column.server";
import { appointmentWays } from "~/features/patient-messages/ways";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";
import { refuseOthersEmail } from "~/features/referrals/wizard/save-referrer.server";

/** Queues the appointment letter of a referral whose row is locked. Throws `invalid`, naming the missing data. */
async function queueAppointmentLetter(
  context: ChangeContext,
  row: ReferralRow,
  { type, resendsId }: { type: number; resendsId?: number },
): Promise<void> {
  const { tx, portal, now, auditChange } = context;
  const { channel, label } = appointmentWays.find(({ value }) => value === type)!;
  const { outboxId, text } = await queuePatientMessage(context, {
    kind: "appointmentLetter",
    channel,
    referral: row,
    field: "appointmentType",
    resendsId,
  });
  await insertAppointmentLetter(tx, portal.secrets, { referralId: row.id, outboxId, type, text }, now);
  await logEvent(context, row, `Behandlingstid i kø (${label})`);
  auditChange([row.id], `appointment letter by ${channel}`);
}

export const appointmentLetterHooks: KindHooks = {
  ...patientHooks,
  async resend(context, message, channel) {
    const way = appointmentWays.find((each) => each.channel === channel);
    if (way === undefined) throw new Refusal("invalid");
    const row = await lockReferralOf(context, message);
    await queueAppointmentLetter(context, row, { type: way.value, resendsId: message.id });
  },
};

/** 'Annullér': withdraws an unsent letter. Throws `conflict` once it has begun to leave, and `notInScope`. */
export const withdrawAppointmentLetter = change({
  name: "withdrawAppointmentLetter",
  permission: "patientMessage.send",
  input: z.object({ referralId: wholeNumber, letterId: wholeNumber }),
  async run(context, { referralId, letterId }) {
    const { tx, actor, outbox, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const outboxId = await findLetterMessage(tx, row.id, letterId);
    if (!outboxId || !(await outbox.withdrawMessage(outboxId)))
      throw new Refusal("conflict", {
        text: "Behandlingstiden er ved at blive sendt, eller er sendt, og kan ikke tages tilbage.",
      });
    await logEvent(context, row, "Behandlingstid annulleret");
    auditChange([row.id], "appointment letter withdrawn");
    return succeeded("Behandlingstiden er annulleret.");
  },
});

export const appointmentWaysOf = (portal: Portal, row: ReferralRow, compose: Composer) =>
  composeWays(portal, row, compose, { kind: "appointmentLetter", ways: appointmentWays });

const EMAIL = 0;

/**
 * 'Send behandlingstid til patient manuelt' (POST /Visits/{id}/appointmentinfo/{n}): the date and time of the operation, by 0 Email, 1 Brev
 * or 2 e-Boks. Throws `emailMissing` (422), `patientEmailTaken` (403), `invalid` with what is missing, and `notInScope`.
 */
export const sendAppointmentLetter = external({
  name: "sendAppointmentLetter",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({
    referralId: wholeNumber,
    appointmentType: wayField(appointmentWays, "Vælg, hvordan behandlingstiden skal sendes."),
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
    return succeeded("Behandlingstiden er sat i kø.", { formId: "sendAppointmentLetter" });
  },
});

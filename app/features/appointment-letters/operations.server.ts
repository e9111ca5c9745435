import { change, type ChangeContext, external, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { KindHooks, SettledMessage } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { obstacleTo, queuePatientMessage, type Composer } from "~/features/patient-messages/queue-message.server";
import { findLetterMessage, insertAppointmentLetter } from "./appointment-letter-store.server";
import { z } from "zod";
import { sealedCpr } from "~/access/sealed-column.server";
import { appointmentWays } from "~/features/patient-messages/ways";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";
import { refuseOthersEmail } from "~/features/referrals/wizard/save-referrer.server";

/** Queues the appointment letter of a referral whose row is locked. Throws `invalid`, naming the missing data. */
async function queueAppointmentLetter(
  context: ChangeContext,
  row: ReferralRow,
  { type, resendsId }: { type: number; resendsId?: number },
): Promise<void> {
  const { tx, actor, portal, now, auditChange } = context;
  const { channel, label } = appointmentWays.find(({ value }) => value === type)!;
  const { outboxId, text } = await queuePatientMessage(context, {
    kind: "appointmentLetter",
    channel,
    referral: row,
    field: "appointmentType",
    ...(resendsId === undefined ? {} : { resendsId }),
  });
  await insertAppointmentLetter(tx, portal.secrets, { referralId: row.id, outboxId, type, text }, now);
  await insertVisitLogEntry(
    tx,
    actor,
    { referralId: row.id, status: row.status, event: `Behandlingstid i kø (${label})` },
    now,
  );
  auditChange([row.id], `appointment letter by ${channel}`);
}

export const appointmentLetterHooks: KindHooks = {
  ...patientHooks,
  async resend(context: ChangeContext, { id, referralId }: SettledMessage, channel: ChannelName) {
    const way = appointmentWays.find((each) => each.channel === channel);
    if (way === undefined || referralId === null) throw new Refusal("invalid");
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queueAppointmentLetter(context, row, { type: way.value, resendsId: id });
  },
};

/** 'Annullér': withdraws an unsent letter. Throws `conflict` once it has begun to leave, and `notInScope`. */
export const withdrawAppointmentLetter = change({
  name: "withdrawAppointmentLetter",
  permission: "patientMessage.send",
  input: z.object({ referralId: wholeNumber, letterId: wholeNumber }),
  async run({ tx, actor, outbox, now, auditChange }, { referralId, letterId }) {
    const row = await lockReferral(tx, actor, referralId);
    const outboxId = await findLetterMessage(tx, row.id, letterId);
    if (!outboxId || !(await outbox.withdrawMessage(outboxId)))
      throw new Refusal("conflict", {
        text: "Behandlingstiden er ved at blive sendt, eller er sendt, og kan ikke tages tilbage.",
      });
    await insertVisitLogEntry(
      tx,
      actor,
      { referralId: row.id, status: row.status, event: "Behandlingstid annulleret" },
      now,
    );
    auditChange([row.id], "appointment letter withdrawn");
    return { flash: { tone: "success", text: "Behandlingstiden er annulleret." } };
  },
});

export async function appointmentWaysOf(portal: Portal, row: ReferralRow, compose: Composer) {
  const messages = await compose(
    row,
    "appointmentLetter",
    appointmentWays.map(({ channel }) => channel),
  );
  return appointmentWays.map(({ value, channel }) => {
    const message = messages.find((each) => each.channel === channel);
    return {
      type: value,
      obstacle: obstacleTo(portal, { kind: "appointmentLetter", channel, namesTime: message?.namesTime }, row),
      subject: message?.subject ?? "",
      body: message?.body ?? "",
      missing: message?.missing ?? [],
    };
  });
}

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
    referralId: wholeNumber,
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
      flash: { tone: "success", formId: "sendAppointmentLetter", text: "Behandlingstiden er sat i kø." },
    };
  },
});

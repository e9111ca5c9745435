import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { KindHooks, SettledMessage } from "~/features/delivery/port";
import { patientHooks } from "~/features/patient-messages/patient-hooks.server";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { appointmentWays } from "~/features/patient-messages/ways";
import {
  lockReferral,
  insertVisitLogEntry,
  type ReferralRow,
} from "~/features/referrals/details/messaged-referral.server";
import { insertAppointmentLetter } from "./appointment-letter-store.server";

/** Queues the letter with the patient's time for a locked referral. Throws `invalid` with what is missing. */
export async function queueAppointmentLetter(
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

/** Hooks of the letter's sending. Resending a failed one uses the present time. */
export const appointmentLetterHooks: KindHooks = {
  ...patientHooks,
  async resend(context: ChangeContext, { id, referralId }: SettledMessage, channel: ChannelName) {
    const way = appointmentWays.find((each) => each.channel === channel);
    if (way === undefined || referralId === null) throw new Refusal("invalid");
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queueAppointmentLetter(context, row, { type: way.value, resendsId: id });
  },
};

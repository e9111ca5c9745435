import type { Tx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedAppointmentLetter } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { MessageText } from "~/features/delivery/templates/default-texts";
import { toMoment } from "~/text/dates";

export async function findLetterMessage(
  tx: Tx,
  referralId: ScopedReferralId,
  letterId: number,
): Promise<number | null | undefined> {
  const row = await tx
    .selectFrom("appointment_letter")
    .select("outbox_id")
    .where("id", "=", letterId)
    .where("referral_id", "=", referralId)
    .executeTakeFirst();
  return row?.outbox_id;
}

export async function insertAppointmentLetter(
  tx: Tx,
  secrets: Secrets,
  letter: { referralId: ScopedReferralId; outboxId: number; type: number; text: MessageText },
  now: Date,
): Promise<void> {
  const { referralId, outboxId, type, text } = letter;
  await tx
    .insertInto("appointment_letter")
    .values({
      referral_id: referralId,
      outbox_id: outboxId,
      appointment_type: type,
      status: 0,
      send_date: null,
      ...sealedAppointmentLetter.seal(secrets, `${text.subject}\n\n${text.body}`),
      created_at: toMoment(now),
    })
    .execute();
}

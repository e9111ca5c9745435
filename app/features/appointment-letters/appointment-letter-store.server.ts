import type { Tx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedAppointmentLetter } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { MessageText } from "~/features/delivery/templates/message-templates";
import { toMoment } from "~/text/dates";

export async function findLetterMessage(
  tx: Tx,
  referralId: ScopedReferralId,
  letterId: number,
): Promise<number | null | undefined> {
  const row = await tx
    .selectFrom("appointmentLetter")
    .select("outboxId")
    .where("id", "=", letterId)
    .where("referralId", "=", referralId)
    .executeTakeFirst();
  return row?.outboxId;
}

export async function insertAppointmentLetter(
  tx: Tx,
  secrets: Secrets,
  letter: { referralId: ScopedReferralId; outboxId: number; type: number; text: MessageText },
  now: Date,
): Promise<void> {
  const { referralId, outboxId, type, text } = letter;
  await tx
    .insertInto("appointmentLetter")
    .values({
      referralId,
      outboxId,
      appointmentType: type,
      status: 0,
      sendDate: null,
      ...sealedAppointmentLetter.seal(secrets, `${text.subject}\n\n${text.body}`),
      createdAt: toMoment(now),
    })
    .execute();
}

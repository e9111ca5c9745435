import type { ChangeContext } from "~/access/operation.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { fillPlaceholders, noValues } from "~/features/delivery/templates/placeholders";
import { readText } from "~/features/delivery/templates/read-text.server";
import { findStaffMail } from "~/features/messages/message-mail.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { paths } from "~/paths";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { fromMoment, showDay } from "~/text/dates";
import type { ParkingContent } from "./parking-content.server";
import { countReceipts, countWithheld, insertReceipt } from "./parking-store.server";

/** Daily limits to one number and in total, because anybody may type any number. */
const TO_NUMBER = 2;
export const RECEIPTS_A_DAY = 200;

interface Receipt {
  booking: { id: number; reference: string };
  today: string;
  withheld: number;
}

/** Sends a receipt within the day's limits; staff are notified when they are used up. */
export async function sendReceipt(
  context: ChangeContext,
  content: ParkingContent,
  { booking, today, withheld }: Receipt,
): Promise<void> {
  const { tx, outbox, portal } = context;
  const sent = await countReceipts(tx, today, portal.secrets.lookups("phone", content.number));
  if (sent.toNumber >= TO_NUMBER) return;
  if (sent.all >= RECEIPTS_A_DAY) {
    if (withheld === 0) await notifyStaff(context);
    return countWithheld(tx, today);
  }
  const text = await readText(tx, "parkingReceipt", "sms");
  const { clinicName, phone } = await readLetterhead(tx, portal.config);
  const outboxId = await outbox.sms({
    kind: "parkingReceipt",
    to: content.number,
    text: fillPlaceholders(text!.body, {
      ...noValues,
      nummerplade: content.plate || "ikke oplyst",
      parkeringsdato: showDay(content.day),
      referencenr: booking.reference,
      klinik: clinicName,
      telefon: phone,
    }),
    expiresAt: fromMoment(startOfDay(addDays(content.day, 1))),
  });
  const numberHash = portal.secrets.lookup("phone", content.number);
  await insertReceipt(tx, { bookingId: booking.id, outboxId, numberHash, day: today });
}

async function notifyStaff({ tx, outbox, portal: { config } }: ChangeContext): Promise<void> {
  const to = await findStaffMail(tx);
  if (to === null) return;
  const mail = await composeMail(tx, "parkingLimit", {
    config,
    values: {
      antal: String(RECEIPTS_A_DAY),
      portal: config.productName,
      parkeringslink: `${config.adminOrigin}${paths.parking}`,
    },
  });
  await outbox.email({ kind: "parkingLimit", to, ...mail });
}

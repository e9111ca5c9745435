import type { ChangeContext } from "~/access/operation.server";
import { composeMail, readText } from "~/features/delivery/templates/compose-mail.server";
import { fillPlaceholders, noValues } from "~/features/delivery/templates/placeholders";
import { findStaffMail } from "~/features/messages/message-mail.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { paths } from "~/paths";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { localDate, showDay } from "~/text/dates";
import {
  type ParkingContent,
  claimBooking,
  countReceipts,
  countWithheld,
  findExpectedOn,
  findSameBooking,
  hasReceiptSince,
  insertBooking,
  insertReceipt,
  lockDay,
} from "./parking-store.server";
import { randomInt } from "node:crypto";
import type { Person } from "~/access/actor";
import { toE164 } from "~/text/phone";
import { checkDay } from "./parking-form.schema.server";
import { takesReceipt } from "./plate";

/** Daily limits to one number and in total, because anybody may type any number. */
const TO_NUMBER = 2;
export const RECEIPTS_A_DAY = 200;

interface Receipt {
  booking: { id: number; reference: string };
  today: string;
  withheld: number;
}

/** Sends a receipt within the day's limits; staff are notified when they are used up. */
async function sendReceipt(
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
    expiresAt: new Date(startOfDay(addDays(content.day, 1))),
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

interface Wanted {
  licensePlate: string;
  mobilePhone: string;
  bookingDateTime: string;
}

const SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const REFERENCE_LENGTH = 8;
const SAME_PRESS_MS = 10 * 60_000;

/**
 * Books parking for a day and sends an SMS receipt. A plate, day and number have one booking: repeated, it is unchanged
 * and the receipt is sent again (for the public not within ten minutes, and only to some countries:
 * plate.ts); staff take it over. Staff's booking is linked to the one patient with a time that day and that
 * number. Throws `invalid` for a past day.
 */
export async function makeBooking(context: ChangeContext, wanted: Wanted, staff: Person | null): Promise<void> {
  const { tx, portal, now } = context;
  checkDay(wanted.bookingDateTime, now);
  const content: ParkingContent = {
    day: wanted.bookingDateTime,
    plate: wanted.licensePlate,
    phone: wanted.mobilePhone,
    number: toE164(wanted.mobilePhone)!,
  };
  const today = localDate(now);
  const withheld = await lockDay(tx, today);
  const referralId = staff === null ? null : await findPatient(context, content);
  const same = await findSameBooking(tx, portal.secrets, content);
  if (same && staff) await claimBooking(tx, same.id, { referralId, userId: staff.id });
  const booking = same ?? (await insertNew(context, content, { referralId, userId: staff?.id ?? null }));
  context.auditChange(referralId === null ? [] : [referralId]);
  if (staff === null && !takesReceipt(content.number)) return;
  if (same && staff === null && (await hasReceiptSince(tx, same.id, new Date(now.getTime() - SAME_PRESS_MS)))) return;
  await sendReceipt(context, content, { booking, today, withheld });
}

async function insertNew(
  { tx, portal, now }: ChangeContext,
  content: ParkingContent,
  by: { referralId: number | null; userId: number | null },
): Promise<{ id: number; reference: string }> {
  for (;;) {
    const reference = Array.from({ length: REFERENCE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join("");
    const id = await insertBooking(tx, portal.secrets, { content, reference, ...by }, now);
    if (id !== null) return { id, reference };
    const same = await findSameBooking(tx, portal.secrets, content);
    if (same) return same;
  }
}

/** The referral of the visit; null if none or several match. */
async function findPatient({ tx, actor }: ChangeContext, { day, number }: ParkingContent): Promise<number | null> {
  const expected = await findExpectedOn(tx, actor, day);
  const found = expected.filter(({ mobile_phone }) => mobile_phone !== null && toE164(mobile_phone) === number);
  const isOnePerson = new Set(found.map(({ id, cpr_hash }) => cpr_hash ?? id)).size === 1;
  return isOnePerson ? found[0]!.id : null;
}

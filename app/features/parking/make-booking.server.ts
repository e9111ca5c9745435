import { randomInt } from "node:crypto";
import type { ChangeContext } from "~/access/operation.server";
import type { Person } from "~/access/actor";
import { localDate } from "~/text/dates";
import { toE164 } from "~/text/phone";
import { checkDay } from "./parking-form.schema.server";
import type { ParkingContent } from "./parking-content.server";
import {
  findExpectedOn,
  findSameBooking,
  hasReceiptSince,
  insertBooking,
  lockDay,
  claimBooking,
} from "./parking-store.server";
import { takesReceipt } from "./receipt-countries";
import { sendReceipt } from "./send-receipt.server";

interface Wanted {
  licensePlate: string;
  mobilePhone: string;
  bookingDateTime: string;
}

/** Without characters that look alike. */
const SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const REFERENCE_LENGTH = 8;
const SAME_PRESS_MS = 10 * 60_000;

/**
 * Books parking for a day and sends an SMS receipt. A plate, day and number have one booking: repeated, it is unchanged
 * and the receipt is sent again (for the public not within ten minutes, and only to some countries:
 * receipt-countries.ts); staff take it over. Staff's booking is linked to the one patient with a time that day and that
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

import { z } from "zod";
import { randomInt } from "node:crypto";
import {
  change,
  external,
  lookUp,
  read,
  type ReadContext,
  type ChangeContext,
  succeeded,
} from "~/access/operation.server";
import { can } from "~/access/permissions";
import { throttleAddress } from "~/access/throttle.server";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import type { VehicleAnswer } from "~/gateways/vehicle-register/port";
import { momentThere, startOfDay } from "~/text/copenhagen.server";
import { localDate, showDay } from "~/text/dates";
import { toE164 } from "~/text/phone";
import { checkDay, plate, publicParking, staffParking } from "./parking-form.schema.server";
import {
  deleteBookings,
  deleteDaysBefore,
  findBookingsFrom,
  findEndedBefore,
  findWithheld,
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
import { confirmedText, takesReceipt } from "./plate";
import type { Caller } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { addressIn } from "~/access/sites.server";
import type { Config } from "~/config/config.server";
import { composeMail, readText } from "~/features/delivery/templates/compose-mail.server";
import { fillPlaceholders, noValues } from "~/features/delivery/templates/placeholders";
import { findStaffMail } from "~/features/messages/message-mail.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { paths } from "~/paths";
import { addDays } from "~/text/calendar";
import type { Person } from "~/access/actor";

/** The public page: its default day, and whether parking can be booked from this address. */
export const readParkingPage = read({
  name: "readParkingPage",
  permission: "public",
  run: async ({ portal, caller, now }) => ({
    today: localDate(now),
    refusal: isAllowedAddress(portal.config, caller) ? null : refusedAddressText(portal.config),
    canSend: isChannelSet(portal, "sms"),
  }),
});

export type CarInfo = { kind: "found"; text: string } | { kind: "notFound" } | { kind: "unavailable" };

const REGISTERED = "registreret";

/** Formats the register's answer: 'Volkswagen Golf, blå'. Says so if the car is deregistered. */
function carInfo(answer: VehicleAnswer): CarInfo {
  if (answer.kind !== "found") return { kind: answer.kind };
  const { make, model, color, status } = answer.vehicle;
  const name = `${make} ${model}`.trim();
  const words = [name, color.toLowerCase(), status.toLowerCase() === REGISTERED ? "" : status.toLowerCase()];
  return { kind: "found", text: words.filter(Boolean).join(", ") };
}

const inputSchema = z.object({ licensePlate: plate.pipe(z.string().min(1, "Skal udfyldes.")) });

/** Looks a plate up for staff. Throws `addressNotAllowed`. */
export const lookUpCar = lookUp({
  name: "lookUpCar",
  permission: "parking.manage",
  input: inputSchema,
  run: askRegister,
});

/** Looks a plate up for the public. Throws `addressNotAllowed`, and `tooManyAttempts` for an address with many. */
export const lookUpOwnCar = lookUp({
  name: "lookUpOwnCar",
  permission: "public",
  input: inputSchema,
  async run(context, input) {
    await throttleAddress(context.portal, "carLookUp", context.caller.address);
    return askRegister(context, input);
  },
});

async function askRegister({ portal, caller }: ReadContext, { licensePlate }: z.output<typeof inputSchema>) {
  requireAllowedAddress(portal.config, caller);
  return { data: { plate: licensePlate, car: carInfo(await portal.vehicleRegister.find(licensePlate)) } };
}

/** 'Book' by staff. Throws `addressNotAllowed`, and `invalid` for a past day. */
export const bookParking = external({
  name: "bookParking",
  permission: "parking.manage",
  idempotent: true,
  input: staffParking,
  async prepare({ portal, caller }, { licensePlate }) {
    requireAllowedAddress(portal.config, caller);
    return licensePlate === "" ? null : carInfo(await portal.vehicleRegister.find(licensePlate));
  },
  async run(context, input, car) {
    await makeBooking(context, input, context.person);
    const note =
      car?.kind === "found" ? ` (${car.text})` : car?.kind === "notFound" ? ". Nummerpladen kan ikke findes" : "";
    return succeeded(`${confirmedText(input.licensePlate, isChannelSet(context.portal, "sms"))}${note}`, {
      inPage: true as const,
    });
  },
});

const BATCH_SIZE = 500;
const REDACTED_TEXT = "Kvittering for parkering. Nummerplade og mobilnummer er slettet.";

/** Deletes bookings and their receipts the day after. A booking waits until its receipt is settled. */
export const deleteEndedParking = change({
  name: "parking.forget",
  permission: "system",
  async run({ tx, outbox, now }) {
    const today = localDate(now);
    const { ids, receipts } = await findEndedBefore(tx, today, BATCH_SIZE);
    const redacted = new Set(
      await outbox.redactSms(
        receipts.map(({ outboxId }) => outboxId),
        REDACTED_TEXT,
      ),
    );
    const waiting = new Set(
      receipts.filter(({ outboxId }) => !redacted.has(outboxId)).map(({ bookingId }) => bookingId),
    );
    await deleteBookings(
      tx,
      ids.filter((id) => !waiting.has(id)),
    );
    await deleteDaysBefore(tx, today);
    return { data: { forgotten: ids.length - waiting.size } };
  },
});

const MAX_ROWS = 1_000;

/**
 * At most 1,000 bookings from today on (GET /Parking/active-bookings); `isCut` if there are more. `start` and `end` of
 * the Copenhagen day are in UTC.
 */
export const listParking = read({
  name: "listParking",
  permission: "parking.manage",
  async run({ db, actor, portal, now, auditRead }) {
    const today = localDate(now);
    const rows = await findBookingsFrom(db, portal.secrets, actor, { day: today, limit: MAX_ROWS + 1 });
    const bookings = rows.slice(0, MAX_ROWS).map(({ referralId, day, ...booking }) => ({
      ...booking,
      referralId: referralId as number | null,
      start: momentThere(day, 0, 0).toISOString(),
      end: momentThere(day, 23, 59).toISOString(),
    }));
    auditRead(bookings.flatMap((booking) => booking.referralId ?? []));
    return {
      today,
      bookings,
      isCut: rows.length > MAX_ROWS,
      receipts: { limit: RECEIPTS_A_DAY, withheld: await findWithheld(db, today) },
      register: { label: portal.vehicleRegister.label, isReal: portal.vehicleRegister.isReal },
      canSend: isChannelSet(portal, "sms"),
      publicOrigin: portal.config.publicOrigin,
    };
  },
});

/**
 * 'BEKRÆFT PARKERING': the answer does not reveal whether the booking existed. An unknown plate must be confirmed once.
 * Throws `addressNotAllowed`, `tooManyAttempts`, and `invalid` for a past day.
 */
export const registerCar = external({
  name: "registerCar",
  permission: "public",
  input: publicParking,
  async prepare(
    { portal, caller, actor, now },
    { licensePlate, notFoundPlate, bookingDateTime },
  ): Promise<CarInfo | null> {
    requireAllowedAddress(portal.config, caller);
    if (!can(actor, "parking.manage")) await throttleAddress(portal, "parkingBooking", caller.address);
    checkDay(bookingDateTime, now);
    if (licensePlate === "" || licensePlate === notFoundPlate) return null;
    return carInfo(await portal.vehicleRegister.find(licensePlate));
  },
  async run(context, input, car) {
    const { actor } = context;
    if (car?.kind === "notFound") return { data: { plate: input.licensePlate, car } };
    const staff = actor.kind === "person" && can(actor, "parking.manage") ? actor : null;
    await makeBooking(context, input, staff);
    const isReceived = staff !== null || takesReceipt(toE164(input.mobilePhone)!);
    return { data: { booked: input.licensePlate, car, takesReceipt: isReceived } };
  },
});

const isAllowedAddress = ({ parkingIpAllow }: Config, { address }: Pick<Caller, "address">) =>
  addressIn(parkingIpAllow, address);

const refusedAddressText = ({ supportEmail }: Config) =>
  `Du kan desværre ikke bruge parkerings-appen. Din IP adresse er ikke whitelistet. Kontakt ${supportEmail} hvis du har spørgsmål.`;

/** Parking can be booked only from `PARKING_IP_ALLOW`. Throws `addressNotAllowed`. */
function requireAllowedAddress(config: Config, caller: Pick<Caller, "address">): void {
  if (!isAllowedAddress(config, caller)) throw new Refusal("addressNotAllowed", { text: refusedAddressText(config) });
}

/** Daily limits to one number and in total, because anybody may type any number. */
const TO_NUMBER = 2;
const RECEIPTS_A_DAY = 200;

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
    values: { antal: String(RECEIPTS_A_DAY), parkeringslink: `${config.adminOrigin}${paths.parking}` },
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
async function makeBooking(context: ChangeContext, wanted: Wanted, staff: Person | null): Promise<void> {
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
  const found = expected.filter(({ mobilePhone }) => mobilePhone !== null && toE164(mobilePhone) === number);
  const isOnePerson = new Set(found.map(({ id, cprHash }) => cprHash ?? id)).size === 1;
  return isOnePerson ? found[0]!.id : null;
}

import { z } from "zod";
import { change, external, lookUp, read, type ReadContext } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { throttleAddress } from "~/access/throttle.server";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import type { VehicleAnswer } from "~/gateways/vehicle-register/port";
import { momentThere } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import { toE164 } from "~/text/phone";
import { makeBooking, RECEIPTS_A_DAY } from "./make-booking.server";
import { checkDay, plate, publicParking, staffParking } from "./parking-form.schema.server";
import {
  deleteBookings,
  deleteDaysBefore,
  findBookingsFrom,
  findEndedBefore,
  findWithheld,
} from "./parking-store.server";
import { confirmedText, takesReceipt } from "./plate";
import type { Caller } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { addressIn } from "~/access/sites.server";
import type { Config } from "~/config/config.server";

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
    return {
      flash: {
        tone: "success",
        inPage: true as const,
        text: `${confirmedText(input.licensePlate, isChannelSet(context.portal, "sms"))}${note}`,
      },
    };
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

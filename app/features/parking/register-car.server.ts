import { external } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { throttleAddress } from "~/access/throttle.server";
import { requireAllowedAddress } from "./allowed-address.server";
import { type CarInfo, carInfo } from "./look-up-car.server";
import { makeBooking } from "./make-booking.server";
import { takesReceipt } from "./receipt-countries";
import { toE164 } from "~/text/phone";
import { checkDay, publicParking } from "./parking-form.schema.server";

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

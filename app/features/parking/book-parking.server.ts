import { external } from "~/access/operation.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { requireAllowedAddress } from "./allowed-address.server";
import { carInfo } from "./look-up-car.server";
import { makeBooking } from "./make-booking.server";
import { staffParking } from "./parking-form.schema.server";
import { confirmedText } from "./plate";

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
        tone: "success" as const,
        inPage: true as const,
        text: `${confirmedText(input.licensePlate, isChannelSet(context.portal, "sms"))}${note}`,
      },
    };
  },
});

import { z } from "zod";
import { read } from "~/access/operation.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { localDate } from "~/text/dates";
import { isAllowedAddress, refusedAddressText } from "./allowed-address.server";

/** The public page: its default day, and whether parking can be booked from this address. */
export const readParkingPage = read({
  name: "readParkingPage",
  permission: "public",
  input: z.object({}),
  run: async ({ portal, caller, now }) => ({
    today: localDate(now),
    refusal: isAllowedAddress(portal.config, caller) ? null : refusedAddressText(portal.config),
    canSend: isChannelSet(portal, "sms"),
  }),
});

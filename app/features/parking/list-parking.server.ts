import { z } from "zod";
import { read } from "~/access/operation.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { momentThere } from "~/text/copenhagen.server";
import { localDate } from "~/text/dates";
import { findBookingsFrom, findWithheld } from "./parking-store.server";
import { RECEIPTS_A_DAY } from "./send-receipt.server";

/** The list has no pages; more bookings than any car park holds are abuse. */
const MAX_ROWS = 1_000;

/** Bookings from today on, and the page's notices. */
export const listParking = read({
  name: "listParking",
  permission: "parking.manage",
  input: z.object({}),
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

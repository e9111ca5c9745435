import type { SerializeFrom } from "@remix-run/node";
import { paths } from "~/paths";
import { showDateTime, showDay } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
export type BookingRow = ReturnType<typeof presentBooking>;

const MISSING = "--";
const MISSING_DATE = "--.--";

export const presentParking = ({ today, bookings, isCut, receipts, register, canSend, publicOrigin }: Values) => ({
  today: showDay(today),
  firstDay: today,
  publicPage: `${publicOrigin}${paths.bookParking}`,
  register: register.isReal ? null : `Opslag i køretøjsregistret: ${register.label}.`,
  noReceipts: canSend ? null : "SMS: Ikke indstillet. Der sendes ingen kvitteringer for parkering.",
  limit:
    receipts.withheld === 0
      ? null
      : `Der er i dag sendt ${receipts.limit} kvitteringer for parkering, som er det højeste på én dag. ${receipts.withheld} er ikke sendt.`,
  cut: isCut ? `Her står de første ${bookings.length} bookinger.` : null,
  bookings: bookings.map(presentBooking),
});

function presentBooking({
  id,
  reference,
  plate,
  phone,
  referralId,
  cpr,
  operationDate,
  start,
  end,
}: Values["bookings"][number]) {
  return {
    id,
    cpr: cpr ?? MISSING,
    referral: referralId === null ? null : paths.referral(referralId),
    plate: plate || MISSING,
    phone: phone || MISSING,
    reference,
    operationDate: { text: operationDate === null ? MISSING_DATE : showDay(operationDate), iso: operationDate },
    start: { text: showDateTime(start), iso: start },
    end: { text: showDateTime(end), iso: end },
  };
}

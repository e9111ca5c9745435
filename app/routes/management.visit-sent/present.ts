import type { SerializeFrom } from "@remix-run/node";
import { showDate } from "~/text/dates";
import type { loader } from "./route";

type Receipt = NonNullable<SerializeFrom<typeof loader>["receipt"]>;

/** The receipt of a referral that was sent, in words. */
export const presentReceipt = ({ sentAt, desiredTreatment, ...receipt }: Receipt) => ({
  ...receipt,
  sentOn: showDate(sentAt),
  desiredTreatment: desiredTreatment ?? "",
});

import type { SerializeFrom } from "@remix-run/node";
import { callTypes, labelOf, radiographsSendTypes } from "~/features/referrals/model/referral";
import { awaitedText } from "~/features/referrals/model/missing-texts";
import { usualWaitText } from "~/features/statistics/usual-wait-text";
import { showDateTime } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
type Receipt = NonNullable<Values["receipt"]>;

const callSteps: Readonly<Record<number, string>> = {
  0: "Patienten ringer selv til klinikken og aftaler en tid.",
  1: "Patienten har allerede en tid.",
  2: "Klinikken indkalder patienten.",
};

/** Post, and encrypted mail or EDI: images still to be sent. */
const SENT_OTHERWISE = [1, 2];

/** The receipt of a sent referral as text. */
export function presentReceipt({ sentAt, desiredTreatment, ...receipt }: Receipt, usualWaits: Values["usualWaits"]) {
  const wait = usualWaitText(usualWaits.filter(({ urgency }) => urgency === receipt.referenceType));
  return {
    ...receipt,
    sentOn: showDateTime(sentAt),
    desiredTreatment: desiredTreatment ?? "",
    next: [
      ...(receipt.awaitedFiles > 0
        ? [`${awaitedText(receipt.awaitedFiles)}, som følger efter. Lad vinduet stå åbent.`]
        : []),
      ...(SENT_OTHERWISE.includes(receipt.radiographsSendType)
        ? [`Husk billederne: ${labelOf(radiographsSendTypes, receipt.radiographsSendType).toLowerCase()}.`]
        : []),
      "Klinikken læser henvisningen og visiterer den.",
      `${callSteps[receipt.callType] ?? `${labelOf(callTypes, receipt.callType)}.`}${wait ? ` ${wait}` : ""}`,
      receipt.isNotified
        ? "Du får en mail, når sagens status ændres, og kan følge den i oversigten."
        : "Du kan følge henvisningen i oversigten.",
    ],
  };
}

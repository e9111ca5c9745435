import type { SerializeFrom } from "@remix-run/node";
import { presentWays } from "~/components/patient-message/present-ways";
import { callUpWays } from "~/features/patient-messages/ways";
import { callUpNotice, callUpState, callUpTypeLabel } from "~/features/referrals/details/sent-items";
import type { OpenCallUp } from "~/features/call-ups/read-open-call-up.server";
import { showDateTime, showShortDateTime } from "~/text/dates";

const WITHDRAWN = { label: "Annulleret", tone: "closed", icon: "closed" } as const;

export type ShownCallUp = ReturnType<typeof presentCallUp>;

const LIKELIEST = [3, 2, 0, 1];

export const contactLabels = {
  patientAddress: "Adresse",
  patientZip: "Postnr.",
  patientCity: "By",
  patientMobilePhone: "Mobil",
  patientPhone: "Telefon",
  patientEmail: "E-mail",
  incallComment: "Kommentar",
};

export function presentCallUp(callUp: SerializeFrom<OpenCallUp>) {
  const failed = new Set(
    callUp.log
      .filter(({ status, outcome }) => status !== 3 && status !== 1 && outcome !== "withdrawn")
      .map(({ type }) => type),
  );
  const ways = presentWays(callUp.ways, callUpWays, {
    print: letterHint(
      callUp.ways.some(({ wasProtected }) => wasProtected),
      callUp.printsInHouse,
    ),
  });
  const possible = LIKELIEST.flatMap((type) => ways.find((way) => way.type === type && way.isPossible) ?? []);
  const contact = {
    patientAddress: callUp.contact.address ?? "",
    patientZip: callUp.contact.zip ?? "",
    patientCity: callUp.contact.city ?? "",
    patientMobilePhone: callUp.contact.mobilePhone ?? "",
    patientPhone: callUp.contact.phone ?? "",
    patientEmail: callUp.contact.email ?? "",
    incallComment: callUp.contact.comment ?? "",
  };
  const { modifierName, modifiedAt } = callUp;
  return {
    ...callUp,
    contact,
    saved: (Object.keys(contactLabels) as (keyof typeof contactLabels)[]).map((name) => ({
      label: contactLabels[name],
      value: contact[name],
    })),
    savedBy: modifierName && `gemt af ${modifierName} ${showDateTime(modifiedAt)}`,
    ways,
    chosenType: (possible.find(({ type }) => !failed.has(type)) ?? possible[0])?.type ?? null,
    notice: callUpNotice[callUp.callUpStatus ?? 0] ?? null,
    error: callUp.callUpStatus === 2 || callUp.callUpStatus === 4 ? (callUp.log[0]?.error ?? null) : null,
    awaiting: callUp.awaitingType === null ? null : callUpTypeLabel(callUp.awaitingType),
    wasSent: callUp.log.some(({ status }) => status === 3),
    log: callUp.log.map((entry) => ({
      ...entry,
      type: callUpTypeLabel(entry.type),
      at: showShortDateTime(entry.at),
      state: entry.outcome === "withdrawn" ? WITHDRAWN : callUpState(entry.status),
      detail: entry.error,
    })),
  };
}

function letterHint(wasProtected: boolean, printsInHouse: boolean): string | undefined {
  if (wasProtected) return "Adressen var hemmelig sidste gang. CPR-registret spørges igen";
  return printsInHouse ? "Kommer med i næste brevbunke" : undefined;
}

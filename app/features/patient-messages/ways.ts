import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { toE164 } from "~/text/phone";

export const callUpWays = [
  { value: 0, label: "Email", channel: "email" },
  { value: 1, label: "Brev", channel: "print" },
  { value: 2, label: "SMS", channel: "sms" },
  { value: 3, label: "e-Boks", channel: "eboks" },
] as const satisfies readonly Way[];

/** Channels of an appointment letter: no SMS, and numbers other than those of call-ups. */
export const appointmentWays = [
  { value: 0, label: "Email", channel: "email" },
  { value: 1, label: "Brev", channel: "print" },
  { value: 2, label: "e-Boks", channel: "eboks" },
] as const satisfies readonly Way[];

/** Links to files go only where the patient alone reads. */
export const linkWays = [
  { value: 0, label: "e-Boks", channel: "eboks" },
  { value: 1, label: "SMS", channel: "sms" },
] as const satisfies readonly Way[];

export interface Way {
  value: number;
  label: string;
  channel: ChannelName;
}

export type Obstacle = CaseObstacle | "notConfigured" | ContactObstacle;

type CaseObstacle = "closed" | "declined" | "noTime" | "inTu" | "timeCancelled" | "timeOver";

type ContactObstacle =
  | "isTest"
  | "noEmail"
  | "noMobilePhone"
  | "wrongMobilePhone"
  | "withoutEboks"
  | "under15"
  | "replacementCpr"
  | "noCpr"
  | "noAddress";

export const obstacleTexts: Readonly<Record<Obstacle, string>> = {
  closed: "Henvisningen er afsluttet",
  declined: "Patienten ønsker ikke behandlingen",
  noTime: "Henvisningen har ingen tid",
  inTu: "Henvisningen har TU-status",
  timeCancelled: "Tiden er aflyst",
  timeOver: "Tiden er begyndt eller overstået",
  notConfigured: "Ikke indstillet",
  isTest: "Testhenvisninger sendes kun som e-mail og SMS",
  noEmail: "Der er ingen e-mail",
  noMobilePhone: "Der er intet mobilnummer",
  wrongMobilePhone: "Mobilnummeret er ikke et telefonnummer",
  withoutEboks: "Ikke tilmeldt e-Boks",
  under15: "Under 15 år: e-Boks går til barnet selv",
  replacementCpr: "Erstatnings-CPR kan ikke få e-Boks",
  noCpr: "CPR-nummeret kan ikke læses",
  noAddress: "Adresse, postnr. eller by mangler",
};

export interface PatientContact {
  cpr: string | null;
  firstName: string;
  lastName: string;
  address: string | null;
  zip: string | null;
  city: string | null;
  mobilePhone: string | null;
  email: string | null;
  isWithoutEboks: boolean;
  /** Below the age of Digital Post; the parents are written to. */
  isUnder15: boolean;
  isTest: boolean;
}

/** Texts that registers and dental software write instead of an address. */
const NO_ADDRESS = /^\W*(uden fast (bopæl|adresse)|kildeskattepligtig|adresse ukendt|ukendt adresse)\b/i;

/** The recipient by channel: an e-mail address, number, CPR number, or postal address lines. */
export function recipientOf(
  channel: ChannelName,
  patient: PatientContact,
): { to: string } | { obstacle: ContactObstacle } {
  const { cpr, email, mobilePhone } = patient;
  if (channel === "email") return email ? { to: email } : { obstacle: "noEmail" };
  if (channel === "sms") {
    if (!mobilePhone) return { obstacle: "noMobilePhone" };
    const to = toE164(mobilePhone);
    return to === null ? { obstacle: "wrongMobilePhone" } : { to };
  }
  if (patient.isTest) return { obstacle: "isTest" };
  if (channel === "eboks") {
    if (patient.isWithoutEboks) return { obstacle: "withoutEboks" };
    if (patient.isUnder15) return { obstacle: "under15" };
    if (cpr === null) return { obstacle: "noCpr" };
    return /^\d{6}-\d{4}$/.test(cpr) ? { to: cpr } : { obstacle: "replacementCpr" };
  }
  const { firstName, lastName, address, zip, city } = patient;
  if (!address || !zip || !city || NO_ADDRESS.test(address)) return { obstacle: "noAddress" };
  const name = `${firstName} ${lastName}`.trim();
  const addressee = patient.isUnder15 ? `Til forældrene til ${name}` : name;
  return { to: [addressee, ...address.split(/\r?\n/), `${zip} ${city}`].join("\n") };
}

import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { toE164 } from "~/text/phone";
import type { ContactObstacle } from "./ways";

export interface PatientContact {
  /** `DDMMYY-XXXX`; null if unreadable. */
  cpr: string | null;
  firstName: string;
  lastName: string;
  address: string | null;
  zip: string | null;
  city: string | null;
  mobilePhone: string | null;
  email: string | null;
  isWithoutEboks: boolean;
  isTest: boolean;
}

/** What registers and dental software write instead of an address. */
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
    if (cpr === null) return { obstacle: "noCpr" };
    return /^\d{6}-\d{4}$/.test(cpr) ? { to: cpr } : { obstacle: "replacementCpr" };
  }
  const { firstName, lastName, address, zip, city } = patient;
  if (!address || !zip || !city || NO_ADDRESS.test(address)) return { obstacle: "noAddress" };
  return { to: [`${firstName} ${lastName}`.trim(), ...address.split(/\r?\n/), `${zip} ${city}`].join("\n") };
}

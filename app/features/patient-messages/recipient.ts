import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { toE164 } from "~/text/phone";
import type { ContactObstacle } from "./ways";

/** The patient data that decides which channels are possible. */
export interface PatientContact {
  /** `DDMMYY-XXXX`; null where it cannot be read. */
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

/** What registers and dental programs write where there is no address. */
const NO_ADDRESS = /^\W*(uden fast (bopæl|adresse)|kildeskattepligtig|adresse ukendt|ukendt adresse)\b/i;

/** Where a message to the patient goes by a channel: an e-mail address, a number, a CPR number, or the lines of a postal address. */
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

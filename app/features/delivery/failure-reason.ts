import type { SendingReason } from "~/gateways/sending/port";

/** Why a message did not leave or arrive: what providers answer, and what the portal itself finds before or after. */
export type FailureReason =
  | SendingReason
  | "otherPatient"
  | "noPatientNamed"
  | "registerSilent"
  | "registerNotConfigured"
  | "dead"
  | "emigrated"
  | "disappeared"
  | "noSuchCpr"
  | "noCpr"
  | "replacementCpr"
  | "withoutEboks"
  | "noEmail"
  | "noMobilePhone"
  | "wrongMobilePhone"
  | "noAddress"
  | "unreadable"
  | "cameBack"
  | "tooLate"
  | "noReport"
  | "fromCopy"
  | "printedElsewhere";

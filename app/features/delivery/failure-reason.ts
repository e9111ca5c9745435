import type { SendingReason } from "~/gateways/sending/port";

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

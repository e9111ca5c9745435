import type { SendingReason } from "~/gateways/sending/port";

/** Outcomes of a message, equal for all channels; lists filter by them. */
export const outcomes = {
  queued: "I kø",
  awaiting: "Afleveret, venter på svar",
  sent: "Sendt",
  failed: "Mislykkedes",
  /** The connection broke while it was sent, or no receipt came: a person must decide. */
  unknown: "Ukendt: kontrollér hos modtageren",
  withdrawn: "Annulleret",
} as const;

export type Outcome = keyof typeof outcomes;

export const SETTLED = ["sent", "failed", "unknown", "withdrawn"] as const satisfies readonly Outcome[];

export const channelNames = ["email", "sms", "eboks", "print", "edi", "archive"] as const;

export type ChannelName = (typeof channelNames)[number];

export const channelLabels: Readonly<Record<ChannelName, string>> = {
  email: "E-mail",
  sms: "SMS",
  eboks: "e-Boks",
  print: "Brev",
  edi: "EDI",
  archive: "Billedarkiv",
};

export type FailureReason =
  | SendingReason
  | "otherPatient"
  | "noPatientNamed"
  | "samePicture"
  | "registerSilent"
  | "registerNotConfigured"
  | "dead"
  | "emigrated"
  | "disappeared"
  | "noSuchCpr"
  | "noCpr"
  | "replacementCpr"
  | "under15"
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

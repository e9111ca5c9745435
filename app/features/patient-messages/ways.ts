import type { ChannelName } from "~/features/delivery/delivery-outcome";

/** The ways to write to a patient, as the API numbers those of a call-up. */
export const callUpWays = [
  { value: 0, label: "Email", channel: "email" },
  { value: 1, label: "Brev", channel: "print" },
  { value: 2, label: "SMS", channel: "sms" },
  { value: 3, label: "e-Boks", channel: "eboks" },
] as const satisfies readonly Way[];

/** The same for a letter with the patient's time: it has no SMS, and other numbers. */
export const appointmentWays = [
  { value: 0, label: "Email", channel: "email" },
  { value: 1, label: "Brev", channel: "print" },
  { value: 2, label: "e-Boks", channel: "eboks" },
] as const satisfies readonly Way[];

/** A link to files goes where only the patient reads it. */
export const linkWays = [
  { value: 0, label: "e-Boks", channel: "eboks" },
  { value: 1, label: "SMS", channel: "sms" },
] as const satisfies readonly Way[];

export interface Way {
  value: number;
  label: string;
  channel: ChannelName;
}

/** Why a patient cannot be written to that way. */
export type Obstacle = CaseObstacle | "notConfigured" | ContactObstacle;

/** What the case or its operation time prevents, whatever the way. */
type CaseObstacle = "closed" | "declined" | "noTime" | "inTu" | "timeCancelled" | "timeOver";

/** What is known of the patient prevents it. */
export type ContactObstacle =
  | "isTest"
  | "noEmail"
  | "noMobilePhone"
  | "wrongMobilePhone"
  | "withoutEboks"
  | "replacementCpr"
  | "noCpr"
  | "noAddress";

/** The same in words, under the way that cannot be chosen and in the answer to who tries all the same. */
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
  replacementCpr: "Erstatnings-CPR kan ikke få e-Boks",
  noCpr: "CPR-nummeret kan ikke læses",
  noAddress: "Adresse, postnr. eller by mangler",
};

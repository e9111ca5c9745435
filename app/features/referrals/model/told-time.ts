import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { showDate } from "~/text/dates";
import { showMoment } from "./operation-moment";

/** How a patient got to know a time: `known` is 'Patienten ved det', `clinic` the clinic's own message of an import. */
export type ToldBy = Extract<ChannelName, "email" | "sms" | "eboks" | "print"> | keyof typeof otherWays;

const otherWays = {
  phone: "pr. telefon",
  answer: "ved sit svar",
  known: "noteret på henvisningen",
  clinic: "af klinikken selv",
  cancelled: "har meldt afbud",
};

const ways: Readonly<Record<ToldBy, string>> = {
  email: "e-mail",
  sms: "SMS",
  eboks: "e-Boks",
  print: "brev",
  ...otherWays,
};

/** The time that a patient was last told. */
export interface ToldTime {
  /** `YYYY-MM-DD HH:MM` in Copenhagen; null if the patient has cancelled, or was given a time that nobody has entered yet. */
  moment: string | null;
  how: ToldBy;
  /** ISO 8601 in UTC. */
  at: string;
}

const shown = (moment: string) => showMoment(moment).replace("kl. ", "kl.\u00a0");

/** What is wrong, in one sentence. Moments are `YYYY-MM-DD HH:MM` in Copenhagen. */
export function toTellText({ moment, how, at }: ToldTime, planned: string | null): string {
  const now = planned === null ? "Nu er der ingen tid." : `Nu er tiden ${shown(planned)}.`;
  if (moment === null) return `Patienten har meldt afbud. ${now}`;
  return `Patienten har fået at vide, at tiden er ${shown(moment)} (${ways[how]} ${showDate(at)}). ${now}`;
}

export const TO_BE_TOLD = "Skal have besked om tiden";

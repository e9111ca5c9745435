import type { ClosingReason } from "./closing";
import {
  AWAITING_MATERIAL,
  AWAITING_TRIAGE,
  CALLED_UP,
  CALLED_UP_AGAIN,
  CLOSED,
  IN_TREATMENT,
  statuses,
} from "./statuses";

/** What decides which sentence about a status is true. */
export interface CaseFacts {
  /** A call-up has left, or the patient got a time by phone. */
  isTold: boolean;
  /** A time is planned, or has been. */
  hasTime: boolean;
  /** A time has been. */
  wasSeen: boolean;
  isHeld: boolean;
  /** A list of what is missing was sent to the referrer. */
  isAsked: boolean;
  closedBecause: ClosingReason | null;
  /** The referrer wrote that it is urgent, and the clinic has judged that it is not. */
  isDowngraded: boolean;
}

const closings: Readonly<Record<ClosingReason, string>> = {
  treated: "Behandlingen er afsluttet.",
  notReached: "Klinikken kunne ikke få fat i patienten. Vurdér selv, om der skal henvises igen.",
  declined: "Patienten ønsker ikke behandlingen.",
  rejected: "Klinikken har afvist henvisningen.",
  duplicate: "Henvisningen er en dublet af en anden.",
};

const SEEN_OR_NOT_MEANT: readonly (ClosingReason | null)[] = ["treated", "duplicate", null];

function closingSentence({ closedBecause: reason, wasSeen }: CaseFacts): string {
  const why = reason === null ? "Sagen er afsluttet." : closings[reason];
  return wasSeen || SEEN_OR_NOT_MEANT.includes(reason) ? why : `Patienten er ikke set. ${why}`;
}

const UNTOLD = "Patienten skal indkaldes.";

/** Sentences in place of a status's usual one, which would not be true. */
const instead: Readonly<Record<number, (facts: CaseFacts) => string | false>> = {
  [AWAITING_TRIAGE]: ({ isHeld }) => isHeld && "Klinikken har modtaget henvisningen.",
  [AWAITING_MATERIAL]: ({ isAsked }) =>
    !isAsked && "Klinikken mangler materiale. Skriv til klinikken, hvis du ikke ved hvad.",
  [CALLED_UP]: ({ isTold }) => !isTold && UNTOLD,
  [CALLED_UP_AGAIN]: ({ isTold }) => !isTold && UNTOLD,
  [IN_TREATMENT]: ({ hasTime }) => !hasTime && "Patienten har et forløb hos klinikken.",
  [CLOSED]: closingSentence,
};

const DOWNGRADED = "Klinikken vurderer, at henvisningen ikke haster.";

/** What a visible status means to the referrer, in sentences that the facts bear out; empty for an unknown value. */
export function statusSentence(visible: number, facts: CaseFacts): string {
  const status = statuses.find(({ value }) => value === visible);
  if (status === undefined) return "";
  const sentence = instead[visible]?.(facts) || status.meaning;
  return facts.isDowngraded && visible !== CLOSED ? `${sentence} ${DOWNGRADED}` : sentence;
}

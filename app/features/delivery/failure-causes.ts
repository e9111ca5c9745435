import type { ChannelName, Outcome } from "./delivery-outcome";
import { type Cause, causes, causesByCode } from "./failure-texts";

interface Failed {
  channel: ChannelName;
  outcome: Outcome;
  /** The number of the channel's list: the eleven states, or the three of SMS. */
  code: number;
  /** A `FailureReason`, as it is stored; null where only the number is known. */
  reason: string | null;
  /** What the provider, the register or the portal said. */
  detail: string | null;
}

/** Why a message did not arrive, in a sentence, and what it means in another; the provider's own answer, where the cause is unknown. */
export function causeOf({ channel, outcome, code, reason, detail }: Failed): Cause & { answer: string | null } {
  const rule = causes.find(
    (each) =>
      (each.outcome === undefined ? outcome === "failed" : each.outcome === outcome) &&
      (each.channel === undefined || each.channel === channel) &&
      (each.reason === undefined || [each.reason].flat().some((known) => known === reason)),
  );
  // The numbers of SMS say no more than that it failed.
  const known = rule ?? (channel === "sms" ? undefined : causesByCode[code]);
  return known
    ? { title: known.title, text: known.text, answer: null }
    : { title: "Fejl", text: "Der blev ikke taget imod den.", answer: detail };
}

/** The same in a few words, for a chip or a line of a log. */
export function failureText(failed: Failed): string {
  const { title, answer } = causeOf(failed);
  return answer ?? title;
}

/** Why nothing leaves through a channel at the moment. */
export function downCause(isTried: boolean, reason: string | null): string {
  if (!isTried) return "De er ikke forsøgt sendt: kontrollér, at portalens job kører.";
  if (reason === "loginRefused") return "Udbyderen godtager ikke portalens login.";
  return "Forbindelsen svarer ikke.";
}

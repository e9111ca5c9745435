import type { ChannelName, Outcome } from "./delivery-outcome";
import { type Cause, causes, causesByCode } from "./failure-texts";

interface Failed {
  channel: ChannelName;
  outcome: Outcome;
  code: number;
  /** A stored `FailureReason`; null where only the number is known. */
  reason: string | null;
  detail: string | null;
}

/**
 * Why a message did not arrive and what that means, a sentence each; with the provider's answer when the cause is
 * unknown.
 */
export function causeOf({ channel, outcome, code, reason, detail }: Failed): Cause & { answer: string | null } {
  const rule = causes.find(
    (each) =>
      (each.outcome === undefined ? outcome === "failed" : each.outcome === outcome) &&
      (each.channel === undefined || each.channel === channel) &&
      (each.reason === undefined || [each.reason].flat().some((known) => known === reason)),
  );
  // SMS states do not tell the cause.
  const known = rule ?? (channel === "sms" ? undefined : causesByCode[code]);
  return known
    ? { title: known.title, text: known.text, answer: null }
    : { title: "Fejl", text: "Der blev ikke taget imod den.", answer: detail };
}

export function failureText(failed: Failed): string {
  const { title, answer } = causeOf(failed);
  return answer ?? title;
}

export function downCause(isTried: boolean, reason: string | null): string {
  if (!isTried) return "De er ikke forsøgt sendt: kontrollér, at portalens job kører.";
  if (reason === "loginRefused") return "Udbyderen godtager ikke portalens login.";
  return "Forbindelsen svarer ikke.";
}

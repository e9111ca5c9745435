import { addMinutes } from "date-fns";
import { STORED_LOCALLY, type SendResult } from "~/gateways/sending/port";
import type { Channel } from "./channels/channel";
import type { Outcome } from "./delivery-outcome";
import type { FailureReason } from "./failure-reason";

/** What is written of a message when an attempt has ended. */
export interface Settlement {
  outcome: Outcome;
  /** Its number in the channel's list of states, as the lists and the API show it. */
  code: number;
  /** What a person reads beside the outcome; null where that says it all. */
  detail: string | null;
  /** Why it did not leave or arrive, where that is known. */
  reason: FailureReason | null;
  /** When it is looked at again; null where nothing more is to be done. */
  nextAt: Date | null;
  reference: string | null;
  /** Not attempted: its check could not be made. */
  isWaiting?: true;
}

type Pacing = Pick<Channel<never>, "codes" | "retryMinutes" | "pollMinutes">;

interface Tried {
  /** How many attempts there have been, this one among them. */
  attempts: number;
  /** What an earlier one may have been sent as. */
  reference: string | null;
}

/** What an attempt's result makes of a message. */
export function settlementOf(channel: Pacing, result: SendResult, tried: Tried, now: Date): Settlement {
  const settle = (outcome: Outcome, more: Partial<Settlement> = {}): Settlement => ({
    outcome,
    code: result.code ?? channel.codes[outcome],
    detail: result.detail || null,
    reason: "reason" in result ? (result.reason ?? null) : null,
    nextAt: null,
    reference: null,
    ...more,
  });
  const inMinutes = (minutes: number) => addMinutes(now, minutes);
  switch (result.outcome) {
    case "sent":
      return settle("sent", {
        detail: result.detail === STORED_LOCALLY ? STORED_LOCALLY : null,
        reference: result.reference ?? null,
      });
    case "accepted":
      return settle("awaiting", {
        detail: null,
        reference: result.reference ?? null,
        nextAt: inMinutes(channel.pollMinutes),
      });
    case "unknown":
      return settle("unknown");
    case "notConfigured":
      return settle("failed", { code: result.code ?? channel.codes.notConfigured });
    case "refused":
      return settle("failed", { detail: result.detail || "Afvist" });
    case "retry": {
      const minutes = channel.retryMinutes[tried.attempts - 1];
      const reference = result.reference ?? null;
      if (minutes !== undefined)
        return settle("queued", { code: channel.codes.queued, nextAt: inMinutes(minutes), reference });
      // One of the attempts may have got through, so the outcome is unknown rather than failed.
      return (reference ?? tried.reference) === null
        ? settle("failed")
        : settle("unknown", { code: channel.codes.unknown });
    }
  }
}

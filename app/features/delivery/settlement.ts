import { addMinutes, differenceInMinutes } from "date-fns";
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
  /** The attempts that this message has used up; absent: as many as before. */
  attempts?: number;
  /** Not attempted: its check could not be made. */
  isWaiting?: true;
}

type Pacing = Pick<Channel<never>, "codes" | "retryMinutes" | "pollMinutes">;

interface Tried {
  /** The attempts before this one. */
  attempts: number;
  /** What an earlier one may have been sent as. */
  reference: string | null;
  createdAt: Date;
}

/** Minutes between two attempts while a provider is away: the longer the message has waited, the more. */
const awayMinutes = (waited: number) => Math.min(15, Math.max(1, waited / 4));

/**
 * What an attempt's result makes of a message. While its provider is away it waits until it expires; what its provider says of the message
 * itself, such as that a mailbox is full, is repeated as often as its channel says.
 */
export function settlementOf(channel: Pacing, result: SendResult, tried: Tried, now: Date): Settlement {
  const attempts = tried.attempts + 1;
  const settle = (outcome: Outcome, more: Partial<Settlement> = {}): Settlement => ({
    outcome,
    code: result.code ?? channel.codes[outcome],
    detail: result.detail || null,
    reason: "reason" in result ? (result.reason ?? null) : null,
    nextAt: null,
    reference: null,
    attempts,
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
      const reference = result.reference ?? null;
      const mayHaveLeft = (reference ?? tried.reference) !== null;
      const queued = { code: channel.codes.queued, reference };
      if (result.isChannelDown === true) {
        const minutes = awayMinutes(differenceInMinutes(now, tried.createdAt));
        // Such an attempt is not counted, so that a message that has surely not left can be withdrawn.
        return settle("queued", {
          ...queued,
          nextAt: inMinutes(minutes),
          attempts: mayHaveLeft ? attempts : tried.attempts,
        });
      }
      const minutes = channel.retryMinutes[tried.attempts];
      if (minutes !== undefined) return settle("queued", { ...queued, nextAt: inMinutes(minutes) });
      return mayHaveLeft ? settle("unknown", { code: channel.codes.unknown }) : settle("failed");
    }
  }
}

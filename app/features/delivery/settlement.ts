import { addMinutes, differenceInMinutes } from "date-fns";
import { STORED_LOCALLY, type SendResult } from "~/gateways/sending/port";
import type { Channel } from "./channels/channel.server";
import type { Outcome, FailureReason } from "./delivery-outcome";

export interface Settlement {
  outcome: Outcome;
  code: number;
  detail: string | null;
  reason: FailureReason | null;
  nextAt: Date | null;
  reference: string | null;
  attempts?: number;
  /** No attempt was made, because the check before it could not be. */
  isWaiting?: true;
}

type Pacing = Pick<Channel<never>, "codes" | "retryMinutes" | "pollMinutes">;

interface Tried {
  attempts: number;
  reference: string | null;
  createdAt: Date;
}

const awayMinutes = (waited: number) => Math.min(15, Math.max(1, waited / 4));

/**
 * Turns an attempt's result into a settlement. While the provider is down a message waits until it expires; a temporary
 * rejection of the message itself is retried as its channel says.
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
        detail: result.notice ?? (result.detail === STORED_LOCALLY ? STORED_LOCALLY : null),
        reference: result.reference ?? null,
      });
    case "accepted":
      return settle("awaiting", {
        detail: result.notice ?? null,
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
        // Not counted as an attempt, so that an unsent message can still be withdrawn.
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

import { LEASE_SECONDS } from "~/features/job-register/operations.server";
import type { AttachedFile, Begin, ConnectingGateway, PollResult, SendResult } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import type { Outcome } from "../delivery-outcome";

export interface OutgoingMessage<Content> {
  key: string;
  /** Like `key` but unique across databases, for providers that remember messages of a former one. */
  globalId: string;
  to: string;
  content: Content;
  file: AttachedFile | null;
}

/** A delivery channel: its pace, its gateway, and the state numbers shown in lists (docs/adding-a-channel.md). */
export interface Channel<Content> {
  concurrency: number;
  /** Renewed while sending; after it expires another worker takes over. */
  leaseSeconds: number;
  timeoutSeconds: number;
  /**
   * Minutes before each retry when the provider rejected the message temporarily; after the last it has failed. While
   * the provider is down, messages wait until they expire.
   */
  retryMinutes: readonly number[];
  pollMinutes: number;
  /** Hours after which an accepted, unreported message counts as unknown. */
  awaitHours(portal: Pick<Portal, "config">): number;
  silentText?: string;
  codes: Readonly<Record<Outcome | "notConfigured", number>>;
  needsFile?: true;
  logType: string | null;
  sender?(portal: Pick<Portal, "config">): string;
  gateway(
    portal: Portal,
  ): Pick<ConnectingGateway<unknown>, "label" | "mode" | "deduplicates" | "connectsFirst" | "poll">;
  send(portal: Portal, message: OutgoingMessage<Content>, signal: AbortSignal, begin: Begin): Promise<SendResult>;
  /** Asks for a message's outcome when the gateway needs more than its key; otherwise the gateway's `poll` is used. */
  poll?(portal: Portal, message: OutgoingMessage<Content>, signal: AbortSignal): Promise<PollResult>;
}

const FOUR_HOURS = [1, 4, 10, 15, 30, 60, 60, 60];

/** The pace of most channels, and the states of letters (`delivery-status.ts`). */
export const usualChannel = {
  concurrency: 1,
  leaseSeconds: LEASE_SECONDS,
  timeoutSeconds: 300,
  retryMinutes: FOUR_HOURS,
  pollMinutes: 0,
  awaitHours: () => 48,
  codes: { queued: 0, awaiting: 2, sent: 3, failed: 9, unknown: 9, withdrawn: 9, notConfigured: 8 },
} as const;

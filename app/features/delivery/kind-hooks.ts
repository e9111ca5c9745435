import type { Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import type { OutboxWriter } from "./outbox-store.server";
import type { ClaimedMessage } from "./claim-store.server";
export type { ClaimedMessage };

import type { ChannelName, Outcome } from "./delivery-outcome";
import type { FailureReason } from "./failure-reason";
import type { Kind } from "./message-kinds";

/**
 * Why a message is not sent now. - `withdrawn`: no longer wanted. `failed`: must not be sent or has no recipient;
 * `code` is its state number. - `wait`: cannot be decided now, e.g. while a register is silent; asked again after the
 * minutes given, without counting as an attempt, and failed after a day.
 */
export type NotNow =
  | { outcome: "withdrawn" | "failed"; detail: string; reason?: FailureReason; code?: number }
  | { outcome: "wait"; detail: string; reason?: FailureReason; minutes: number };

/** The recipient's data has changed since queueing, so the message goes to a new address. */
export interface ChangedRecipient {
  to: string;
}

export interface LetterFile {
  name: string;
  pdf: Buffer;
}

export interface SettledMessage {
  id: number;
  channel: ChannelName;
  kind: Kind;
  referralId: number | null;
  userId: number | null;
  storedFileId: number | null;
}

export const settledMessageOf = (row: {
  id: number;
  channel: string;
  kind: string;
  referral_id: number | null;
  user_id: number | null;
  stored_file_id: number | null;
}): SettledMessage => ({
  id: row.id,
  channel: row.channel as ChannelName,
  kind: row.kind as Kind,
  referralId: row.referral_id,
  userId: row.user_id,
  storedFileId: row.stored_file_id,
});

/** The new outcome with its state number, remark for people, and reason if known. */
export interface NewOutcome {
  outcome: Outcome;
  code: number;
  detail: string | null;
  reason?: FailureReason | null;
  /** Set when a bounce arrives: since when the message had counted as sent. */
  wasSentAt?: string;
}

export interface Settling {
  tx: Tx;
  outbox: OutboxWriter;
  portal: Pick<Portal, "config">;
  now: Date;
}

export interface KindHooks {
  /** Checked just before sending, since days may have passed; `detail` is Danish. Null sends the message. */
  recheck?(portal: Portal, message: ClaimedMessage): Promise<NotNow | ChangedRecipient | null>;
  /** Creates the attached file just before sending, for the recipient at that time. */
  makeFile?(portal: Portal, message: ClaimedMessage): Promise<LetterFile>;
  /**
   * Provides content that is not stored, just before sending and before polling. Null: it is gone; undefined: use the
   * stored content.
   */
  readContent?(portal: Portal, message: ClaimedMessage): Promise<unknown>;
  /** Called for every change of the outcome, in its transaction, whoever settles the message. */
  onSettled?(context: Settling, message: SettledMessage, settlement: NewOutcome): Promise<void>;
  staleTopics?: readonly string[];
  /**
   * Queues a failed message again by this channel, linked by `resendsId`. Absent: cannot be resent from the list of
   * failures. `mayOverlap` allows it while another one is under way. Throws what the kind's operation throws.
   */
  resend?(
    context: ChangeContext,
    message: SettledMessage,
    channel: ChannelName,
    options: { mayOverlap: boolean },
  ): Promise<void>;
  /** Channels by which `resend` would succeed now. Absent: those to the patient that the referral allows. */
  resendWays?(portal: Portal, message: SettledMessage): Promise<ChannelName[]>;
}

export type HooksByKind = Readonly<Record<Kind, KindHooks>>;

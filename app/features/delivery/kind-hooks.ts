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
 * Why a message is not sent now.
 * - `withdrawn`: it is not wanted any more. `failed`: it must not leave, or nobody is there to get it; `code` is the lists' number for it.
 * - `wait`: nobody can say at the moment, as when a register is silent. It is asked about again after so many minutes, which counts as no
 *   attempt, and fails when it has waited for a day.
 */
export type NotNow =
  | { outcome: "withdrawn" | "failed"; detail: string; reason?: FailureReason; code?: number }
  | { outcome: "wait"; detail: string; reason?: FailureReason; minutes: number };

/** It goes, but to another: what is known of the receiver has changed since it was queued. */
export interface ChangedRecipient {
  to: string;
}

/** A file that is made when its message leaves. */
export interface LetterFile {
  name: string;
  pdf: Buffer;
}

/** A message whose outcome has just changed. */
export interface SettledMessage {
  id: number;
  channel: ChannelName;
  kind: Kind;
  referralId: number | null;
  userId: number | null;
  /** The file that leaves, or left, with it. */
  storedFileId: number | null;
}

/** The row of a message as `onSettled` and `resend` take it. */
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

/** What has become of it: the outcome, the channel's number for it, what a person reads beside it, and the reason where it is known. */
export interface NewOutcome {
  outcome: Outcome;
  code: number;
  detail: string | null;
  reason?: FailureReason | null;
  /** It had counted as sent since that moment, and has come back. */
  wasSentAt?: string;
}

/** What a kind has at hand when it follows an outcome: the transaction that writes it, and what may be sent of it. */
export interface Settling {
  tx: Tx;
  outbox: OutboxWriter;
  portal: Pick<Portal, "config">;
  now: Date;
}

/** What a kind of message does around its sending. */
export interface KindHooks {
  /** Asked just before sending, since days may have passed; `detail` is Danish. Null: it is sent. */
  recheck?(portal: Portal, message: ClaimedMessage): Promise<NotNow | ChangedRecipient | null>;
  /** Makes the file of a message that was queued without one, just before it is sent, for its recipient at that time. */
  makeFile?(portal: Portal, message: ClaimedMessage): Promise<LetterFile>;
  /**
   * Says what leaves, where that is not stored with the message: asked just before it is sent, and before its provider is asked about it. Null:
   * it is gone; undefined: what is stored with it stands.
   */
  readContent?(portal: Portal, message: ClaimedMessage): Promise<unknown>;
  /** Follows every change of the outcome, in the transaction that writes it, whoever settles the message: a lane, a receipt, a job or a person. */
  onSettled?(context: Settling, message: SettledMessage, settlement: NewOutcome): Promise<void>;
  /** The cached answers that an outcome makes untrue. */
  staleTopics?: readonly string[];
  /**
   * Queues a message that failed once more, by this channel, as the one that repeats it (`resendsId`). Absent: the kind is not sent again
   * from the list of failures. `mayOverlap`: also while another sending is under way. Throws what the kind's own operation throws.
   */
  resend?(
    context: ChangeContext,
    message: SettledMessage,
    channel: ChannelName,
    options: { mayOverlap: boolean },
  ): Promise<void>;
  /**
   * The channels by which `resend` would go now; none where it would refuse. Absent: it goes to the patient, by the ways that the referral
   * allows.
   */
  resendWays?(portal: Portal, message: SettledMessage): Promise<ChannelName[]>;
}

export type HooksByKind = Readonly<Record<Kind, KindHooks>>;

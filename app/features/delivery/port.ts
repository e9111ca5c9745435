import type { Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation-context.server";
import type { CaptureHeader } from "~/files/dicom/capture-header.server";
import type { Portal } from "~/portal.server";
import type { ChannelName, Outcome, FailureReason } from "./delivery-outcome";
import type { Kind } from "./message-kinds";
import type { Selectable } from "kysely";
import type { Database } from "~db/schema";

export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

export interface SmsContent {
  text: string;
}

export interface LetterContent {
  title: string;
  text: string;
}

export interface EdiContent {
  syntax: "xml" | "edifact";
  text: string;
  attachment?: { before: string; after: string };
  /** Danish; stays with the sending. */
  notice?: string;
}

export interface ArchiveContent {
  storageKey: string;
  mime: string;
  capture: CaptureHeader;
}

export interface ChannelContent {
  email: EmailContent;
  sms: SmsContent;
  eboks: LetterContent;
  print: LetterContent;
  /** Not stored for a letter: the message is built from current data when it is sent. */
  edi: EdiContent | null;
  /** Not stored: read when the image is sent, so that it has the latest patient data. */
  archive: ArchiveContent | null;
}

export interface Envelope {
  kind: Kind;
  to: string;
  referralId?: number;
  userId?: number;
  requestedBy?: number;
  notBefore?: Date;
  expiresAt?: Date;
  storedFileId?: number;
  /** The failed message that this one repeats; each is repeated at most once. */
  resendsId?: number;
  /** Operation time stated to the patient, `YYYY-MM-DD HH:MM` in Copenhagen. */
  operationMoment?: string | null;
}

export type EmailToSend = Envelope & EmailContent;
export type SmsToSend = Envelope & SmsContent;
/** Without a PDF its kind creates one before sending (`makeFile`). */
export type LetterToSend = Envelope & LetterContent;
export type EdiToSend = Envelope & (EdiContent | { storedFileId: number });

export type ImageToSend = Envelope & { storedFileId: number };

/**
 * Queues messages in the caller's transaction; a worker sends them later. `to` is an E.164 number for SMS, a CPR number
 * `DDMMYY-XXXX` for e-Boks, and the receiver's location number for EDI.
 */
export interface OutboxWriter {
  email(message: EmailToSend): Promise<number>;
  emails(messages: EmailToSend[]): Promise<void>;
  sms(message: SmsToSend): Promise<number>;
  eboks(message: LetterToSend): Promise<number>;
  print(message: LetterToSend): Promise<number>;
  edi(message: EdiToSend): Promise<number>;
  archive(message: ImageToSend): Promise<number>;
  /** Withdraws unsent messages of a kind; returns the referrals that had one. */
  withdraw(kind: Kind, referralIds: number[]): Promise<number[]>;
  /** Withdraws unsent messages that state a referral's operation time; returns their kinds. */
  withdrawTimes(referralId: number, detail: string): Promise<Kind[]>;
  withdrawMessage(id: number): Promise<boolean>;
  /**
   * Replaces the text of settled SMS by `text` and deletes their recipients; returns their ids. Others are unchanged.
   */
  redactSms(ids: number[], text: string): Promise<number[]>;
  /** Whether an unsent message needs this referral's files, or one of `storedFileIds`. */
  waitsForFiles(referralId: number, storedFileIds?: readonly number[]): Promise<boolean>;
}

interface ClaimedFile {
  storageKey: string;
  name: string;
  sizeBytes: number;
}

/**
 * An outbox row under this worker's lease. `to` depends on the channel (e-mail address, E.164 number, CPR number
 * `DDMMYY-XXXX`, postal address of several lines, location number); `content` is JSON of the channel's
 * `ChannelContent`. `operationMoment` is `YYYY-MM-DD HH:MM` in Copenhagen. `attempts` counts sendings that have
 * begun; `reference` is the provider's name for the message.
 */
export interface ClaimedMessage {
  id: number;
  channel: ChannelName;
  kind: Kind;
  /** `queued`: to be sent. `awaiting`: accepted by the provider, which is to be asked. */
  outcome: "queued" | "awaiting";
  referralId: number | null;
  userId: number | null;
  storedFileId: number | null;
  operationMoment: string | null;
  /** Empty, like the content, if the encryption key is missing. */
  to: string;
  content: string;
  isUnreadable: boolean;
  file?: ClaimedFile | null;
  attempts: number;
  reference: string | null;
  rowKey: string;
  isExpired: boolean;
  detail: string | null;
  reason: FailureReason | null;
  createdAt: Date;
  /** Since when it waits for a check that cannot be made. */
  waitingSince: Date | null;
  /** A former worker began to send it and never reported the outcome. */
  isInterrupted: boolean;
}

/**
 * Why a message is not sent now. - `withdrawn`: no longer wanted. `failed`: must not be sent or has no recipient;
 * `code` is its state number. - `wait`: cannot be decided now, e.g. while a register is silent; asked again after the
 * minutes given, without counting as an attempt, and failed after a day.
 */
export type NotNow =
  | { outcome: "withdrawn" | "failed"; detail: string; reason?: FailureReason; code?: number }
  | { outcome: "wait"; detail: string; reason?: FailureReason; minutes: number };

export const withdrawn = (detail: string): NotNow => ({ outcome: "withdrawn", detail });

export interface ChangedRecipient {
  to: string;
}

export interface LetterFile {
  name: string;
  pdf: Buffer;
}

/** A message with a final outcome. Ids are plain, since the rows they name may be gone. */
export interface SettledMessage {
  id: number;
  channel: ChannelName;
  kind: Kind;
  referralId: number | null;
  userId: number | null;
  storedFileId: number | null;
  /** Operation time stated to the patient, `YYYY-MM-DD HH:MM` in Copenhagen. */
  operationMoment: string | null;
}

export const settledColumns = [
  "id",
  "channel",
  "kind",
  "referralId",
  "userId",
  "storedFileId",
  "operationMoment",
] as const;

export const settledMessageOf = (
  row: Pick<Selectable<Database["outbox"]>, (typeof settledColumns)[number]>,
): SettledMessage => ({
  id: row.id,
  channel: row.channel as ChannelName,
  kind: row.kind as Kind,
  referralId: row.referralId,
  userId: row.userId,
  storedFileId: row.storedFileId,
  operationMoment: row.operationMoment,
});

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
  makeFile?(portal: Portal, message: ClaimedMessage): Promise<LetterFile>;
  /**
   * Provides content that is not stored, just before sending and before polling. Null: it is gone; undefined: use the
   * stored content.
   */
  readContent?(portal: Portal, message: ClaimedMessage): Promise<unknown>;
  /** Called for every change of the outcome, in its transaction, whether a worker, a receipt or a person settles it. */
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

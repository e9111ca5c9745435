import type { CaptureHeader } from "~/files/dicom/capture-header.server";
import type { AttachedFile, Begin, ConnectingGateway, PollResult, SendResult } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import type { Outcome } from "../delivery-outcome";

export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

export interface SmsContent {
  text: string;
}

/** What a letter is called and what a preview shows of it; the letter itself is the PDF that goes with it. */
export interface LetterContent {
  /** At most 50 characters. */
  title: string;
  text: string;
}

export interface EdiContent {
  syntax: "xml" | "edifact";
  text: string;
  /** Of a letter: its file goes in a message of its own, in Base64 between these two, before the letter; its receiver says later that both came. */
  attachment?: { before: string; after: string };
}

/** Which image goes to the archive, and what is said of it there. */
export interface ArchiveContent {
  storageKey: string;
  mime: string;
  /** Of a picture; a DICOM file says it all itself. */
  capture: CaptureHeader;
}

/** What a message says, by its channel; stored encrypted. */
export interface ChannelContent {
  email: EmailContent;
  sms: SmsContent;
  eboks: LetterContent;
  print: LetterContent;
  /** Of a letter it is not stored: it is made when it leaves, of what is known by then. */
  edi: EdiContent | null;
  /** Not stored: it is read when the image leaves, so that it says what is known of the patient by then. */
  archive: ArchiveContent | null;
}

export interface OutgoingMessage<Content> {
  /** The row's own: a gateway that deduplicates knows the message by it, and a receipt names it. */
  key: string;
  /** Like `key`, but unique across databases: for providers that remember the messages of an earlier one. */
  globalId: string;
  to: string;
  content: Content;
  /** The very file that leaves with it; null where there is none. */
  file: AttachedFile | null;
}

/** One channel: how fast it sends, what its provider is asked, and the state that the lists show (docs/adding-a-channel.md). */
export interface Channel<Content> {
  /** Messages that one process sends at once. */
  concurrency: number;
  /** Renewed while a message is being sent; when it runs out, another worker takes over. */
  leaseSeconds: number;
  /** The time limit of an attempt; after it the outcome is unknown. */
  timeoutSeconds: number;
  /**
   * Minutes until the next attempt after the 1st, 2nd … one that the provider has judged for the moment; past the last the message has failed. While
   * the provider is away a message waits until it expires.
   */
  retryMinutes: readonly number[];
  /** Minutes between two questions about a message that was handed over; only for gateways that can be asked. */
  pollMinutes: number;
  /** Hours after which a message that was handed over and never reported counts as unknown. */
  awaitHours(portal: Pick<Portal, "config">): number;
  /** The text for such a message; by default, that the provider has not answered. */
  silentText?: string;
  /** The number that the lists and the API show for each outcome, and for a channel that is not configured. */
  codes: Readonly<Record<Outcome | "notConfigured", number>>;
  /** What leaves is a PDF: the message's own, or one that its kind makes. */
  needsFile?: true;
  /** How the referral's log marks what was sent this way; null where each message says too little for a line of its own. */
  logType: string | null;
  /** The address that it leaves from, where the log shows one. */
  sender?(portal: Pick<Portal, "config">): string;
  gateway(
    portal: Portal,
  ): Pick<ConnectingGateway<unknown>, "label" | "mode" | "deduplicates" | "connectsFirst" | "poll">;
  send(portal: Portal, message: OutgoingMessage<Content>, signal: AbortSignal, begin: Begin): Promise<SendResult>;
  /** Asks what became of a message, where more than its name is needed for it; else the gateway's own `poll`. */
  poll?(portal: Portal, message: OutgoingMessage<Content>, signal: AbortSignal): Promise<PollResult>;
}

/** Temporary errors are repeated for four hours: a mailbox that is full for a moment, a provider that is being restarted. */
export const FOUR_HOURS = [1, 4, 10, 15, 30, 60, 60, 60];

import type { StoredMessage } from "../sending/embedded-letters.server";
import type { ConnectingGateway } from "../sending/port";

export interface EmailMessage {
  /** From the outbox row, equal at every attempt. */
  key: string;
  from: { name: string; address: string };
  /** Envelope sender for bounces, invisible to the recipient; the sender by default. */
  bounceTo?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface EmailGateway extends ConnectingGateway<EmailMessage> {
  /** Stored messages, newest first; only of an embedded gateway. */
  listStored?(limit: number): Promise<StoredMessage<EmailMessage>[]>;
}

export interface DeliveryReport {
  action: "failed" | "delayed" | "other";
  status: string;
  /** Only the reply's number, because its text may name people. */
  answer: string;
}

export interface ReturnedMail {
  to: string[];
  reports: DeliveryReport[];
  /** A delay, complaint or automatic reply, which says nothing about delivery. */
  isHarmless: boolean;
  text: string;
}

export interface BounceBox {
  /**
   * Passes each bounce on. `done` removes it; `unread` moves it aside for a person. If `take` rejects, the mail stays,
   * the others continue, and the first error is thrown at the end.
   */
  readEach(take: (mail: ReturnedMail, name: string) => Promise<"done" | "unread">): Promise<void>;
}

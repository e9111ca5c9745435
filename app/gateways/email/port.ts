import type { StoredMessage } from "../sending/message-folder.server";
import type { ConnectingGateway } from "../sending/port";

export interface EmailMessage {
  /** The outbox row's id: the same message always carries the same key. */
  key: string;
  from: { name: string; address: string };
  /** Where it comes back to when it cannot be delivered; absent: to the sender. Its receiver does not see it. */
  bounceTo?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface EmailGateway extends ConnectingGateway<EmailMessage> {
  /** What was kept instead of being sent, newest first; only at a gateway that keeps. */
  listStored?(limit: number): Promise<StoredMessage<EmailMessage>[]>;
}

/** What a mail server says of a mail that it had taken on (RFC 3464). */
export interface DeliveryReport {
  action: "failed" | "delayed" | "other";
  /** `5.1.1`; empty where it is not said. */
  status: string;
  /** The answer of the receiver's server, its number alone: the words may name people. */
  answer: string;
}

export interface ReturnedMail {
  /** To whom it came, as the servers on its way have noted. */
  to: string[];
  reports: DeliveryReport[];
  /** It is a delay, a complaint or an automatic answer: it says nothing of whether the mail has arrived. */
  isHarmless: boolean;
  /** Its subject and what people read of it, at most 20,000 characters. */
  text: string;
}

/** Where mail comes back to. */
export interface BounceBox {
  /**
   * Hands over each mail that lies there. `done`: it is removed. `unread`: it is moved aside, for a person to look at. A mail over which
   * `take` rejects stays, the others are handed over, and the first error is thrown then.
   */
  readEach(take: (mail: ReturnedMail, name: string) => Promise<"done" | "unread">): Promise<void>;
}

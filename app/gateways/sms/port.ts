import type { ConnectingGateway } from "../sending/port";

export interface SmsMessage {
  /** The outbox row's: the same message always carries the same key, and its receipts name it. */
  key: string;
  /** At most 11 letters and digits, or a number. */
  sender: string;
  /** E.164, such as `+4512345678`. */
  to: string;
  text: string;
}

/** An event that a provider pushes. A repeated event has the same `eventId`. */
export type SmsEvent =
  | {
      kind: "receipt";
      eventId: string;
      /** The message's own. */ key: string;
      state: "pending" | "delivered" | "failed";
      detail: string;
      reason?: "unreachable" | "expired" | "rejected" | undefined;
    }
  | { kind: "reply"; eventId: string; /** E.164. */ from: string; text: string }
  /** Something that the portal has no use for. */
  | { kind: "other"; eventId: string };

export type Unreadable = "forged" | "stale" | "unreadable";

export interface SmsGateway extends ConnectingGateway<SmsMessage> {
  /**
   * What stands in a request to the webhook; only where one is configured. The signature is checked before anything is read.
   * @param body as it came over the wire
   * @param headers of the request: which of them holds the signature the gateway knows
   */
  readEvent?(body: Buffer, headers: Headers, now: Date): SmsEvent | Unreadable;
}

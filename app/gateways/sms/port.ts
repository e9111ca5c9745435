import type { ConnectingGateway } from "../sending/port";

export interface SmsMessage {
  key: string;
  /** At most 11 letters and digits, or a number. */
  sender: string;
  /** E.164, such as `+4512345678`. */
  to: string;
  text: string;
}

/** A pushed event; repetitions have the same `eventId`. */
export type SmsEvent =
  | {
      kind: "receipt";
      eventId: string;
      key: string;
      state: "pending" | "delivered" | "failed";
      detail: string;
      reason?: "unreachable" | "expired" | "rejected";
    }
  | { kind: "reply"; eventId: string; from: string; text: string }
  /** Not used by the portal. */
  | { kind: "other"; eventId: string };

export type Unreadable = "forged" | "stale" | "unreadable";

export interface SmsGateway extends ConnectingGateway<SmsMessage> {
  /**
   * Reads a webhook request; absent without one. The signature is checked first. @param body raw bytes @param headers
   * of the request
   */
  readEvent?(body: Buffer, headers: Headers, now: Date): SmsEvent | Unreadable;
}

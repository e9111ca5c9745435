import type { StoredBytes } from "../file-store/port";

export type SendingReason =
  | "noConnection"
  | "loginRefused"
  | "notConfigured"
  | "fileMissing"
  | "unreachable"
  | "expired"
  | "rejected"
  | "noMailbox"
  | "mailboxFull"
  | "mailTooBig"
  | "mailRefused"
  | "receiverDelays"
  | "returned"
  | "archiveKnowsNoPortal"
  | "archiveFull"
  | "archiveRefusesFile"
  | "archivedForAnother"
  | "archiveSilent";

/**
 * Result of sending. - `sent`: sent, nothing more will be reported. `accepted`: the provider has it and reports later.
 * - `retry`: not sent, try later; `isChannelDown`: no message can be sent now. With a `reference` (deduplicating
 * gateways) it may have been sent, and repeating is safe. - `refused`: never sent. `notConfigured`: no provider. -
 * `unknown`: may have been sent; a person decides, never repeated automatically. `isChannelDown`: the next message
 * would be in the same doubt. `detail` is the provider's answer, `reason` the portal's interpretation, `code` a
 * specific state number; for `retry` both count after the last attempt. `notice`: what staff should know of it, kept.
 */
export type SendResult =
  | { outcome: "sent" | "accepted"; detail: string; notice?: string; reference?: string; code?: number }
  | {
      outcome: "retry";
      detail: string;
      reason?: SendingReason;
      isChannelDown?: boolean;
      code?: number;
      reference?: string;
    }
  | {
      outcome: "unknown";
      detail: string;
      reason?: SendingReason;
      isChannelDown?: boolean;
      code?: number;
    }
  | {
      outcome: "refused" | "notConfigured";
      detail: string;
      reason?: SendingReason;
      code?: number;
    };

/** Later report on an accepted message: arrived, failed, or null for nothing new. */
export type PollResult =
  | { outcome: "sent"; detail: string; code?: number }
  | { outcome: "refused"; detail: string; reason?: SendingReason; code?: number }
  | null;

export const STORED_LOCALLY = "Prøve: gemt på denne maskine, ikke sendt";

/** Fails at once and is not retried. */
export const NOT_CONFIGURED = "Ikke indstillet";

/** `embedded`: kept on this machine and marked so wherever shown. `batch`: waits until a person prints it. */
type GatewayMode = "live" | "embedded" | "batch" | "notConfigured";

export interface AttachedFile {
  name: string;
  sizeBytes: number;
  /** A new stream from the start. Rejects if the file is missing. */
  open(): Promise<StoredBytes>;
}

/**
 * Commits that the message may have been sent from now on. Rejects if another worker holds it or the database fails;
 * then it must not be sent.
 */
export type Begin = () => Promise<void>;

export interface SendingGateway<Message> {
  label: string;
  mode: GatewayMode;
  /** Whether a repeated key is delivered once. */
  deduplicates: boolean;
  send(message: Message, signal: AbortSignal): Promise<SendResult>;
  poll?(message: { key: string; reference: string | null }, signal: AbortSignal): Promise<PollResult>;
}

/** A provider without deduplication: failures before and after the message was on its way must be distinguished. */
export interface ConnectingGateway<Message> extends Omit<SendingGateway<Message>, "send"> {
  /**
   * `send` calls `begin` itself once connected and logged in, before the first byte that can deliver the message.
   * Otherwise `begin` runs before `send`.
   */
  connectsFirst?: true;
  send(message: Message, signal: AbortSignal, begin: Begin): Promise<SendResult>;
}

export function notConfigured(label: string): SendingGateway<unknown> {
  return {
    label,
    mode: "notConfigured",
    deduplicates: true,
    send: async () => ({ outcome: "notConfigured", detail: NOT_CONFIGURED, reason: "notConfigured" }),
  };
}

const NO_CONNECTION = /ECONN|ESOCKET|EDNS|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|CONNECT_TIMEOUT/;

/** Reason for a network error code; undefined if it does not concern the connection. */
export function reasonOfErrorCode(code: string): SendingReason | undefined {
  if (code === "EAUTH") return "loginRefused";
  return NO_CONNECTION.test(code) ? "noConnection" : undefined;
}

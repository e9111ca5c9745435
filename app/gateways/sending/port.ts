import type { StoredBytes } from "../file-store/port";

/** Why a provider did not take a message, or could not deliver it, where its answer tells; the answer itself stands beside it. */
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
  | "returned"
  | "archiveKnowsNoPortal"
  | "archiveFull"
  | "archiveRefusesFile"
  | "archivedForAnother"
  | "archiveSilent";

/**
 * How handing a message over went.
 * - `sent`: it has left, and no more will be heard of it. `accepted`: the provider has it, and says later whether it arrived.
 * - `retry`: surely not sent, try later; `isChannelDown`: no message would be sent now (host unreachable, login refused). With a `reference`, from a
 *   gateway that deduplicates: it may have been sent under that name, and sending it again does no harm.
 * - `refused`: surely not sent and never will be. `notConfigured`: there is no provider to hand it to.
 * - `unknown`: the connection was lost when it may have been sent, or the provider failed after it had the message; a person has to decide, so it
 *   is never sent again by itself. `isChannelDown`: the next message would end in the same doubt.
 *
 * `detail` is what the provider answered, for people to read; `reason` is what the portal makes of it. `code` is the number that the lists show
 * for it where the channel's own for the outcome does not say enough; of a `retry` both count once there is no further attempt.
 */
export type SendResult =
  | { outcome: "sent" | "accepted"; detail: string; reference?: string; code?: number }
  | {
      outcome: "retry";
      detail: string;
      reason?: SendingReason | undefined;
      isChannelDown?: boolean;
      code?: number;
      reference?: string;
    }
  | {
      outcome: "unknown";
      detail: string;
      reason?: SendingReason | undefined;
      isChannelDown?: boolean;
      code?: number;
    }
  | {
      outcome: "refused" | "notConfigured";
      detail: string;
      reason?: SendingReason | undefined;
      code?: number;
    };

/** What a provider says later of a message that it had accepted: it arrived, it did not, or nothing new (null). */
export type PollResult =
  | { outcome: "sent"; detail: string; code?: number }
  | { outcome: "refused"; detail: string; reason?: SendingReason | undefined; code?: number }
  | null;

/** What an embedded gateway says of a message that it kept, wherever the message is shown. */
export const STORED_LOCALLY = "Prøve: gemt på denne maskine, ikke sendt";

/** The failure without a configured provider: immediate and never retried, since waiting would not help. */
export const NOT_CONFIGURED = "Ikke indstillet";

/**
 * `embedded`: messages are kept on this machine, and every place that shows one says so. `batch`: nobody outside takes them; they wait
 * until a person has printed them.
 */
export type GatewayMode = "live" | "embedded" | "batch" | "notConfigured";

/** A stored file that leaves with a message. */
export interface AttachedFile {
  name: string;
  sizeBytes: number;
  /** From its beginning, each time. Rejects when the store does not have it. */
  open(): Promise<StoredBytes>;
}

/**
 * Commits that from here on the message may have left. Rejects where another worker has it by now, or the database does not answer: the message must not
 * be sent then.
 */
export type Begin = () => Promise<void>;

/** A provider through which one kind of message is sent. */
export interface SendingGateway<Message> {
  /** In words, for the screen: `SMTP`, or that nothing leaves this machine. */
  label: string;
  mode: GatewayMode;
  /** Whether sending the same key twice delivers once. */
  deduplicates: boolean;
  /** Ends soon after `signal` is aborted, with what is known of the message by then. */
  send(message: Message, signal: AbortSignal): Promise<SendResult>;
  /** Asks what became of a message; only where the provider answers such questions. */
  poll?(message: { key: string; reference: string | null }, signal: AbortSignal): Promise<PollResult>;
}

/** A provider that may be sent a message only once, so that what failed before the message was on its way must be told from what failed after. */
export interface ConnectingGateway<Message> extends Omit<SendingGateway<Message>, "send"> {
  /** `send` itself calls `begin`: when it is connected and logged in, before the first byte that can deliver the message. Else `begin` came before `send`. */
  connectsFirst?: true;
  send(message: Message, signal: AbortSignal, begin: Begin): Promise<SendResult>;
}

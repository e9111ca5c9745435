export interface EmailMessage {
  /** The outbox row's id: the same message always carries the same key. */
  key: string;
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface KeptEmail extends EmailMessage {
  /** ISO 8601, UTC. */
  keptAt: string;
}

/**
 * How a message fared. `retry`: surely not sent, try later. `refused`: surely not sent and never will be. `unknown`: the
 * line was lost when it may have been sent; a person has to decide, so it is never sent again by itself.
 */
export type EmailOutcome =
  | { outcome: "sent"; detail: string }
  | { outcome: "retry" | "refused" | "unknown"; detail: string };

export interface EmailGateway {
  /** In words, for the screen: `SMTP`, or that the mail stays in a folder. */
  label: string;
  /** Whether mail reaches the world. False: kept in a folder, and the page says so. */
  delivers: boolean;
  /** Whether sending the same key twice delivers once. */
  deduplicates: boolean;
  send(message: EmailMessage): Promise<EmailOutcome>;
  /** What was kept instead of being sent, newest first; only at a gateway that keeps. */
  kept?(limit: number): Promise<KeptEmail[]>;
}

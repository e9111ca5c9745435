import type { Kept } from "../sending/kept-folder.server";
import type { SendingGateway } from "../sending/port";

export interface EmailMessage {
  /** The outbox row's id: the same message always carries the same key. */
  key: string;
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface EmailGateway extends SendingGateway<EmailMessage> {
  /** What was kept instead of being sent, newest first; only at a gateway that keeps. */
  kept?(limit: number): Promise<Kept<EmailMessage>[]>;
}

import type { StoredMessage } from "../sending/embedded-letters.server";
import type { ConnectingGateway, SendingReason } from "../sending/port";

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

interface Meaning {
  /** In Danish, after 'Kom retur:'. */
  words: string;
  reason: SendingReason;
}

const noMailbox: Meaning = { words: "adressen findes ikke", reason: "noMailbox" };
const mailboxFull: Meaning = { words: "postkassen er fuld", reason: "mailboxFull" };
const tooBig: Meaning = { words: "mailen er for stor", reason: "mailTooBig" };
const refused: Meaning = { words: "modtagerens mailserver afviste den", reason: "mailRefused" };

/** By enhanced status code (RFC 3463); the first match counts. */
const byStatus: readonly [RegExp, Meaning][] = [
  [/^\d\.1\.[0-46]$/, noMailbox],
  [/^\d\.2\.2$/, mailboxFull],
  [/^\d\.3\.4$|^\d\.2\.3$/, tooBig],
  [/^\d\.2\./, { words: "postkassen tager ikke imod", reason: "returned" }],
  [/^\d\.4\./, { words: "modtagerens mailserver svarede ikke", reason: "returned" }],
  [/^\d\.7\./, refused],
];

/** By reply code (RFC 5321), for a status of x.0.0 or none. */
const byAnswer: readonly [RegExp, Meaning][] = [
  [/^55[013]$/, noMailbox],
  [/^[45]52$/, mailboxFull],
];

/** What a mail server's refusal means; null when neither code says. @param answer e.g. `550`; @param status e.g. `5.1.1` */
export function meaningOfReply({ answer, status }: { answer: string; status: string }): Meaning | null {
  const isSaid = status !== "" && !/^\d\.0\.0$/.test(status);
  const [list, code] = isSaid ? [byStatus, status] : [byAnswer, answer];
  return list.find(([says]) => says.test(code))?.[1] ?? null;
}

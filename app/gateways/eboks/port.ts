import type { AttachedFile, SendingGateway } from "../sending/port";

export interface EboksMessage {
  /** From the outbox row, equal at every attempt. */
  key: string;
  /** The provider's name of the letter, unique across databases; its receipts use it. */
  letterId: string;
  /** `DDMMYY-XXXX`. */
  cpr: string;
  /** Title in e-Boks, at most 50 characters. */
  title: string;
  text: string;
  file: AttachedFile;
}

export type EboksGateway = SendingGateway<EboksMessage>;

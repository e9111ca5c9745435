import type { AttachedFile, SendingGateway } from "../sending/port";

export interface EboksMessage {
  /** The outbox row's: the same message always carries the same key, and its receipts name it. */
  key: string;
  /** `DDMMYY-XXXX`. */
  cpr: string;
  /** What e-Boks lists it as: at most 50 characters. */
  title: string;
  text: string;
  file: AttachedFile;
}

export type EboksGateway = SendingGateway<EboksMessage>;

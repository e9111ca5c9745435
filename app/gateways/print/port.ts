import type { AttachedFile, SendingGateway } from "../sending/port";

export interface PrintMessage {
  /** From the outbox row, equal at every attempt. */
  key: string;
  /** The provider's name of the letter, unique across databases; its receipts use it. */
  letterId: string;
  address: string[];
  title: string;
  text: string;
  file: AttachedFile;
}

export type PrintGateway = SendingGateway<PrintMessage>;

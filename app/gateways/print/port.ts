import type { AttachedFile, SendingGateway } from "../sending/port";

export interface PrintMessage {
  /** The outbox row's: the same message always carries the same key, and its receipts name it. */
  key: string;
  /** The name first, a line each. */
  address: string[];
  title: string;
  text: string;
  file: AttachedFile;
}

export type PrintGateway = SendingGateway<PrintMessage>;

import type { AttachedFile, SendingGateway } from "../sending/port";

export interface PrintMessage {
  /** From the outbox row, equal at every attempt. */
  key: string;
  letterId: string;
  address: string[];
  title: string;
  text: string;
  file: AttachedFile;
}

export type PrintGateway = SendingGateway<PrintMessage>;

import type { AttachedFile, SendingGateway } from "../sending/port";

export interface EboksMessage {
  /** From the outbox row, equal at every attempt. */
  key: string;
  letterId: string;
  cpr: string;
  title: string;
  text: string;
  file: AttachedFile;
}

export type EboksGateway = SendingGateway<EboksMessage>;

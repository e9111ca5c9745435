import type { AttachedFile, SendingGateway } from "../sending/port";

export interface EboksMessage {
  /** The outbox row's: the same message always carries the same key. */
  key: string;
  /** Names the letter to the provider, whose receipts name it too: no letter of any other database has it. */
  letterId: string;
  /** `DDMMYY-XXXX`. */
  cpr: string;
  /** What e-Boks lists it as: at most 50 characters. */
  title: string;
  text: string;
  file: AttachedFile;
}

export type EboksGateway = SendingGateway<EboksMessage>;

import type { AttachedFile, SendingGateway } from "../sending/port";

export interface PrintMessage {
  /** The outbox row's: the same message always carries the same key. */
  key: string;
  /** Names the letter to the provider, whose receipts name it too: no letter of any other database has it. */
  letterId: string;
  /** The name first, a line each. */
  address: string[];
  title: string;
  text: string;
  file: AttachedFile;
}

export type PrintGateway = SendingGateway<PrintMessage>;

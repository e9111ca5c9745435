import type { AttachedFile, SendingGateway } from "../sending/port";

/**
 * A letter to be printed. `address` has the recipient's name first, then one line each. `letterId` is unique across
 * databases, for providers that remember letters of a former one. `file` is the PDF that is printed.
 */
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

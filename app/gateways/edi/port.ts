import type { SftpSettings } from "../sftp/port";
import type { SendingGateway } from "../sending/port";

export interface EdiSettings {
  place: { kind: "folder"; path: string } | ({ kind: "sftp" } & SftpSettings);
  inFolder: string;
  outFolder: string;
  glns: string[];
  /** The clinic's practice number; null if only its location number is used. */
  yderNumber: string | null;
  /** Hours a receiver may take to acknowledge a letter. */
  receiptHours: number;
}

/** Whether messages can be exchanged; in production only with a configured place. */
export const isEdiSet = ({ edi, production }: { edi: EdiSettings | null; production: boolean }) =>
  edi !== null || !production;

export interface EdiFile {
  name: string;
  bytes: Buffer;
}

export interface EdiMessage {
  /** From the outbox row, equal at every attempt. */
  key: string;
  files: EdiFile[];
}

export type EdiGateway = SendingGateway<EdiMessage>;

export interface ClaimedFile {
  name: string;
  sizeBytes: number;
  /** Why it is put aside unread: a name over 200 bytes, or two deaths. */
  trouble: "longName" | "deadly" | null;
  read(): Promise<Buffer>;
}

export interface EdiInbox {
  label: string;
  /**
   * Claims each file by renaming it, so that no other process takes it, and calls `visit`. `done` removes it; `aside`
   * renames it for a person. A claim of a dead process expires. Rejects if the folder cannot be reached. If `visit`
   * rejects, the file stays claimed, the others continue, and the first error is thrown at the end.
   */
  takeEach(visit: (file: ClaimedFile) => Promise<"done" | "aside">, now: Date): Promise<void>;
}

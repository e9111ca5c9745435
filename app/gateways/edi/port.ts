import type { SftpSettings } from "../sftp/port";
import type { SendingGateway } from "../sending/port";

/** Where EDI messages are exchanged: a folder of this machine, or one at an SFTP server. */
export interface EdiSettings {
  place: { kind: "folder"; path: string } | ({ kind: "sftp" } & SftpSettings);
  /** The folders below it: what comes for us, and what we send. */
  inFolder: string;
  outFolder: string;
  /** Our own location numbers, the first the one that we send from; empty: whatever comes is ours. */
  glns: string[];
  /** The clinic's number in the register of practices; null: its location number alone names it. */
  yderNumber: string | null;
  /** For so long a receiver may be silent about a letter of ours. */
  receiptHours: number;
}

/** Whether messages go anywhere: in production only where a place is named. */
export const isEdiSet = ({ edi, production }: { edi: EdiSettings | null; production: boolean }) =>
  edi !== null || !production;

export interface EdiFile {
  /** A message that is sent again is the same files. */
  name: string;
  /** As it leaves, byte for byte. */
  bytes: Buffer;
}

export interface EdiMessage {
  /** The outbox row's: the same message always carries the same key. */
  key: string;
  /** Put there one after the other: what the last one refers to goes first. */
  files: EdiFile[];
}

export type EdiGateway = SendingGateway<EdiMessage>;

/** A file that this machine has claimed. */
export interface ClaimedFile {
  /** As the sender called it. */
  name: string;
  sizeBytes: number;
  /** Why it must be put aside unread: its name is longer than 200 bytes, or its machine died twice over it. */
  trouble: "longName" | "deadly" | null;
  read(): Promise<Buffer>;
}

/** The folder where others put files for us. */
export interface EdiInbox {
  /** In words, for the screen. */
  label: string;
  /**
   * Claims each file by renaming it, so that no other machine takes it, and shows it to `visit`. `done`: it is removed. `aside`: it is
   * renamed once more, for a person. One that was claimed and not finished, because its machine died, is claimed anew after a while. Rejects
   * when the folder cannot be reached. Where `visit` rejects, the file stays claimed, the others are shown, and the first error is thrown then.
   */
  takeEach(visit: (file: ClaimedFile) => Promise<"done" | "aside">, now: Date): Promise<void>;
}

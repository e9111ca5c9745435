import type { SftpSettings } from "../sftp/port";

/** Settings of the distributor for e-Boks and printing; `folder` contains Inbound and Outbound. */
export interface NetsShareSettings extends SftpSettings {
  cvr: string;
  senderName: string;
  eboks: { senderId: string; documentType: string } | null;
  print: { documentType: string; returnAddress: string[] } | null;
}

/** Report on a letter: received, delivered or failed. `eventId` is equal whenever the file is read again. */
export interface LetterReport {
  eventId: string;
  letterId: string;
  state: "received" | "delivered" | "failed";
  code: number | null;
  detail: string;
}

/** A file of reports; null if it cannot be read. */
export interface ReportFile {
  name: string;
  reports: LetterReport[] | null;
}

export interface LetterReports {
  /** Passes each file on, oldest first; removes those taken. Rejects if the distributor cannot be reached. */
  readEach(visit: (file: ReportFile) => Promise<"taken" | "left">): Promise<void>;
}

import type { SftpSettings } from "../sftp/port";

/** How letters reach the distributor that hands them to e-Boks or prints them: `folder` holds Inbound and Outbound. */
export interface NetsShareSettings extends SftpSettings {
  /** The sender's, eight digits. */
  cvr: string;
  senderName: string;
  /** The sender's number at e-Boks, and what kind of document a letter is there. */
  eboks: { senderId: string; documentType: string } | null;
  /** What kind of document a printed letter is, and where one goes back to that cannot be delivered, a line each. */
  print: { documentType: string; returnAddress: string[] } | null;
}

/** What the distributor tells of one letter. */
export interface LetterReport {
  /** The same however often it is told in the same file. */
  eventId: string;
  /** The letter's own, as it was sent. */
  letterId: string;
  /** `received`: the distributor has it, and says later whether it arrived. */
  state: "received" | "delivered" | "failed";
  /** The lists' number for it, where the table knows the reason. */
  code: number | null;
  /** What it says, as it says it. */
  detail: string;
}

export interface ReportFile {
  name: string;
  /** Null: unreadable. */
  reports: LetterReport[] | null;
}

/** What the distributor has put out for us to read. */
export interface LetterReports {
  /** Shows each file in turn, the oldest first; one that has been taken in is removed. Rejects when the distributor cannot be reached. */
  readEach(visit: (file: ReportFile) => Promise<"taken" | "left">): Promise<void>;
}

import type { StoredBytes } from "../file-store/port";
import type { PollResult, SendingGateway, SendResult } from "../sending/port";

/** How an archive knows an image: the UIDs of its header. */
export interface InstanceNames {
  sopClass: string;
  sopInstance: string;
  study: string;
  series: string;
}

/** An image, and the patient that the archive must show it under. */
export interface PatientsImage extends InstanceNames {
  /** The patient's number (DICOM PatientID). */
  patientId: string;
}

/** A DICOM Part 10 file. The archive gets its data set byte for byte as it stands there. */
export interface ArchiveInstance extends PatientsImage {
  transferSyntax: string;
  /** Of the whole file. */
  sizeBytes: number;
  /** Where the data set begins, in bytes: what stands before it belongs to the file alone. */
  dataSetOffset: number;
  /** The file from its beginning, each time. Rejects when the store does not have it. */
  open(): Promise<StoredBytes>;
}

/** `isFormatRefused`: the archive takes no image of this kind in this transfer syntax; nothing was sent. */
export type ArchiveResult = SendResult & { isFormatRefused?: true };

/**
 * The clinic's image archive (PACS). An image counts as sent when the archive itself shows it under the patient's number. It may be sent any
 * number of times: the archive knows it by its UID. One that the archive has under another number is refused, never overwritten.
 */
export interface ImageArchiveGateway extends Pick<SendingGateway<unknown>, "label" | "mode" | "deduplicates"> {
  send(message: { key: string; instance: ArchiveInstance }, signal: AbortSignal): Promise<ArchiveResult>;
  /** What the archive shows of an image that it took: null while it shows none. Absent: it is never asked later. */
  find?(image: PatientsImage, signal: AbortSignal): Promise<PollResult>;
}

/** Where the archive listens, and as whom we speak to it. AE titles are its names for both. */
export interface ImageArchiveSettings {
  host: string;
  port: number;
  calledTitle: string;
  callingTitle: string;
}

/** An archive has the image's UID under another patient's number. */
export const OF_ANOTHER = {
  outcome: "refused",
  detail: "Filen findes i billedarkivet på en anden patient",
  reason: "archivedForAnother",
} as const;

const bareNumber = (patientId: string) => patientId.replace(/[-\s]/g, "").toUpperCase();

/** Compares patient numbers without dashes and spaces, which archives write as they please. */
export const sameNumber = (one: string, other: string) => bareNumber(one) === bareNumber(other);

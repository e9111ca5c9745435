import type { StoredBytes } from "../file-store/port";
import type { PollResult, SendingGateway, SendResult } from "../sending/port";

/**
 * DICOM UIDs of an image: SOP class, SOP instance, study and series. The archive recognises a repeated image by
 * `sopInstance`.
 */
export interface InstanceNames {
  sopClass: string;
  sopInstance: string;
  study: string;
  series: string;
}

export interface PatientsImage extends InstanceNames {
  patientId: string;
}

/** A DICOM Part 10 file whose data set is sent unchanged. */
export interface ArchiveInstance extends PatientsImage {
  transferSyntax: string;
  sizeBytes: number;
  /** Byte offset of the data set; what precedes it is not sent. */
  dataSetOffset: number;
  /** A new stream from the start. Rejects if the file is missing. */
  open(): Promise<StoredBytes>;
}

/** `isFormatRefused`: the archive does not accept this SOP class in this transfer syntax; nothing was sent. */
export type ArchiveResult = SendResult & { isFormatRefused?: true };

/**
 * The clinic's image archive (PACS). An image counts as sent when the archive shows it under the patient's id. Sending
 * repeatedly is safe, since it is identified by UID; an image under another id is refused, never overwritten.
 */
export interface ImageArchiveGateway extends Pick<SendingGateway<unknown>, "label" | "mode" | "deduplicates"> {
  send(message: { key: string; instance: ArchiveInstance }, signal: AbortSignal): Promise<ArchiveResult>;
  /** Queries an accepted image: null if not shown yet. Absent: never polled. */
  find?(image: PatientsImage, signal: AbortSignal): Promise<PollResult>;
}

export interface ImageArchiveSettings {
  host: string;
  port: number;
  calledTitle: string;
  callingTitle: string;
}

export const OF_ANOTHER = {
  outcome: "refused",
  detail: "Filen findes i billedarkivet på en anden patient",
  reason: "archivedForAnother",
} as const;

const bareNumber = (patientId: string) => patientId.replace(/[-\s]/g, "").toUpperCase();

export const sameNumber = (one: string, other: string) => bareNumber(one) === bareNumber(other);

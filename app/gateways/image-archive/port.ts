import type { StoredBytes } from "../file-store/port";
import type { SendingGateway, SendResult } from "../sending/port";

/** How an archive knows an image: the UIDs of its header. */
export interface InstanceNames {
  sopClass: string;
  sopInstance: string;
  study: string;
  series: string;
}

/** A DICOM Part 10 file. The archive gets its data set byte for byte as it stands there. */
export interface ArchiveInstance extends InstanceNames {
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
 * The clinic's image archive (PACS). An image counts as sent when the archive itself shows it. It may be sent any number of times: the
 * archive knows it by its UID.
 */
export interface ImageArchiveGateway extends Pick<SendingGateway<unknown>, "label" | "mode" | "deduplicates"> {
  send(message: { key: string; instance: ArchiveInstance }, signal: AbortSignal): Promise<ArchiveResult>;
  /** Whether the archive shows an image that it took: null while it does not. Absent: it is never asked later. */
  find?(names: InstanceNames, signal: AbortSignal): Promise<{ outcome: "sent"; detail: string } | null>;
}

/** Where the archive listens, and as whom we speak to it. AE titles are its names for both. */
export interface ImageArchiveSettings {
  host: string;
  port: number;
  calledTitle: string;
  callingTitle: string;
}

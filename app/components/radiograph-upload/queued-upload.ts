/**
 * announcing: being announced · queued: waiting for its turn · sending · checking: all bytes arrived, the server checks
 * · paused: by the person · waiting: for the network · refused: not accepted · stopped: needs the person · done.
 */
export type UploadState =
  "announcing" | "queued" | "sending" | "checking" | "paused" | "waiting" | "refused" | "stopped" | "done";

export interface QueuedUpload {
  key: string;
  file: File;
  name: string;
  type: number;
  state: UploadState;
  sentBytes: number;
  /** Null until the connection's speed is known. */
  secondsLeft: number | null;
  /** Danish reason when refused or stopped. */
  text: string | null;
  uploadId: string | null;
  fileId: number | null;
  /** Folder of origin, if a folder was chosen. */
  folder: string | null;
  materialLineId: number | null;
  /** Slices that were chosen together have one line; null of a file with a line of its own. */
  group: string | null;
}

export const hasEnded = ({ state }: Pick<QueuedUpload, "state">) => state === "done" || state === "refused";

/** Announced, and its upload continues without the user. */
export const isUnderWay = (upload: QueuedUpload) =>
  upload.uploadId !== null && upload.state !== "stopped" && !hasEnded(upload);

/** Unknown to the server, so a submission would go without it. */
export const isUnannounced = (upload: Pick<QueuedUpload, "uploadId" | "state">) =>
  upload.uploadId === null && !hasEnded(upload);

/** Will be announced only when the person resumes it. */
export const isStuck = (upload: Pick<QueuedUpload, "uploadId" | "state">) =>
  isUnannounced(upload) && (upload.state === "stopped" || upload.state === "paused");

/** The next state after an HTTP status; 0 means no answer. */
export function stateAfter(status: number): "refused" | "stopped" | "waiting" {
  if (status === 400 || status === 413) return "refused";
  return status === 507 || (status >= 400 && status < 500 && status !== 409 && status !== 423) ? "stopped" : "waiting";
}

export type Chosen = Pick<
  QueuedUpload,
  "file" | "name" | "type" | "uploadId" | "folder" | "group" | "materialLineId"
> & {
  refusal: string | null;
};

export function toQueued({ refusal, ...file }: Chosen): QueuedUpload {
  const state = refusal !== null ? "refused" : file.uploadId === null ? "announcing" : "queued";
  return { ...file, key: randomKey(), state, sentBytes: 0, secondsLeft: null, text: refusal, fileId: null };
}

export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => `0${byte.toString(16)}`.slice(-2)).join("");
}

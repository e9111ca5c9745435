/**
 * announcing: being announced to the server · queued: waits for its turn · sending · checking: all has come, the server looks at it · paused: by the person · waiting: for the
 * network · refused: the file is not taken · stopped: something else the person must do · done.
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
  /** Why, in Danish, when refused or stopped. */
  text: string | null;
  /** The server's name of it, once begun. */
  uploadId: string | null;
  /** The image it has become. */
  fileId: number | null;
  /** The folder that it lay in, where one was chosen. */
  folder: string | null;
  /** What it was asked for as. */
  materialLineId: number | null;
  /** Slices that were chosen together have one line; null of a file with a line of its own. */
  group: string | null;
}

/** Not on its way any more. */
export const hasEnded = ({ state }: Pick<QueuedUpload, "state">) => state === "done" || state === "refused";

/** Announced to the server, and its upload continues without the user. */
export const isUnderWay = (upload: QueuedUpload) =>
  upload.uploadId !== null && upload.state !== "stopped" && !hasEnded(upload);

/** The server has not heard of it: what is sent now goes without it, and nobody waits for it. */
export const isUnannounced = (upload: Pick<QueuedUpload, "uploadId" | "state">) =>
  upload.uploadId === null && !hasEnded(upload);

/** The server hears of it only when the person lets it go on. */
export const isStuck = (upload: Pick<QueuedUpload, "uploadId" | "state">) =>
  isUnannounced(upload) && (upload.state === "stopped" || upload.state === "paused");

/** By the answer's status; 0 where there was none. */
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

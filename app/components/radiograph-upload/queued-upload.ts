/**
 * announcing: the server is being told of it · queued: waits for its turn · sending · checking: all has come, the server looks at it · paused: by the person · waiting: for the
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
  /** Null until the line's speed is known. */
  secondsLeft: number | null;
  /** Why, in Danish, when refused or stopped. */
  text: string | null;
  /** The server's name of it, once begun. */
  uploadId: string | null;
  /** The image it has become. */
  fileId: number | null;
}

/** Not on its way any more. */
export const hasEnded = ({ state }: Pick<QueuedUpload, "state">) => state === "done" || state === "refused";

export type Chosen = Pick<QueuedUpload, "file" | "name" | "type" | "uploadId"> & { refusal: string | null };

/**
 * announcing: being announced · queued: waiting for its turn · sending · checking: all bytes arrived, the server checks
 * · paused: by the person · waiting: for the network · refused: not accepted · stopped: needs the person · changed: the
 * browser cannot read the file any more · done.
 */
type UploadState =
  "announcing" | "queued" | "sending" | "checking" | "paused" | "waiting" | "refused" | "stopped" | "changed" | "done";

export interface QueuedUpload {
  key: string;
  file: File;
  name: string;
  type: number;
  state: UploadState;
  sentBytes: number;
  secondsLeft: number | null;
  /** Danish reason when refused or stopped. */
  text: string | null;
  uploadId: string | null;
  fileId: number | null;
  folder: string | null;
  materialLineId: number | null;
  group: string | null;
  guess: number | null;
  /** Its place among all files chosen for this target. */
  place: number;
}

export const hasEnded = ({ state }: Pick<QueuedUpload, "state">) => state === "done" || state === "refused";

/** Announced, and its upload continues without the user. */
export const isUnderWay = (upload: QueuedUpload) =>
  upload.uploadId !== null && upload.state !== "stopped" && upload.state !== "changed" && !hasEnded(upload);

/** Unknown to the server, or unreadable, so a submission would go without it. */
export const isUnannounced = (upload: Pick<QueuedUpload, "uploadId" | "state">) =>
  upload.state === "changed" || (upload.uploadId === null && !hasEnded(upload));

/** Arrives only once the person resumes it, or chooses it again. */
export const isStuck = (upload: Pick<QueuedUpload, "uploadId" | "state">) =>
  isUnannounced(upload) && ["stopped", "paused", "changed"].includes(upload.state);

export function stateAfter(status: number): "refused" | "stopped" | "waiting" {
  if (status === 400 || status === 413) return "refused";
  return status === 507 || (status >= 400 && status < 500 && status !== 409 && status !== 423) ? "stopped" : "waiting";
}

export type Chosen = Pick<
  QueuedUpload,
  "file" | "name" | "type" | "uploadId" | "folder" | "group" | "materialLineId" | "guess"
> & {
  refusal: string | null;
};

export function toQueued({ refusal, ...file }: Chosen, place: number): QueuedUpload {
  const state = refusal !== null ? "refused" : file.uploadId === null ? "announcing" : "queued";
  return { ...file, place, key: randomKey(), state, sentBytes: 0, secondsLeft: null, text: refusal, fileId: null };
}

export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => `0${byte.toString(16)}`.slice(-2)).join("");
}

/** Measures recent speed; returns the seconds left, or null in the first second. */
export function measureSpeed(): (sentBytes: number, size: number) => number | null {
  let last: { at: number; bytes: number } | null = null;
  let bytesPerSecond = 0;
  return (sentBytes, size) => {
    const at = performance.now();
    last ??= { at, bytes: sentBytes };
    const seconds = (at - last.at) / 1000;
    if (seconds >= 1) {
      const now = (sentBytes - last.bytes) / seconds;
      bytesPerSecond = bytesPerSecond === 0 ? now : 0.7 * bytesPerSecond + 0.3 * now;
      last = { at, bytes: sentBytes };
    }
    return bytesPerSecond > 0 ? (size - sentBytes) / bytesPerSecond : null;
  };
}

type Announced = { uploadId: string } | { uploadId: null; status: number; text: string | null };

/**
 * Announces a file to the server (tus creation) before any byte is sent, so that a referral can wait for it. Repeating
 * a `formKey` announces one upload.
 */
export async function announceUpload(
  endpoint: string,
  size: number,
  metadata: Record<string, string>,
): Promise<Announced> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(size),
      "Upload-Metadata": Object.entries(metadata)
        .map(([name, value]) => `${name} ${base64(value)}`)
        .join(","),
    },
  }).catch(() => null);
  const uploadId = response?.headers.get("Location")?.split("/").pop();
  if (response?.status === 201 && uploadId) return { uploadId };
  const text = decodeHeader(response?.headers.get("Upload-Refusal")) ?? (await response?.text()) ?? null;
  return { uploadId: null, status: response?.status ?? 0, text };
}

/** Tells the server that an upload is cancelled. If this fails, it stays in the list of unfinished uploads. */
export function withdrawUpload(endpoint: string, uploadId: string): void {
  void fetch(`${endpoint}/${uploadId}`, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } }).catch(
    () => undefined,
  );
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export function decodeHeader(value: string | undefined | null): string | null {
  return value ? decodeURIComponent(value) : null;
}

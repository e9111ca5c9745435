import { DetailedError, Upload } from "tus-js-client";

/** A cut line repeats at most the piece that was on its way when a proxy between us gathers whole pieces. */
const PIECE_BYTES = 8 * 1024 * 1024;
const AT_ONCE = 2;
const LONGEST_WAIT_MS = 10_000;

/**
 * queued: waits for its turn · sending · checking: all has come, the server looks at it · paused: by the person · waiting: for the
 * network · refused: the file is not taken · stopped: something else the person must do · done.
 */
export type UploadState = "queued" | "sending" | "checking" | "paused" | "waiting" | "refused" | "stopped" | "done";

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

export type Chosen = Pick<QueuedUpload, "file" | "name" | "type" | "uploadId"> & { refusal: string | null };

/**
 * Sends chosen files to the portal in pieces (tus), two at a time, and goes on by itself after a lost connection. It lives as long as
 * the page's script: moving between the wizard's steps does not stop it. Nothing of it is kept in the browser.
 */
export class UploadQueue {
  private uploads: readonly QueuedUpload[] = [];
  private running = new Map<string, Upload>();
  private timers = new Map<string, number>();
  private tries = new Map<string, number>();
  private listeners = new Set<() => void>();
  private onArrived: () => void = () => undefined;

  constructor(
    private endpoint: string,
    private metadata: (upload: QueuedUpload) => Record<string, string>,
  ) {
    window.addEventListener("online", () =>
      this.uploads.filter(({ state }) => state === "waiting").forEach(({ key }) => this.resume(key)),
    );
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = () => this.uploads;

  /** Who is told when a file has become an image, from now on. */
  whenArrived(tell: () => void): void {
    this.onArrived = tell;
  }

  add(chosen: readonly Chosen[]): void {
    const added = chosen.map(({ refusal, ...file }): QueuedUpload => {
      const state = refusal === null ? "queued" : "refused";
      return { ...file, key: randomKey(), state, sentBytes: 0, secondsLeft: null, text: refusal, fileId: null };
    });
    this.set([...this.uploads, ...added]);
    this.startNext();
  }

  /** Whether the upload of this name is one of these. */
  isSending(uploadId: string): boolean {
    return this.uploads.some((upload) => upload.uploadId === uploadId);
  }

  setType(key: string, type: number): void {
    this.change(key, { type });
  }

  pause(key: string): void {
    this.stop(key);
    this.change(key, { state: "paused", secondsLeft: null });
    this.startNext();
  }

  resume(key: string): void {
    window.clearTimeout(this.timers.get(key));
    this.change(key, { state: "queued", text: null });
    this.startNext();
  }

  remove(key: string): void {
    const upload = this.find(key);
    this.stop(key);
    this.set(this.uploads.filter((each) => each.key !== key));
    // Should this not reach the server, the upload stands in its list of unfinished ones.
    if (upload?.uploadId && upload.state !== "done") {
      void fetch(`${this.endpoint}/${upload.uploadId}`, {
        method: "DELETE",
        headers: { "Tus-Resumable": "1.0.0" },
      }).catch(() => undefined);
    }
    this.startNext();
  }

  /** Lets go of uploads that the page lists as images by now. */
  forget(fileIds: readonly number[]): void {
    const left = this.uploads.filter(({ fileId }) => fileId === null || !fileIds.includes(fileId));
    if (left.length < this.uploads.length) this.set(left);
  }

  private startNext(): void {
    while (this.running.size < AT_ONCE) {
      const next = this.uploads.find(({ state }) => state === "queued");
      if (!next) return;
      this.start(next);
    }
  }

  private start(queued: QueuedUpload): void {
    const { key, file } = queued;
    const speed = measureSpeed();
    let fileId: number | null = null;
    let refusal: string | null = null;
    const upload = new Upload(file, {
      endpoint: this.endpoint,
      uploadUrl: queued.uploadId ? `${this.endpoint}/${queued.uploadId}` : null,
      chunkSize: PIECE_BYTES,
      // We wait ourselves, so that the line can say so.
      retryDelays: null,
      storeFingerprintForResuming: false,
      metadata: this.metadata(queued),
      onUploadUrlAvailable: () => this.change(key, { uploadId: upload.url?.split("/").pop() ?? null }),
      onProgress: (sentBytes) => {
        this.tries.delete(key);
        const isAll = sentBytes === file.size;
        this.change(key, {
          sentBytes,
          state: isAll ? "checking" : "sending",
          secondsLeft: isAll ? null : speed(sentBytes, file.size),
        });
      },
      onAfterResponse: (_request, response) => {
        fileId = Number(response.getHeader("Upload-File")) || null;
        refusal = decodeHeader(response.getHeader("Upload-Refusal"));
      },
      onSuccess: () => {
        this.running.delete(key);
        if (refusal !== null) this.change(key, { state: "refused", text: refusal });
        else this.change(key, { state: "done", fileId, secondsLeft: null });
        this.onArrived();
        this.startNext();
      },
      onError: (error) => this.failed(key, error),
    });
    this.running.set(key, upload);
    this.change(key, { state: "sending" });
    upload.start();
  }

  private failed(key: string, error: Error): void {
    this.running.delete(key);
    const response = error instanceof DetailedError ? error.originalResponse : null;
    const status = response?.getStatus() ?? 0;
    const text = decodeHeader(response?.getHeader("Upload-Refusal")) ?? response?.getBody() ?? "";
    if (status === 400 || status === 413) this.change(key, { state: "refused", text });
    else if (status === 507 || (status >= 400 && status < 500 && status !== 409 && status !== 423))
      this.change(key, { state: "stopped", text });
    else this.waitFor(key);
    this.startNext();
  }

  /** The connection is cut, or the server is away for a moment: retried soon, then less often, and at once when the network is back. */
  private waitFor(key: string): void {
    const tries = (this.tries.get(key) ?? 0) + 1;
    this.tries.set(key, tries);
    this.change(key, { state: "waiting", secondsLeft: null });
    this.timers.set(
      key,
      window.setTimeout(() => this.resume(key), Math.min(LONGEST_WAIT_MS, 500 * 2 ** tries)),
    );
  }

  private stop(key: string): void {
    window.clearTimeout(this.timers.get(key));
    void this.running.get(key)?.abort();
    this.running.delete(key);
  }

  private find(key: string): QueuedUpload | undefined {
    return this.uploads.find((upload) => upload.key === key);
  }

  private change(key: string, change: Partial<QueuedUpload>): void {
    this.set(this.uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));
  }

  private set(uploads: readonly QueuedUpload[]): void {
    this.uploads = uploads;
    for (const listener of this.listeners) listener();
  }
}

/** Seconds until all is sent, from the speed of the last moments; null in the first second. */
function measureSpeed(): (sentBytes: number, size: number) => number | null {
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

function decodeHeader(value: string | undefined | null): string | null {
  return value ? decodeURIComponent(value) : null;
}

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => `0${byte.toString(16)}`.slice(-2)).join("");
}

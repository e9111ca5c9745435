import { DetailedError, Upload } from "tus-js-client";
import { holdOpen } from "~/http/forms/unsaved";
import { announceUpload, decodeHeader } from "./announce-upload";
import { type Chosen, hasEnded, type QueuedUpload } from "./queued-upload";
import { measureSpeed } from "./upload-speed";

/** A cut line repeats at most the piece that was on its way when a proxy between us gathers whole pieces. */
const PIECE_BYTES = 8 * 1024 * 1024;
const AT_ONCE = 2;
const ANNOUNCED_AT_ONCE = 4;
const LONGEST_WAIT_MS = 10_000;

/**
 * Tells the portal of all chosen files at once, and sends them in pieces (tus), two at a time; goes on by itself after a lost connection. It lives
 * as long as the page's script: going on to any other page does not stop it, and closing the window asks. Nothing of it is kept in the browser.
 */
export class UploadQueue {
  private uploads: readonly QueuedUpload[] = [];
  private running = new Map<string, Upload>();
  private beingAnnounced = new Set<string>();
  private timers = new Map<string, number>();
  private tries = new Map<string, number>();
  private listeners = new Set<() => void>();
  private onArrived: () => void = () => undefined;

  constructor(
    private endpoint: string,
    private metadata: (upload: QueuedUpload) => Record<string, string>,
  ) {
    holdOpen(() => this.uploads.some((upload) => !hasEnded(upload)));
    window.addEventListener("online", () =>
      this.uploads.filter(({ state }) => state === "waiting").forEach(({ key }) => this.resume(key)),
    );
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = () => this.uploads;

  /** From now on its files are this referral's: the form that they were begun in is saved. */
  belongsTo(metadata: (upload: QueuedUpload) => Record<string, string>): void {
    this.metadata = metadata;
  }

  /** Who is told when a file has become an image, from now on. */
  whenArrived(tell: () => void): void {
    this.onArrived = tell;
  }

  add(chosen: readonly Chosen[]): void {
    const added = chosen.map(({ refusal, ...file }): QueuedUpload => {
      const state = refusal !== null ? "refused" : file.uploadId === null ? "announcing" : "queued";
      return { ...file, key: randomKey(), state, sentBytes: 0, secondsLeft: null, text: refusal, fileId: null };
    });
    this.set([...this.uploads, ...added]);
    for (let lane = 0; lane < ANNOUNCED_AT_ONCE; lane += 1) void this.announceNext();
    this.startNext();
  }

  /** The server knows of every file, or says why it will not have it. */
  async allAnnounced(): Promise<void> {
    while (this.uploads.some(({ state }) => state === "announcing")) await new Promise((tell) => this.onNews(tell));
  }

  private onNews(tell: (news: undefined) => void): void {
    const stop = this.subscribe(() => (stop(), tell(undefined)));
  }

  /** Whether one of the uploads of these names is one of these. */
  hasAny(uploadIds: readonly string[]): boolean {
    return this.uploads.some(({ uploadId }) => uploadId !== null && uploadIds.includes(uploadId));
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
    const isKnown = this.find(key)?.uploadId !== null;
    this.change(key, { state: isKnown ? "queued" : "announcing", text: null });
    if (isKnown) this.startNext();
    else void this.announceNext();
  }

  remove(key: string): void {
    const upload = this.find(key);
    this.stop(key);
    this.set(this.uploads.filter((each) => each.key !== key));
    // Should this not reach the server, the upload stands in its list of unfinished ones.
    if (upload?.uploadId && upload.state !== "done") this.cancel(upload.uploadId);
    this.startNext();
  }

  private cancel(uploadId: string): void {
    void fetch(`${this.endpoint}/${uploadId}`, {
      method: "DELETE",
      headers: { "Tus-Resumable": "1.0.0" },
    }).catch(() => undefined);
  }

  /** Lets go of uploads that the page lists by itself by now. */
  forget(uploadIds: readonly (string | null)[]): void {
    const left = this.uploads.filter(({ state, uploadId }) => state !== "done" || !uploadIds.includes(uploadId));
    if (left.length < this.uploads.length) this.set(left);
  }

  private async announceNext(): Promise<void> {
    const next = this.uploads.find(({ key, state }) => state === "announcing" && !this.beingAnnounced.has(key));
    if (!next) return;
    const { key, file } = next;
    this.beingAnnounced.add(key);
    const told = await announceUpload(this.endpoint, file.size, this.metadata(next));
    this.beingAnnounced.delete(key);
    // It may have been removed meanwhile.
    if (this.find(key)) {
      if (told.uploadId !== null) this.change(key, { uploadId: told.uploadId, state: "queued" });
      else this.refused(key, told.status, told.text ?? "");
    } else if (told.uploadId !== null) this.cancel(told.uploadId);
    this.startNext();
    return this.announceNext();
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
      // Another one, where the server no longer knows the first.
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
    this.refused(key, status, decodeHeader(response?.getHeader("Upload-Refusal")) ?? response?.getBody() ?? "");
    this.startNext();
  }

  private refused(key: string, status: number, text: string): void {
    if (status === 400 || status === 413) this.change(key, { state: "refused", text });
    else if (status === 507 || (status >= 400 && status < 500 && status !== 409 && status !== 423))
      this.change(key, { state: "stopped", text });
    else this.waitFor(key);
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

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => `0${byte.toString(16)}`.slice(-2)).join("");
}

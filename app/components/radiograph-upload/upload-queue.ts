import { DetailedError, Upload } from "tus-js-client";
import { askWhoIsSignedIn, isLocked, onLockChange } from "~/http/forms/document-person";
import { holdOpen } from "~/http/forms/unsaved-forms";
import { CHANGED_FILE, isReadable } from "~/ui/forms/file-input";
import {
  announceUpload,
  type Chosen,
  decodeHeader,
  hasEnded,
  isStuck,
  isUnannounced,
  isUnderWay,
  measureSpeed,
  type QueuedUpload,
  stateAfter,
  toQueued,
  withdrawUpload,
} from "./queued-upload";
import { mayHaveType } from "./choose";

/** A lost connection repeats at most one part, also behind a proxy that buffers requests. */
const PIECE_BYTES = 8 * 1024 * 1024;

interface TusUploadOptions {
  endpoint: string;
  metadata: Record<string, string>;
  onAddress(uploadId: string | null): void;
  onProgress(sentBytes: number, secondsLeft: number | null): void;
  /** All bytes arrived. `refusal` is Danish; `fileId` is set once it is an image. */
  onArrived(outcome: { refusal: string | null; fileId: number | null }): void;
  onFailed(status: number, text: string): void;
}

function createTusUpload(
  { file, uploadId }: Pick<QueuedUpload, "file" | "uploadId">,
  { endpoint, metadata, ...on }: TusUploadOptions,
): Upload {
  const speed = measureSpeed();
  let fileId: number | null = null;
  let refusal: string | null = null;
  const upload = new Upload(file, {
    endpoint,
    uploadUrl: uploadId ? `${endpoint}/${uploadId}` : null,
    chunkSize: PIECE_BYTES,
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata,
    onUploadUrlAvailable: () => on.onAddress(upload.url?.split("/").pop() ?? null),
    onProgress: (sentBytes) => on.onProgress(sentBytes, speed(sentBytes, file.size)),
    onAfterResponse: (_request, response) => {
      fileId = Number(response.getHeader("Upload-File")) || null;
      refusal = decodeHeader(response.getHeader("Upload-Refusal"));
    },
    onSuccess: () => on.onArrived({ refusal, fileId }),
    onError: (error) => {
      const response = error instanceof DetailedError ? error.originalResponse : null;
      const text = decodeHeader(response?.getHeader("Upload-Refusal")) ?? response?.getBody() ?? "";
      on.onFailed(response?.getStatus() ?? 0, text);
    },
  });
  return upload;
}

const MAX_PARALLEL = 2;
const MAX_PARALLEL_ANNOUNCEMENTS = 4;
/**
 * Limit of announced uploads: the rest of a long queue waits in the browser and leaves room for uploads begun
 * elsewhere.
 */
const MAX_ANNOUNCED = 20;
const TOO_MANY = 429;
const MAX_WAIT_MS = 10_000;

/**
 * Announces files, a few at once, and uploads two at a time (tus); resumes after a lost connection. Lives as long as
 * the page's script, so navigation does not stop it; closing the window asks first. Nothing is stored in the browser.
 */
export class UploadQueue {
  private uploads: readonly QueuedUpload[] = [];
  private running = new Map<string, Upload>();
  private beingAnnounced = new Set<string>();
  private isFull = false;
  private timers = new Map<string, number>();
  private tries = new Map<string, number>();
  /** Uploads of changed files, by the key of the file chosen again, which replaces them once it is announced. */
  private replaced = new Map<string, string>();
  private letGo = new Map<string, Pick<QueuedUpload, "place" | "guess">>();
  private places = 0;
  private listeners = new Set<() => void>();
  private onArrived: () => void = () => undefined;

  constructor(
    private endpoint: string,
    private metadata: (upload: QueuedUpload) => Record<string, string>,
  ) {
    holdOpen(() => this.uploads.some((upload) => !hasEnded(upload)));
    window.addEventListener("online", () => this.goOn());
    onLockChange(() => (isLocked() ? this.hold() : this.goOn()));
  }

  private goOn(): void {
    this.resume(...this.uploads.filter(({ state }) => state === "waiting").map(({ key }) => key));
  }

  /** While somebody else is signed in, uploads pause until their owner is back. */
  private hold(): void {
    for (const key of this.running.keys()) {
      this.stop(key);
      this.change(key, { state: "waiting", secondsLeft: null });
    }
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = () => this.uploads;

  belongsTo(metadata: (upload: QueuedUpload) => Record<string, string>): void {
    this.metadata = metadata;
  }

  whenArrived(onChange: () => void): void {
    this.onArrived = onChange;
  }

  add(chosen: readonly Chosen[]): void {
    const added = chosen.map((file) => toQueued(file, (this.places += 1)));
    const left = this.uploads.filter((upload) => {
      const again =
        upload.state === "changed" && added.find(({ name, state }) => name === upload.name && state !== "refused");
      if (again && upload.uploadId !== null) this.replaced.set(again.key, upload.uploadId);
      return !again;
    });
    this.set([...left, ...added]);
    this.startNext();
  }

  /** True once the server knows, or has refused, every file. */
  get isAnnounced(): boolean {
    return !this.uploads.some(isUnannounced);
  }

  /** Resolves once the server knows every file; false as soon as one of them needs the person. */
  async allAnnounced(): Promise<boolean> {
    while (!this.isAnnounced && !this.uploads.some(isStuck))
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => (stop(), resolve()));
      });
    return this.isAnnounced;
  }

  hasAny(uploadIds: readonly string[]): boolean {
    return uploadIds.some((uploadId) => this.letGo.has(uploadId) || this.isSending(uploadId));
  }

  isSending(uploadId: string): boolean {
    return this.uploads.some((upload) => upload.uploadId === uploadId);
  }

  setType(key: string, type: number): void {
    this.change(key, { type, guess: null });
  }

  setTypes(type: number): void {
    this.set(this.uploads.map((each) => (mayHaveType(each.name, type) ? { ...each, type, guess: null } : each)));
  }

  /** Place among the chosen files, and guessed type, of a file that the server lists meanwhile. */
  recall(uploadIds: readonly (string | null)[]): Pick<QueuedUpload, "place" | "guess"> | undefined {
    for (const uploadId of uploadIds) {
      const chosen = uploadId === null ? undefined : this.letGo.get(uploadId);
      if (chosen) return chosen;
    }
    return undefined;
  }

  pause(...keys: string[]): void {
    for (const key of keys) {
      this.stop(key);
      this.change(key, { state: "paused", secondsLeft: null });
    }
    this.startNext();
  }

  resume(...keys: string[]): void {
    for (const key of keys) {
      window.clearTimeout(this.timers.get(key));
      const isKnown = this.find(key)?.uploadId !== null;
      this.change(key, { state: isKnown ? "queued" : "announcing", text: null });
    }
    this.isFull = false;
    this.startNext();
  }

  remove(...keys: string[]): void {
    const gone = this.uploads.filter(({ key }) => keys.includes(key));
    for (const { key } of gone) this.stop(key);
    this.set(this.uploads.filter((each) => !gone.includes(each)));
    // If this request fails, the upload stays in the list of unfinished ones.
    for (const { uploadId, state } of gone) if (uploadId && state !== "done") withdrawUpload(this.endpoint, uploadId);
    this.startNext();
  }

  removeListed(uploadIds: readonly (string | null)[]): void {
    const moving = new Set(this.uploads.filter((each) => !hasEnded(each)).map(({ group }) => group ?? ""));
    const left = this.uploads.filter(
      ({ state, uploadId, group }) => state !== "done" || moving.has(group ?? "-") || !uploadIds.includes(uploadId),
    );
    if (left.length === this.uploads.length) return;
    for (const { uploadId, place, guess } of this.uploads.filter((each) => !left.includes(each)))
      this.letGo.set(uploadId!, { place, guess });
    this.set(left);
  }

  private announceMore(): void {
    while (!this.isFull && this.beingAnnounced.size < MAX_PARALLEL_ANNOUNCEMENTS && this.countKnown() < MAX_ANNOUNCED) {
      const next = this.uploads.find(({ key, state }) => state === "announcing" && !this.beingAnnounced.has(key));
      if (!next) return;
      this.beingAnnounced.add(next.key);
      void this.announce(next);
    }
  }

  private countKnown(): number {
    return this.uploads.filter(isUnderWay).length + this.beingAnnounced.size;
  }

  private async announce(next: QueuedUpload): Promise<void> {
    const { key, file } = next;
    const announced = await announceUpload(this.endpoint, file.size, this.metadata(next));
    this.beingAnnounced.delete(key);
    if (this.find(key)) {
      if (announced.uploadId !== null) {
        this.change(key, { uploadId: announced.uploadId, state: "queued" });
        this.withdrawReplaced(key);
      }
      // The person's other uploads fill the quota; announcing continues when one of these has ended.
      else if (announced.status === TOO_MANY && this.countKnown() > 0) this.isFull = true;
      else await this.refused(key, announced.status, announced.text ?? "");
    } else if (announced.uploadId !== null) withdrawUpload(this.endpoint, announced.uploadId);
    this.startNext();
  }

  /** Only now, so that a submission that waits for the file never finds it missing. */
  private withdrawReplaced(key: string): void {
    const uploadId = this.replaced.get(key);
    this.replaced.delete(key);
    if (uploadId !== undefined) withdrawUpload(this.endpoint, uploadId);
  }

  private startNext(): void {
    if (isLocked()) return;
    this.announceMore();
    while (this.running.size < MAX_PARALLEL) {
      const next = this.uploads.find(({ state }) => state === "queued");
      if (!next) return;
      this.start(next);
    }
  }

  private ended(key: string): void {
    this.running.delete(key);
    this.isFull = false;
  }

  private start(queued: QueuedUpload): void {
    const { key, file } = queued;
    const upload = createTusUpload(queued, {
      endpoint: this.endpoint,
      metadata: this.metadata(queued),
      onAddress: (uploadId) => this.change(key, { uploadId }),
      onProgress: (sentBytes, secondsLeft) => {
        this.tries.delete(key);
        const isAll = sentBytes === file.size;
        this.change(key, { sentBytes, state: isAll ? "checking" : "sending", secondsLeft: isAll ? null : secondsLeft });
      },
      onArrived: ({ refusal, fileId }) => {
        this.ended(key);
        if (refusal !== null) this.change(key, { state: "refused", text: refusal });
        else this.change(key, { state: "done", fileId, secondsLeft: null });
        this.onArrived();
        this.startNext();
      },
      onFailed: (status, text) => {
        this.ended(key);
        void this.failed(key, status, text).then(() => this.startNext());
      },
    });
    this.running.set(key, upload);
    this.change(key, { state: "sending" });
    upload.start();
  }

  /**
   * Without an answer the connection is lost, or the browser can no longer read the file. The server goes on expecting
   * that file, so that no referral is sent without it, until the person chooses it again or removes it.
   */
  private async failed(key: string, status: number, text: string): Promise<void> {
    const upload = this.find(key);
    if (status !== 0 || !upload || (await isReadable(upload.file))) return this.refused(key, status, text);
    this.change(key, { state: "changed", secondsLeft: null, text: CHANGED_FILE });
  }

  private async refused(key: string, status: number, text: string): Promise<void> {
    // The upload may belong to somebody who signed out meanwhile.
    if (status === 404 || status === 409) await askWhoIsSignedIn();
    const state = isLocked() ? "waiting" : stateAfter(status);
    if (state === "waiting") this.waitFor(key);
    else this.change(key, { state, text });
  }

  /** Retries soon, then less often, and at once when the network is back. */
  private waitFor(key: string): void {
    const tries = (this.tries.get(key) ?? 0) + 1;
    this.tries.set(key, tries);
    this.change(key, { state: "waiting", secondsLeft: null });
    this.timers.set(
      key,
      window.setTimeout(() => this.resume(key), Math.min(MAX_WAIT_MS, 500 * 2 ** tries)),
    );
  }

  private stop(key: string): void {
    window.clearTimeout(this.timers.get(key));
    void this.running.get(key)?.abort();
    this.ended(key);
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

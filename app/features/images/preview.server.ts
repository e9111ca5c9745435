import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import sharp from "sharp";
import type { PreviewAnswer, PreviewJob } from "./preview-job";
import { MOST_TONE_STEPS, type NoPreviewReason, type PreviewSize, type Tone } from "./preview-result";

export interface PreviewRequest {
  /** Where the original lies; it is only read. */
  sourcePath: string;
  /** Of the original, 64 hexadecimal digits (inspectFile): what the cache is keyed by. */
  sha256: string;
  /** As inspectFile found it. */
  mime: string;
  size: PreviewSize;
  /** DICOM: 0-based frame; the middle one when absent. */
  frame?: number;
  /** DICOM: steps from the file's own window, or from its darkest to brightest. */
  tone?: Tone;
}

export type Preview = { path: string; mime: "image/jpeg"; width: number; height: number } | { failed: NoPreviewReason };

export interface Previews {
  /** Makes a preview or finds it in the cache. Never throws; `failed` says why there is none. */
  makePreview(request: PreviewRequest): Promise<Preview>;
  /** Deletes the cached previews of a file that is purged. */
  forget(sha256: string): Promise<void>;
  /** Ends the thread; waiting previews fail as `closed`. */
  close(): Promise<void>;
}

export interface PreviewOptions {
  /** The built thread: build/preview-worker.js. */
  workerPath: string;
  cacheDir: string;
  /** Milliseconds for one preview; then the thread is ended and started anew. */
  timeoutMs?: number;
  /** Previews that may wait; more answer `busy`. */
  maxQueue?: number;
  /** Milliseconds without work before the thread is ended to give its memory back. */
  idleMs?: number;
}

const HEAP_MEGABYTES = 512;
const MOST_REMEMBERED_FAILURES = 1000;

// These may go well another time; the others belong to the file and are not tried again while the process lives.
const passing: readonly NoPreviewReason[] = ["busy", "closed", "storage", "timeout", "crashed"];

interface Waiting {
  job: PreviewJob;
  settle(answer: PreviewAnswer): void;
}

/** Previews, one at a time, made in a thread of their own so that no file can hold up or fell the portal. */
export function createPreviews(options: PreviewOptions): Previews {
  const { workerPath, cacheDir, timeoutMs = 20_000, maxQueue = 200, idleMs = 60_000 } = options;
  const queue: Waiting[] = [];
  const inFlight = new Map<string, Promise<Preview>>();
  const failures = new Map<string, NoPreviewReason>();
  let worker: Worker | undefined;
  let current: (Waiting & { timer: NodeJS.Timeout }) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let lastId = 0;

  function startWorker(): Worker {
    const started = new Worker(workerPath, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
      // The thread needs no secrets of the portal.
      env: { NODE_ENV: process.env.NODE_ENV },
    });
    started.on("message", (answer: PreviewAnswer) => {
      if (worker === started && answer.id === current?.job.id) finish(answer);
    });
    started.on("error", () => lose(started));
    started.on("exit", () => lose(started));
    return started;
  }

  function lose(lost: Worker): void {
    if (worker !== lost) return;
    worker = undefined;
    if (current !== undefined) finish({ id: current.job.id, ok: false, reason: "crashed" });
  }

  function finish(answer: PreviewAnswer): void {
    if (current === undefined) return;
    clearTimeout(current.timer);
    const { settle } = current;
    current = undefined;
    settle(answer);
    next();
  }

  function expire(): void {
    const expired = worker;
    worker = undefined;
    void expired?.terminate();
    if (current !== undefined) finish({ id: current.job.id, ok: false, reason: "timeout" });
  }

  function next(): void {
    if (current !== undefined) return;
    const waiting = queue.shift();
    if (waiting === undefined) {
      rest();
      return;
    }
    clearTimeout(idleTimer);
    try {
      worker ??= startWorker();
      worker.ref();
      current = { ...waiting, timer: setTimeout(expire, timeoutMs) };
      worker.postMessage(waiting.job);
    } catch {
      worker = undefined;
      waiting.settle({ id: waiting.job.id, ok: false, reason: "crashed" });
      next();
    }
  }

  /** Idle: the thread must neither keep the process alive nor keep the codecs in memory for ever. */
  function rest(): void {
    worker?.unref();
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      const idle = worker;
      worker = undefined;
      void idle?.terminate();
    }, idleMs);
    idleTimer.unref();
  }

  function ask(job: PreviewJob): Promise<PreviewAnswer> {
    if (closed) return Promise.resolve({ id: job.id, ok: false, reason: "closed" });
    if (queue.length >= maxQueue) return Promise.resolve({ id: job.id, ok: false, reason: "busy" });
    return new Promise((settle) => {
      queue.push({ job, settle });
      next();
    });
  }

  async function produce(request: PreviewRequest, path: string): Promise<Preview> {
    const found = await readCached(path);
    if (found !== undefined) return found;
    const outputPath = `${path}.${process.pid}-${++lastId}.tmp`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const { sourcePath, mime, size, frame, tone } = request;
      const answer = await ask({
        id: lastId,
        sourcePath,
        outputPath,
        mime,
        size,
        ...(frame === undefined ? {} : { frame }),
        ...(tone === undefined ? {} : { tone }),
      });
      if (!answer.ok) {
        await rm(outputPath, { force: true });
        return { failed: answer.reason };
      }
      await rename(outputPath, path);
      return { path, mime: "image/jpeg", width: answer.width, height: answer.height };
    } catch {
      return { failed: "storage" };
    }
  }

  return {
    makePreview(request) {
      if (!isSha256(request.sha256) || !isUsable(request)) return Promise.resolve({ failed: "unsupported" });
      const path = join(folderOf(cacheDir, request.sha256), cacheName(request));
      const failure = failures.get(path);
      if (failure !== undefined) return Promise.resolve({ failed: failure });
      const running = inFlight.get(path);
      if (running !== undefined) return running;
      const started = produce(request, path)
        .then((preview) => {
          if ("failed" in preview && !passing.includes(preview.failed)) remember(failures, path, preview.failed);
          return preview;
        })
        .finally(() => inFlight.delete(path));
      inFlight.set(path, started);
      return started;
    },

    async forget(sha256) {
      if (isSha256(sha256)) await rm(folderOf(cacheDir, sha256), { recursive: true, force: true });
    },

    async close() {
      closed = true;
      clearTimeout(idleTimer);
      for (const { job, settle } of queue.splice(0)) settle({ id: job.id, ok: false, reason: "closed" });
      const ending = worker;
      worker = undefined;
      if (current !== undefined) finish({ id: current.job.id, ok: false, reason: "closed" });
      clearTimeout(idleTimer);
      await ending?.terminate();
    },
  };
}

function remember(failures: Map<string, NoPreviewReason>, path: string, reason: NoPreviewReason): void {
  const oldest = failures.keys().next();
  if (failures.size >= MOST_REMEMBERED_FAILURES && oldest.done !== true) failures.delete(oldest.value);
  failures.set(path, reason);
}

async function readCached(path: string): Promise<Preview | undefined> {
  try {
    const { width, height } = await sharp(path).metadata();
    return { path, mime: "image/jpeg", width, height };
  } catch {
    return undefined;
  }
}

function cacheName({ size, frame, tone }: PreviewRequest): string {
  const ofFrame = frame === undefined ? "" : `-f${frame}`;
  const ofTone = tone === undefined ? "" : `-b${tone.brightness}c${tone.contrast}`;
  return `${size}${ofFrame}${ofTone}.jpg`;
}

function folderOf(cacheDir: string, sha256: string): string {
  return join(cacheDir, sha256.slice(0, 2), sha256);
}

function isSha256(value: string): boolean {
  return /^[0-9a-f]{64}$/.test(value);
}

const isStep = (step: number) => Number.isInteger(step) && Math.abs(step) <= MOST_TONE_STEPS;

function isUsable({ size, frame, tone }: PreviewRequest): boolean {
  const isFrame = frame === undefined || (Number.isInteger(frame) && frame >= 0 && frame < 1e6);
  const isTone = tone === undefined || (isStep(tone.brightness) && isStep(tone.contrast));
  return ["thumb", "view", "full"].includes(size) && isFrame && isTone;
}

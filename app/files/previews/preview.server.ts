import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MAX_TONE_STEPS, type NoPreviewReason, type PreviewSize, type WindowAdjustment } from "./preview-result";
import type { DicomAnswer } from "~/files/dicom/dicom-facts.server";
import { FileNotInStore, type FileStore, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import type { PdfCheck } from "~/files/pdf/pdf-check.server";
import type { PdfTextAnswer } from "~/files/pdf/pdf-text.server";
import { isOfTheFile, type Readers } from "~/files/reading/readers.server";
import {
  type CaptureAnswer,
  type CaptureJob,
  captureJob,
  dicomJob,
  pdfCheckJob,
  pdfTextJob,
  type PreviewJob,
  previewJob,
} from "./preview-job";

/** Part of cache file names; raise it when drawing changes. */
const DRAWN_AS = 3;

function createPreviewCache(cacheDir: string) {
  let lastId = 0;
  const folderOf = (sha256: string) => join(cacheDir, sha256.slice(0, 2), sha256);
  const invalidate = (sha256: string) => rm(folderOf(sha256), { recursive: true, force: true });
  return {
    pathOf: (request: PreviewRequest) => join(folderOf(request.sha256), nameOf(request)),

    async find(path: string): Promise<Preview | undefined> {
      const { default: sharp } = await import("sharp");
      try {
        const { width, height } = await sharp(path).metadata();
        return { path, mime: "image/jpeg", width, height };
      } catch {
        const reason = await readFile(failureBeside(path), "utf8").catch(() => undefined);
        return reason === undefined ? undefined : { failed: reason as NoPreviewReason };
      }
    },

    async reserve(path: string): Promise<string> {
      await mkdir(dirname(path), { recursive: true });
      return `${path}.${process.pid}-${++lastId}.tmp`;
    },

    store: (reserved: string, path: string) => rename(reserved, path),

    /** With a reason the same bytes are never tried again, whatever frame, tone or name. */
    async giveUp(reserved: string, path: string, reason: NoPreviewReason | null): Promise<void> {
      await rm(reserved, { force: true });
      if (reason !== null) await writeFile(failureBeside(path), reason);
    },

    async invalidate(sha256: string): Promise<void> {
      if (isSha256(sha256)) await invalidate(sha256);
    },

    async invalidateUnknown(findKnown: (hashes: string[]) => Promise<Set<string>>): Promise<void> {
      for (const prefix of await readdir(cacheDir).catch(() => [])) {
        const hashes = (await readdir(join(cacheDir, prefix)).catch(() => [])).filter(isSha256);
        if (hashes.length === 0) continue;
        const known = await findKnown(hashes);
        for (const sha256 of hashes) if (!known.has(sha256)) await invalidate(sha256);
      }
    },
  };
}

const failureBeside = (path: string) => join(dirname(path), `failed.${DRAWN_AS}`);

function nameOf({ size, frame, tone }: PreviewRequest): string {
  const ofFrame = frame === undefined ? "" : `-f${frame}`;
  const ofTone = tone === undefined ? "" : `-b${tone.brightness}c${tone.contrast}`;
  return `${size}${ofFrame}${ofTone}.${DRAWN_AS}.jpg`;
}

const isSha256 = (value: string) => /^[0-9a-f]{64}$/.test(value);

export interface PreviewRequest {
  storageKey: string;
  sha256: string;
  mime: string;
  size: PreviewSize;
  frame?: number;
  tone?: WindowAdjustment;
  requestedBy: string;
}

type Preview = { path: string; mime: "image/jpeg"; width: number; height: number } | { failed: NoPreviewReason };

export interface Previews {
  /** Draws a preview or takes it from the cache. Never throws; `failed` is the reason. */
  makePreview(request: PreviewRequest): Promise<Preview>;
  /** Reads a DICOM header and checks its pixels; unreadable files are `damaged`. Throws `TooManyReading`, and when the portal is closing. */
  readDicom(sourcePath: string, requestedBy: string): Promise<DicomAnswer>;
  /** Whether a PDF can be opened; unreadable ones are `damaged`. Throws `TooManyReading`, and when the portal is closing. */
  checkPdf(sourcePath: string, requestedBy: string): Promise<PdfCheck>;
  /** Writes a picture as DICOM; `failed` is the reason. Throws when the portal is closing. */
  writeCapture(job: CaptureJob): Promise<CaptureAnswer>;
  readPdfText(sourcePath: string): Promise<PdfTextAnswer>;
  invalidate(sha256: string): Promise<void>;
  invalidateUnknown(findKnown: (hashes: string[]) => Promise<Set<string>>): Promise<void>;
}

export interface PreviewOptions {
  readers: Readers;
  cacheDir: string;
  files: Pick<FileStore, "withLocalCopy">;
}

/** Temporary reasons; the others belong to the file and are never retried. */
const passing: readonly NoPreviewReason[] = ["busy", "closed", "storage", "noFrame"];

export function createPreviews({ readers, cacheDir, files }: PreviewOptions): Previews {
  const inFlight = new Map<string, { preview: Promise<Preview>; join?: (requestedBy: string) => void }>();
  const cache = createPreviewCache(cacheDir);

  async function produce(
    request: PreviewRequest,
    path: string,
    withJob: (joinWork: (requestedBy: string) => void) => void,
  ): Promise<Preview> {
    const found = await cache.find(path);
    if (found !== undefined) return found;
    try {
      const outputPath = await cache.reserve(path);
      const { requestedBy, storageKey, mime, size, frame, tone } = request;
      const job: Omit<PreviewJob, "sourcePath"> = {
        outputPath,
        mime,
        size,
        frame,
        tone,
      };
      const answer = await files.withLocalCopy(storageKey, (sourcePath) =>
        readers.ask(previewJob, { ...job, sourcePath }, requestedBy, withJob),
      );
      if (!("width" in answer)) {
        const failed: NoPreviewReason = "lost" in answer ? answer.lost : answer.failed;
        await cache.giveUp(outputPath, path, passing.includes(failed) ? null : failed);
        return { failed };
      }
      await cache.store(outputPath, path);
      return { path, mime: "image/jpeg", ...answer };
    } catch (error) {
      return { failed: reasonOf(error) };
    }
  }

  return {
    makePreview(request) {
      if (!isSha256(request.sha256) || !isUsable(request)) return Promise.resolve({ failed: "unsupported" });
      const path = cache.pathOf(request);
      const running = inFlight.get(path);
      if (running !== undefined) {
        running.join?.(request.requestedBy);
        return running.preview;
      }
      const started: { preview: Promise<Preview>; join?: (requestedBy: string) => void } = {
        preview: produce(request, path, (joinWork) => {
          started.join = joinWork;
        }).finally(() => inFlight.delete(path)),
      };
      inFlight.set(path, started);
      return started.preview;
    },

    async readDicom(sourcePath, requestedBy) {
      return (await readers.read(dicomJob, { sourcePath }, requestedBy)) ?? { failed: "damaged" };
    },

    async checkPdf(sourcePath, requestedBy) {
      return (await readers.read(pdfCheckJob, { sourcePath }, requestedBy))?.check ?? "damaged";
    },

    async writeCapture(job) {
      const answer = await readers.ask(captureJob, job, "archive");
      if (!("lost" in answer)) return answer;
      if (isOfTheFile(answer.lost)) return { failed: answer.lost };
      throw new Error(`capture not written: ${answer.lost}`);
    },

    async readPdfText(sourcePath) {
      return (await readers.read(pdfTextJob, { sourcePath }, "letters")) ?? { failed: "damaged" };
    },

    invalidate: cache.invalidate,
    invalidateUnknown: cache.invalidateUnknown,
  };
}

function reasonOf(error: unknown): NoPreviewReason {
  if (error instanceof FileNotInStore) return "gone";
  if (error instanceof StoreUnavailable) return "away";
  return error instanceof WrongContent ? "altered" : "storage";
}

const isStep = (step: number) => Number.isInteger(step) && Math.abs(step) <= MAX_TONE_STEPS;

function isUsable({ size, frame, tone }: PreviewRequest): boolean {
  const isFrame = frame === undefined || (Number.isInteger(frame) && frame >= 0 && frame < 1e6);
  const isTone = tone === undefined || (isStep(tone.brightness) && isStep(tone.contrast));
  return ["thumb", "view", "full"].includes(size) && isFrame && isTone;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

export function noPreviewPicture(reason: string): string {
  const [first = "", ...rest] = reason.split(": ");
  const second = rest.join(": ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" role="img" aria-label="${escape(reason)}"><rect width="320" height="240" fill="#eaf0f5"/><path d="M136 60h34l18 18v42h-52z" fill="none" stroke="#4b5b69" stroke-width="3"/><g font-family="Arial,sans-serif" fill="#4b5b69" text-anchor="middle"><text x="160" y="156" font-size="17" font-weight="600">${escape(first)}</text><text x="160" y="180" font-size="12">${escape(second)}</text></g></svg>`;
}

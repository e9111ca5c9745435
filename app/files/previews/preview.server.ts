import type { DicomAnswer } from "~/files/dicom/dicom-facts.server";
import { FileNotInStore, type FileStore, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import type { PdfCheck } from "~/files/pdf/pdf-check.server";
import type { PdfTextAnswer } from "~/files/pdf/pdf-text.server";
import { createImageProcess, type Lost } from "./image-process.server";
import { createPreviewCache, isSha256 } from "./preview-cache.server";
import type {
  CaptureAnswer,
  CaptureJob,
  DicomJob,
  PdfCheckAnswer,
  PdfCheckJob,
  PdfTextJob,
  PreviewAnswer,
  PreviewJob,
} from "./preview-job";
import { MAX_TONE_STEPS, type NoPreviewReason, type PreviewSize, type WindowAdjustment } from "./preview-result";

export interface PreviewRequest {
  /** Of the original in the store; it is only read, and only when there is no preview yet. */
  storageKey: string;
  /** Of the original, 64 hexadecimal digits (inspectFile): what the cache is keyed by. */
  sha256: string;
  /** As inspectFile found it. */
  mime: string;
  size: PreviewSize;
  /** DICOM: 0-based frame; the middle one when absent. */
  frame?: number;
  /** DICOM: steps from the file's own window. */
  tone?: WindowAdjustment;
  /** Who asks: previews are made for one person in turn after another. */
  requestedBy: string;
}

export type Preview = { path: string; mime: "image/jpeg"; width: number; height: number } | { failed: NoPreviewReason };

export interface Previews {
  /** Makes a preview or finds it in the cache. Never throws; `failed` says why there is none. */
  makePreview(request: PreviewRequest): Promise<Preview>;
  /** Reads what a DICOM file says of itself and checks that its pixels are there. A file that cannot be read so is `damaged`. Throws when the portal is closing. */
  readDicom(sourcePath: string): Promise<DicomAnswer>;
  /** Whether readers can open a PDF. One that cannot be read so is `damaged`. Throws when the portal is closing. */
  checkPdf(sourcePath: string): Promise<PdfCheck>;
  /** Writes a picture as a DICOM file. `failed` says why there is none. Throws when the portal is closing. */
  writeCapture(job: Omit<CaptureJob, "kind">): Promise<CaptureAnswer>;
  /** Reads what a PDF says. One that cannot be read so is `damaged`. Throws when the portal is closing. */
  readPdfText(sourcePath: string): Promise<PdfTextAnswer>;
  /** Deletes the cached previews of a file that is purged. */
  invalidate(sha256: string): Promise<void>;
  /** Deletes the cached previews of files of which `findKnown` knows none any more; it is asked about some at a time. */
  invalidateUnknown(findKnown: (hashes: string[]) => Promise<Set<string>>): Promise<void>;
  /** Ends the processes; waiting previews fail as `closed`. */
  close(): Promise<void>;
}

export interface PreviewOptions {
  /** The built process: build/preview-worker.js. */
  workerPath: string;
  cacheDir: string;
  /** Where the originals are. */
  files: Pick<FileStore, "withLocalCopy">;
  /** Milliseconds for one preview. */
  timeoutMs?: number;
  /** Previews that may wait for one person; more answer `busy`. */
  maxWaitingEach?: number;
  idleMs?: number;
  /** Memory that a process may hold, wherever it lies. */
  maxRssBytes?: number;
}

/** Longer than for a preview: every pixel is written, and no request waits for it. */
const CAPTURE_MS = 60_000;

/** These belong to one request or to the moment; the others belong to the file, and are never tried again. */
const passing: readonly NoPreviewReason[] = ["busy", "closed", "storage", "noFrame"];

/**
 * Previews, made in a process of its own so that no file can block or crash the portal. Uploads are checked in a second one; pictures are
 * written for the archive, and letters read for EDI, in a third: none of them waits for the others.
 */
export function createPreviews(options: PreviewOptions): Previews {
  const {
    workerPath: modulePath,
    cacheDir,
    files,
    timeoutMs = 20_000,
    maxWaitingEach = 200,
    idleMs = 60_000,
    maxRssBytes = 1.2e9,
  } = options;
  const drawing = createImageProcess<PreviewJob, PreviewAnswer>({
    modulePath,
    timeoutMs,
    idleMs,
    maxWaitingEach,
    maxRssBytes,
  });
  const reading = createImageProcess<DicomJob | PdfCheckJob, DicomAnswer | PdfCheckAnswer>({
    modulePath,
    timeoutMs,
    idleMs,
    maxWaitingEach: Infinity,
    maxRssBytes,
  });
  const leaving = createImageProcess<CaptureJob | PdfTextJob, CaptureAnswer | PdfTextAnswer>({
    modulePath,
    timeoutMs: CAPTURE_MS,
    idleMs,
    maxWaitingEach: Infinity,
    maxRssBytes,
  });
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
        kind: "preview",
        outputPath,
        mime,
        size,
        ...(frame === undefined ? {} : { frame }),
        ...(tone === undefined ? {} : { tone }),
      };
      const answer = await files.withLocalCopy(storageKey, (sourcePath) =>
        drawing.ask({ ...job, sourcePath }, requestedBy, withJob),
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

    async readDicom(sourcePath) {
      const answer = await reading.ask({ kind: "dicom", sourcePath }, "uploads");
      if (!("lost" in answer)) return answer as DicomAnswer;
      if (isOfTheFile(answer.lost)) return { failed: "damaged" };
      throw new Error(`DICOM header not read: ${answer.lost}`);
    },

    async checkPdf(sourcePath) {
      const answer = await reading.ask({ kind: "pdfCheck", sourcePath }, "uploads");
      if (!("lost" in answer)) return (answer as PdfCheckAnswer).check;
      if (isOfTheFile(answer.lost)) return "damaged";
      throw new Error(`PDF not checked: ${answer.lost}`);
    },

    async writeCapture(job) {
      const answer = await leaving.ask({ kind: "capture", ...job }, "archive");
      if (!("lost" in answer)) return answer as CaptureAnswer;
      if (isOfTheFile(answer.lost)) return { failed: answer.lost };
      throw new Error(`capture not written: ${answer.lost}`);
    },

    async readPdfText(sourcePath) {
      const answer = await leaving.ask({ kind: "pdfText", sourcePath }, "letters");
      if (!("lost" in answer)) return answer as PdfTextAnswer;
      if (isOfTheFile(answer.lost)) return { failed: "damaged" };
      throw new Error(`PDF not read: ${answer.lost}`);
    },

    invalidate: cache.invalidate,
    invalidateUnknown: cache.invalidateUnknown,

    async close() {
      await Promise.all([drawing.close(), reading.close(), leaving.close()]);
    },
  };
}

/** None of these is of the picture: a file that is back, or right again, is drawn. */
function reasonOf(error: unknown): NoPreviewReason {
  if (error instanceof FileNotInStore) return "gone";
  if (error instanceof StoreUnavailable) return "away";
  return error instanceof WrongContent ? "altered" : "storage";
}

const isOfTheFile = (lost: Lost): lost is "timeout" | "crashed" => lost === "timeout" || lost === "crashed";

const isStep = (step: number) => Number.isInteger(step) && Math.abs(step) <= MAX_TONE_STEPS;

function isUsable({ size, frame, tone }: PreviewRequest): boolean {
  const isFrame = frame === undefined || (Number.isInteger(frame) && frame >= 0 && frame < 1e6);
  const isTone = tone === undefined || (isStep(tone.brightness) && isStep(tone.contrast));
  return ["thumb", "view", "full"].includes(size) && isFrame && isTone;
}

import type { DicomAnswer } from "~/files/dicom/dicom-facts.server";
import { FileNotInStore, type FileStore, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import type { PdfCheck } from "~/files/pdf/pdf-check.server";
import type { PdfTextAnswer } from "~/files/pdf/pdf-text.server";
import { isOfTheFile, type Readers } from "~/files/reading/readers.server";
import { createPreviewCache, isSha256 } from "./preview-cache.server";
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
  writeCapture(job: CaptureJob): Promise<CaptureAnswer>;
  /** Reads what a PDF says. One that cannot be read so is `damaged`. Throws when the portal is closing. */
  readPdfText(sourcePath: string): Promise<PdfTextAnswer>;
  /** Deletes the cached previews of a file that is purged. */
  invalidate(sha256: string): Promise<void>;
  /** Deletes the cached previews of files of which `findKnown` knows none any more; it is asked about some at a time. */
  invalidateUnknown(findKnown: (hashes: string[]) => Promise<Set<string>>): Promise<void>;
}

export interface PreviewOptions {
  readers: Readers;
  cacheDir: string;
  /** Where the originals are. */
  files: Pick<FileStore, "withLocalCopy">;
}

/** These belong to one request or to the moment; the others belong to the file, and are never tried again. */
const passing: readonly NoPreviewReason[] = ["busy", "closed", "storage", "noFrame"];

/** Previews, and what pictures and PDFs say of themselves: all of it is read in processes of their own, so that no file can block or crash the portal. */
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
        ...(frame === undefined ? {} : { frame }),
        ...(tone === undefined ? {} : { tone }),
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

    async readDicom(sourcePath) {
      return (await readers.read(dicomJob, { sourcePath }, "uploads")) ?? { failed: "damaged" };
    },

    async checkPdf(sourcePath) {
      return (await readers.read(pdfCheckJob, { sourcePath }, "uploads"))?.check ?? "damaged";
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

/** None of these is of the picture: a file that is back, or right again, is drawn. */
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

/**
 * The process that reads pictures. It is built to a file of its own (build/preview-worker.js) and started by image-process.server.ts,
 * which kills it when it takes too long: whatever a broken or hostile file does to a decoder stays in here.
 */
import { readFile, stat } from "node:fs/promises";
import { setPriority } from "node:os";
import { isMainThread, Worker } from "node:worker_threads";
import type { Sharp } from "sharp";
import { BmpError, decodeBmp } from "~/files/dicom/bmp";
import { DicomError } from "~/files/dicom/dicom-error";
import { readDicomFacts } from "~/files/dicom/dicom-facts.server";
import { MAX_DRAWN_PIXELS } from "~/files/dicom/dicom-pixels";
import type { PdfTextAnswer } from "~/files/pdf/pdf-text.server";
import type { CaptureAnswer, CaptureJob, ImageJob, PdfCheckAnswer, PreviewAnswer, PreviewJob } from "./preview-job";
import { applyGamma, gammaToApply } from "./png-gamma.server";
import type { NoPreviewReason, PreviewSize } from "./preview-result";

const MAX_SOURCE_BYTES = 210e6;
const DECODE_SECONDS = 15;
/** Of the portal's own work, which goes first. */
const LOWER_PRIORITY = 10;

const boxes: Readonly<Record<PreviewSize, { width: number; height: number; quality: number }>> = {
  thumb: { width: 320, height: 240, quality: 74 },
  view: { width: 1600, height: 1600, quality: 82 },
  full: { width: 6000, height: 6000, quality: 88 },
};

process.on("message", (job: ImageJob) => {
  void answerTo(job).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());
watchMemory(Number(process.argv[2]));
try {
  setPriority(LOWER_PRIORITY);
} catch {
  // Where the system does not allow it, previews compete with the rest.
}

function answerTo(job: ImageJob): Promise<unknown> {
  switch (job.kind) {
    case "preview":
      return drawPreview(job);
    case "dicom":
      return readDicomFacts(job.sourcePath);
    case "capture":
      return writeCapture(job);
    case "pdfText":
      return readPdf(job.sourcePath);
    case "pdfCheck":
      return checkUploadedPdf(job.sourcePath);
  }
}

/** Its reader is loaded with the first PDF. */
async function readPdf(sourcePath: string): Promise<PdfTextAnswer> {
  const { readPdfText } = await import("~/files/pdf/pdf-text.server");
  return readPdfText(sourcePath);
}

async function checkUploadedPdf(sourcePath: string): Promise<PdfCheckAnswer> {
  const { checkPdf } = await import("~/files/pdf/pdf-check.server");
  return { check: await checkPdf(sourcePath) };
}

/**
 * Kills the process when it holds more memory than it may, wherever the memory lies (V8's own limit counts neither buffers nor the
 * decoders' memory), and when the portal has died. In a thread, because a decoder does not yield while it works.
 */
function watchMemory(maxRssBytes: number): void {
  const watch = `
    const { workerData } = require("node:worker_threads");
    const parent = process.ppid;
    setInterval(() => {
      if (process.memoryUsage.rss() > workerData || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
    }, 25);`;
  if (isMainThread) new Worker(watch, { eval: true, workerData: maxRssBytes }).unref();
}

async function drawPreview(job: PreviewJob): Promise<PreviewAnswer> {
  try {
    const image = await decode(job);
    const box = boxes[job.size];
    const { width, height } = await image
      .resize({ width: box.width, height: box.height, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .timeout({ seconds: DECODE_SECONDS })
      .jpeg({ quality: box.quality })
      .toFile(job.outputPath);
    return { width, height };
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

async function writeCapture({ header, ...job }: CaptureJob): Promise<CaptureAnswer> {
  try {
    const { writeSecondaryCapture } = await import("~/files/dicom/secondary-capture.server");
    const picture = await decode(job);
    return await writeSecondaryCapture(job, header, picture);
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

/** Loaded with the first picture: the process that only reads headers starts faster without them. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  // One picture at a time and none remembered: this process must stay small.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

class NoPreview extends Error {
  constructor(readonly reason: NoPreviewReason) {
    super(reason);
  }
}

function reasonOf(error: unknown): NoPreviewReason {
  if (error instanceof NoPreview || error instanceof BmpError) return error.reason;
  if (error instanceof DicomError) return error.reason === "notDicom" ? "damaged" : error.reason;
  const message = error instanceof Error ? error.message : "";
  if (/exceeds pixel limit/i.test(message)) return "tooManyPixels";
  if (/timeout/i.test(message)) return "timeout";
  if (/ENOSPC|No space|unable to open for write/i.test(message)) return "storage";
  return "damaged";
}

async function decode({
  sourcePath,
  mime,
  frame,
  tone,
}: Pick<PreviewJob, "sourcePath" | "mime" | "frame" | "tone">): Promise<Sharp> {
  const sharp = await loadSharp();
  switch (mime) {
    case "image/jpeg":
    case "image/png":
    case "image/gif": {
      await refuseLarger(sourcePath);
      const picture = sharp(sourcePath, { limitInputPixels: MAX_DRAWN_PIXELS, failOn: "truncated" }).rotate();
      const gamma = mime === "image/png" ? await gammaToApply(sourcePath) : null;
      return gamma === null ? picture : applyGamma(sharp, picture, gamma);
    }
    case "image/bmp": {
      await refuseLarger(sourcePath);
      const { width, height, data } = decodeBmp(await readFile(sourcePath), MAX_DRAWN_PIXELS);
      return sharp(data, { raw: { width, height, channels: 3 } });
    }
    case "application/dicom": {
      const { drawDicom } = await import("~/files/dicom/draw-dicom.server");
      const { data, ...raw } = await drawDicom(sourcePath, frame, tone);
      return sharp(data, { raw });
    }
    default:
      throw new NoPreview("unsupported");
  }
}

async function refuseLarger(path: string): Promise<void> {
  if ((await stat(path)).size > MAX_SOURCE_BYTES) throw new NoPreview("tooLarge");
}

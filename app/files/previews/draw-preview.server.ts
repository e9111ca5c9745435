import { type FileHandle, open, stat } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { BmpError, decodeBmp } from "~/files/dicom/bmp";
import { DicomError, MAX_DRAWN_PIXELS } from "~/files/dicom/dicom-pixels";
import { DICOM_MIME } from "~/files/file-rules";
import { pictureOfMime, pictures } from "~/files/pictures";
import type { CaptureAnswer, CaptureJob, PreviewAnswer, PreviewJob } from "./preview-job";
import type { NoPreviewReason, PreviewSize } from "./preview-result";

/** Gamma of sRGB; libpng ignores differences within this distance. */
const SCREEN_GAMMA = 0.45455;
const TOLERANCE = 0.05;

/**
 * The gamma of a PNG that a browser would apply; null without `gAMA`, with the screen's gamma, or if another chunk
 * defines the colours.
 */
async function gammaToApply(path: string): Promise<number | null> {
  const file = await open(path, "r");
  try {
    const gamma = await statedGamma(file);
    return gamma === null || Math.abs(gamma / SCREEN_GAMMA - 1) < TOLERANCE ? null : gamma;
  } finally {
    await file.close();
  }
}

async function statedGamma(file: FileHandle): Promise<number | null> {
  const chunk = Buffer.alloc(12);
  let gamma: number | null = null;
  for (let at = 8; (await file.read(chunk, 0, 12, at)).bytesRead === 12; at += 12 + chunk.readUInt32BE(0)) {
    const name = chunk.toString("latin1", 4, 8);
    if (["sRGB", "iCCP", "cICP"].includes(name)) return null;
    if (name === "gAMA") gamma = chunk.readUInt32BE(8) / 100_000;
    if (name === "IDAT" || name === "IEND") break;
  }
  return gamma === null || gamma <= 0 ? null : gamma;
}

/** Applies the gamma at full depth; transparency stays. */
async function applyGamma(
  sharp: (data: Uint8Array | Uint16Array, options: SharpOptions) => Sharp,
  picture: Sharp,
  gamma: number,
): Promise<Sharp> {
  const { depth, channels: stored } = await picture.metadata();
  const isDeep = depth === "ushort";
  const raw = isDeep
    ? picture.toColourspace(stored < 3 ? "grey16" : "rgb16").raw({ depth: "ushort" })
    : picture.raw({ depth: "uchar" });
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const shown = shownLevels(isDeep ? 65_535 : 255, gamma);
  const hasAlpha = channels === 2 || channels === 4;
  for (let at = 0; at < samples.length; at++)
    if (!hasAlpha || (at + 1) % channels !== 0) samples[at] = shown[samples[at]!]!;
  return sharp(samples, { raw: { width, height, channels } });
}

function shownLevels(max: number, gamma: number): Uint16Array {
  return Uint16Array.from({ length: max + 1 }, (_, level) => {
    const light = (level / max) ** (1 / gamma);
    const shown = light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(shown * max);
  });
}

/** Draws pictures and writes them as DICOM files. Only in a process that reads hostile files (reader-program.server.ts). */

const MAX_SOURCE_BYTES = 210e6;
const DECODE_SECONDS = 15;
const BMP_HEAD_BYTES = 2048;

const boxes: Readonly<Record<PreviewSize, { width: number; height: number; quality: number }>> = {
  thumb: { width: 320, height: 240, quality: 74 },
  view: { width: 1600, height: 1600, quality: 82 },
  full: { width: 6000, height: 6000, quality: 88 },
};

export async function drawPreview(job: PreviewJob): Promise<PreviewAnswer> {
  try {
    const image = await decode(job);
    const box = boxes[job.size];
    const { width, height } = await image
      .resize({ width: box.width, height: box.height, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .timeout({ seconds: DECODE_SECONDS })
      // Optimised tables make the file some 2 % smaller, and keep a whole picture of 6,000 × 6,000 in memory.
      .jpeg({ quality: box.quality, optimiseCoding: job.size !== "full" })
      .toFile(job.outputPath);
    return { width, height };
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

export async function writeCapture({ header, ...job }: CaptureJob): Promise<CaptureAnswer> {
  try {
    const { writeSecondaryCapture } = await import("~/files/dicom/secondary-capture.server");
    const picture = await decode(job);
    return await writeSecondaryCapture(job, header, picture);
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

async function loadSharp() {
  const { default: sharp } = await import("sharp");
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
  if (mime === DICOM_MIME) {
    const { drawDicom } = await import("~/files/dicom/draw-dicom.server");
    const { data, ...raw } = await drawDicom(sourcePath, frame, tone);
    return sharp(data, { raw });
  }
  const format = pictureOfMime(mime);
  if (format === undefined) throw new NoPreview("unsupported");
  await refuseLarger(sourcePath);
  if (format.readBy === "bmp") {
    const { width, height, data } = readBmp(sourcePath);
    return sharp(data, { raw: { width, height, channels: 3 } });
  }
  const picture = sharp(sourcePath, { limitInputPixels: MAX_DRAWN_PIXELS, failOn: "truncated" }).rotate();
  const gamma = mime === pictures.png.mime ? await gammaToApply(sourcePath) : null;
  return gamma === null ? picture : applyGamma(sharp, picture, gamma);
}

function readBmp(path: string): { width: number; height: number; data: Uint8Array } {
  const file = openSync(path, "r");
  try {
    let bytes = Buffer.alloc(0);
    const read = (from: number, length: number) => {
      if (bytes.length < length) bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, from));
    };
    const head = Buffer.from(read(0, BMP_HEAD_BYTES));
    return decodeBmp(head, MAX_DRAWN_PIXELS, { size: fstatSync(file).size, read });
  } finally {
    closeSync(file);
  }
}

async function refuseLarger(path: string): Promise<void> {
  if ((await stat(path)).size > MAX_SOURCE_BYTES) throw new NoPreview("tooLarge");
}

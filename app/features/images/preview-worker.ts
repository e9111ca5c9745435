/**
 * The thread that makes previews. It is built to a file of its own (build/preview-worker.js) and started by
 * preview.server.ts, which ends it when it takes too long: whatever a broken or hostile file does to a decoder stays in here.
 */
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import sharp, { type Sharp } from "sharp";
import { BmpError, decodeBmp } from "./bmp";
import { DicomError, readDicomFrame, readDicomHeader } from "./dicom-file.server";
import { decodeRleFrame, RleError } from "./dicom-rle";
import type { PreviewAnswer, PreviewJob } from "./preview-job";
import type { NoPreviewReason, PreviewSize, Tone } from "./preview-result";

// The package is a CommonJS bundle whose names Node's import cannot see, and its types know no default export.
const { DicomImage, log, NativePixelDecoder, WindowLevel } = createRequire(import.meta.url)("dcmjs-imaging") as typeof import("dcmjs-imaging");

const MOST_PIXELS = 50e6;
const MOST_BMP_BYTES = 210e6;
const MOST_PICTURE_BYTES = 210e6;
const MOST_FRAME_BYTES = 210e6;
const DECODE_SECONDS = 15;

const boxes: Readonly<Record<PreviewSize, { width: number; height: number; quality: number }>> = {
  thumb: { width: 320, height: 240, quality: 74 },
  view: { width: 1600, height: 1600, quality: 82 },
  full: { width: 6000, height: 6000, quality: 88 },
};

class NoPreview extends Error {
  constructor(readonly reason: NoPreviewReason) {
    super(reason);
  }
}

// One picture at a time and none remembered: this thread must stay small.
sharp.cache(false);
sharp.concurrency(1);
log.setLevel("silent");
let codecs: Promise<void> | undefined;

parentPort?.on("message", (job: PreviewJob) => {
  void answer(job).then((result) => parentPort?.postMessage(result));
});

async function answer(job: PreviewJob): Promise<PreviewAnswer> {
  try {
    const { image, frames } = await decode(job);
    const box = boxes[job.size];
    const { width, height } = await image
      .resize({ width: box.width, height: box.height, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .timeout({ seconds: DECODE_SECONDS })
      .jpeg({ quality: box.quality })
      .toFile(job.outputPath);
    return { id: job.id, ok: true, width, height, frames };
  } catch (error) {
    return { id: job.id, ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): NoPreviewReason {
  if (error instanceof NoPreview) return error.reason;
  if (error instanceof BmpError) return error.reason;
  if (error instanceof RleError) return "damaged";
  if (error instanceof DicomError) return error.reason === "notDicom" ? "damaged" : error.reason;
  const message = error instanceof Error ? error.message : "";
  if (/exceeds pixel limit/i.test(message)) return "tooManyPixels";
  if (/timeout/i.test(message)) return "timeout";
  if (/ENOSPC|No space|unable to open for write/i.test(message)) return "storage";
  return "damaged";
}

async function decode(job: PreviewJob): Promise<{ image: Sharp; frames: number }> {
  switch (job.mime) {
    case "image/jpeg":
    case "image/png":
    case "image/gif":
      await refuseLarger(job.sourcePath, MOST_PICTURE_BYTES);
      return { image: sharp(job.sourcePath, { limitInputPixels: MOST_PIXELS, failOn: "truncated" }).rotate(), frames: 1 };
    case "image/bmp": {
      await refuseLarger(job.sourcePath, MOST_BMP_BYTES);
      const { width, height, data } = decodeBmp(await readFile(job.sourcePath), MOST_PIXELS);
      return { image: sharp(data, { raw: { width, height, channels: 3 } }), frames: 1 };
    }
    case "application/dicom":
      return decodeDicom(job);
    default:
      throw new NoPreview("unsupported");
  }
}

async function decodeDicom(job: PreviewJob): Promise<{ image: Sharp; frames: number }> {
  const header = await readDicomHeader(job.sourcePath);
  const pixels = (header.rows ?? 0) * (header.columns ?? 0);
  if (pixels === 0) throw new NoPreview("unsupported");
  if (pixels > MOST_PIXELS) throw new NoPreview("tooManyPixels");
  // The first slices of a volume are usually empty air.
  const frame = job.frame ?? Math.floor(header.frames / 2);
  const { part10, frameBytes } = await readDicomFrame(job.sourcePath, header, frame, MOST_FRAME_BYTES);

  codecs ??= NativePixelDecoder.initializeAsync();
  await codecs;
  const dicom = new DicomImage(toArrayBuffer(part10));
  const elements = dicom.getElements();
  elements.NumberOfFrames = 1;
  if (header.transferSyntax === RLE_LOSSLESS && header.samplesPerPixel > 1) {
    if (header.bitsAllocated !== 8) throw new NoPreview("unsupported");
    elements.PixelData = [toArrayBuffer(decodeRleFrame(frameBytes, pixels, header.samplesPerPixel))];
    elements.PlanarConfiguration = 0;
    dicom.setTransferSyntaxUid(EXPLICIT_LITTLE_ENDIAN);
  }
  const { width, height, rgba, linear } = toned(dicom, job.tone);
  const image = sharp(Buffer.from(rgba), { raw: { width, height, channels: 4 } }).removeAlpha();
  return { image: linear ? image.linear(...linear) : image, frames: header.frames };
}

/** Grey levels are taken from all the bits that the file has; a colour image has no window, and its colours are moved instead. */
function toned(dicom: InstanceType<typeof DicomImage>, tone: Tone | undefined): { width: number; height: number; rgba: ArrayBuffer; linear?: [number, number] } {
  const plain = dicom.render({});
  const size = { width: plain.width, height: plain.height };
  if (tone === undefined) return { ...size, rgba: plain.pixels };
  const narrower = 0.8 ** tone.contrast;
  const shift = 0.1 * tone.brightness;
  const own = plain.windowLevel;
  if (own === undefined) return { ...size, rgba: plain.pixels, linear: [1 / narrower, 128 - 128 / narrower + 256 * shift] };
  const windowLevel = new WindowLevel(Math.max(1, own.getWindow() * narrower), own.getLevel() - own.getWindow() * shift);
  return { ...size, rgba: dicom.render({ windowLevel }).pixels };
}

const RLE_LOSSLESS = "1.2.840.10008.1.2.5";
const EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1";

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}

async function refuseLarger(path: string, bytes: number): Promise<void> {
  if ((await stat(path)).size > bytes) throw new NoPreview("tooLarge");
}

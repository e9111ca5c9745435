import { createReadStream, createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Sharp } from "sharp";
import { type CaptureHeader, captureDataSet, type CapturedPixels, partTenHead } from "./capture-header.server";
import { readJpegHeader } from "./codestream";
import { DicomError } from "./dicom-pixels";

const MAX_SIDE = 65_535;

const EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1";
const JPEG_BASELINE = "1.2.840.10008.1.2.4.50";
const BASELINE_FRAME = 0xffc0;

export interface WrittenCapture {
  transferSyntax: string;
  dataSetOffset: number;
  sizeBytes: number;
}

/**
 * Writes a picture as DICOM. With `preservesJpeg` a suitable JPEG keeps its bytes; others are uncompressed with all
 * grey levels. Throws DicomError `tooManyPixels`, and sharp's errors for a damaged picture. @param picture decoded with
 * its rotation applied
 */
export async function writeSecondaryCapture(
  { sourcePath, outputPath, mime, preservesJpeg }: Captured,
  header: CaptureHeader,
  picture: Sharp,
): Promise<WrittenCapture> {
  const jpeg = preservesJpeg && mime === "image/jpeg" ? await jpegAsItStands(sourcePath, picture) : null;
  const { pixels, write } = jpeg ?? (await decoded(picture));
  if (pixels.rows > MAX_SIDE || pixels.columns > MAX_SIDE) throw new DicomError("tooManyPixels", "too long a side");
  const transferSyntax = jpeg === null ? EXPLICIT_LITTLE_ENDIAN : JPEG_BASELINE;
  const head = partTenHead(captureDataSet(header, pixels), transferSyntax);
  const output = createWriteStream(outputPath, { mode: 0o600 });
  output.write(head.bytes);
  await write(output);
  return { transferSyntax, dataSetOffset: head.dataSetOffset, sizeBytes: (await stat(outputPath)).size };
}

interface Captured {
  sourcePath: string;
  outputPath: string;
  mime: string;
  preservesJpeg: boolean;
}

interface Pixels {
  pixels: CapturedPixels;
  write(output: NodeJS.WritableStream): Promise<void>;
}

/** Null for a JPEG that is not baseline, has unusual colours, or must be rotated. */
async function jpegAsItStands(path: string, picture: Sharp): Promise<Pixels | null> {
  const { width, height, channels, orientation, space } = await picture.metadata();
  const bytes = await readFile(path);
  const { components, colours } = readJpegHeader(bytes);
  const isUpright = orientation === undefined || orientation === 1;
  const isGrey = components === 1;
  const isColour = components === 3 && colours !== "rgb" && space === "srgb";
  if (!isUpright || !(isGrey || isColour) || !isBaseline(bytes)) return null;
  return {
    pixels: {
      rows: height,
      columns: width,
      samples: isGrey ? 1 : 3,
      bits: 8,
      photometric: isGrey ? "MONOCHROME2" : "YBR_FULL_422",
      lossyRatio: (width * height * channels) / bytes.length,
    },
    async write(output) {
      const padding = bytes.length % 2;
      output.write(elementHead("OB", UNDEFINED_LENGTH));
      output.write(item(ITEM, 0));
      output.write(item(ITEM, bytes.length + padding));
      await pipeline(createReadStream(path), output, { end: false });
      output.write(Buffer.alloc(padding));
      await ended(output, item(END_OF_ITEMS, 0));
    },
  };
}

/** Whether the JPEG is baseline, as its transfer syntax promises. */
function isBaseline(bytes: Buffer): boolean {
  for (let at = 2; at + 4 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === BASELINE_FRAME) return true;
    if (marker === 0xffda || marker < 0xff01) return false;
  }
  return false;
}

async function decoded(picture: Sharp): Promise<Pixels> {
  const { space, depth } = await picture.metadata();
  const isGrey = space === "b-w" || space === "grey16";
  // Scanner greys exceed eight bits.
  const isDeep = isGrey && depth === "ushort";
  const flat = picture.flatten({ background: "#000000" });
  const shaped = isDeep
    ? flat.toColourspace("grey16").extractChannel(0).raw({ depth: "ushort" })
    : isGrey
      ? flat.toColourspace("b-w").extractChannel(0).raw()
      : flat.toColourspace("srgb").removeAlpha().raw();
  const { data, info } = await shaped.toBuffer({ resolveWithObject: true });
  return {
    pixels: {
      rows: info.height,
      columns: info.width,
      samples: isGrey ? 1 : 3,
      bits: isDeep ? 16 : 8,
      photometric: isGrey ? "MONOCHROME2" : "RGB",
      lossyRatio: null,
    },
    async write(output) {
      const padding = data.length % 2;
      output.write(elementHead(isDeep ? "OW" : "OB", data.length + padding));
      output.write(data);
      await ended(output, Buffer.alloc(padding));
    },
  };
}

const UNDEFINED_LENGTH = 0xffffffff;
const ITEM = 0xe000;
const END_OF_ITEMS = 0xe0dd;

function elementHead(vr: "OB" | "OW", length: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16LE(0x7fe0, 0);
  head.writeUInt16LE(0x0010, 2);
  head.write(vr, 4, "latin1");
  head.writeUInt32LE(length, 8);
  return head;
}

function item(element: number, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(0xfffe, 0);
  head.writeUInt16LE(element, 2);
  head.writeUInt32LE(length, 4);
  return head;
}

const ended = (output: NodeJS.WritableStream, last: Buffer) =>
  new Promise<void>((resolve, reject) => {
    output.once("error", reject);
    output.end(last, () => resolve());
  });

import { createRequire } from "node:module";
import { type Codestream, readJpeg2000Header, readJpegHeader } from "./codestream";
import {
  DicomError,
  type ColourModel,
  expand422,
  MAX_DECODED_BYTES,
  type PixelFormat,
  type Samples,
} from "./dicom-pixels";

// A CommonJS bundle whose names Node's import cannot see, with types lacking a default export.
const { Context, log, NativeCodecs } = createRequire(import.meta.url)("dcmjs-codecs") as typeof import("dcmjs-codecs");

interface DecodedFrame {
  samples: Samples;
  isPlanar: boolean;
  colours: ColourModel;
}

interface Source {
  transferSyntax: string;
  isBigEndian: boolean;
  isInWords: boolean;
}

type Family = "native" | "rle" | "jpeg" | "jpegLs" | "jpeg2000" | "htJpeg2000";

const families: Readonly<Record<string, Family | undefined>> = {
  "1.2.840.10008.1.2": "native",
  "1.2.840.10008.1.2.1": "native",
  "1.2.840.10008.1.2.1.99": "native",
  "1.2.840.10008.1.2.2": "native",
  "1.2.840.10008.1.2.5": "rle",
  "1.2.840.10008.1.2.4.50": "jpeg",
  "1.2.840.10008.1.2.4.51": "jpeg",
  "1.2.840.10008.1.2.4.57": "jpeg",
  "1.2.840.10008.1.2.4.70": "jpeg",
  "1.2.840.10008.1.2.4.80": "jpegLs",
  "1.2.840.10008.1.2.4.81": "jpegLs",
  "1.2.840.10008.1.2.4.90": "jpeg2000",
  "1.2.840.10008.1.2.4.91": "jpeg2000",
  "1.2.840.10008.1.2.4.201": "htJpeg2000",
  "1.2.840.10008.1.2.4.202": "htJpeg2000",
  "1.2.840.10008.1.2.4.203": "htJpeg2000",
};

const unsupported = (why: string) => new DicomError("unsupported", why);

/**
 * Decompresses a frame. Anything a decoder would have to guess, e.g. contradicting colour spaces, is refused, because
 * wrong colours mislead. @throws DicomError
 */
export async function decodeFrame(bytes: Buffer, format: PixelFormat, source: Source): Promise<DecodedFrame> {
  const family = families[source.transferSyntax];
  if (family === undefined) throw unsupported("transfer syntax");
  const bytesPerSample = format.bitsAllocated / 8;
  if (format.rows * format.columns * format.samples * bytesPerSample > MAX_DECODED_BYTES)
    throw new DicomError("tooManyPixels", "frame too big");
  if (family === "native") return decodeNative(bytes, format, source);
  if (family === "rle") {
    const decoded = decodeRleFrame(bytes, format.rows * format.columns, format.samples, bytesPerSample);
    return { samples: asSamples(decoded, bytesPerSample), isPlanar: false, colours: namedColours(format) };
  }
  return decodeCodestream(bytes, format, family);
}

function decodeNative(bytes: Buffer, format: PixelFormat, { isBigEndian, isInWords }: Source): DecodedFrame {
  const { bitsAllocated } = format;
  if (isBigEndian && (bitsAllocated === 16 || (bitsAllocated === 8 && isInWords))) bytes.swap16();
  if (isBigEndian && bitsAllocated === 32) bytes.swap32();
  if (format.photometric === "YBR_FULL_422") {
    if (bitsAllocated !== 8 || format.isPlanar) throw unsupported("4:2:2");
    return { samples: expand422(bytes, format.rows * format.columns), isPlanar: false, colours: "ybr" };
  }
  return { samples: asSamples(bytes, bitsAllocated / 8), isPlanar: format.isPlanar, colours: namedColours(format) };
}

let codecs: Promise<void> | undefined;

async function decodeCodestream(
  bytes: Buffer,
  format: PixelFormat,
  family: "jpeg" | "jpegLs" | "jpeg2000" | "htJpeg2000",
): Promise<DecodedFrame> {
  const is2000 = family === "jpeg2000" || family === "htJpeg2000";
  const header = is2000 ? readJpeg2000Header(bytes) : readJpegHeader(bytes);
  if (header.width !== format.columns || header.height !== format.rows || header.components !== format.samples)
    throw new DicomError("damaged", "the frame is of another size");
  const colours =
    format.samples === 1 ? "rgb" : is2000 ? coloursOfJpeg2000(format, header) : coloursOfJpeg(format, header);

  log.setLevel("silent");
  codecs ??= NativeCodecs.initializeAsync();
  await codecs;
  const context = new Context({
    width: format.columns,
    height: format.rows,
    bitsAllocated: format.bitsAllocated,
    bitsStored: format.bitsStored,
    samplesPerPixel: format.samples,
    pixelRepresentation: format.isSigned ? 1 : 0,
    planarConfiguration: 0,
    photometricInterpretation: format.samples === 1 ? "MONOCHROME2" : "RGB",
    encodedBuffer: bytes,
  });
  const decoded = decoders[family](context).getDecodedBuffer();
  const bytesPerSample = (decoded?.length ?? 0) / (format.rows * format.columns * format.samples);
  if (decoded === undefined || ![1, 2, 4].includes(bytesPerSample))
    throw new DicomError("damaged", "the decoder answered another size");
  return { samples: asSamples(decoded, bytesPerSample), isPlanar: family === "jpegLs" && header.isPlanar, colours };
}

const decoders = {
  jpeg: (context: InstanceType<typeof Context>) => NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: false }),
  jpegLs: (context: InstanceType<typeof Context>) => NativeCodecs.decodeJpegLs(context),
  jpeg2000: (context: InstanceType<typeof Context>) => NativeCodecs.decodeJpeg2000(context),
  htJpeg2000: (context: InstanceType<typeof Context>) => NativeCodecs.decodeHtJpeg2000(context),
};

function namedColours({ samples, photometric }: PixelFormat): ColourModel {
  if (samples === 1 || photometric === "RGB") return "rgb";
  if (photometric === "YBR_FULL") return "ybr";
  throw unsupported(`colours ${photometric}`);
}

function coloursOfJpeg(format: PixelFormat, { colours: marked }: Codestream): ColourModel {
  const named = format.photometric === "YBR_FULL_422" ? "ybr" : namedColours(format);
  if (marked !== undefined && marked !== named) throw unsupported("the JPEG names other colours than the file");
  return named;
}

/** JPEG 2000 reverts its own transform to RGB; other YBR stays. */
function coloursOfJpeg2000(format: PixelFormat, { colours: transformed }: Codestream): ColourModel {
  const isTransformed = format.photometric === "YBR_RCT" || format.photometric === "YBR_ICT";
  const named = isTransformed ? "rgb" : namedColours(format);
  if ((isTransformed && transformed === undefined) || (named === "ybr" && transformed !== undefined))
    throw unsupported("the JPEG 2000 names other colours than the file");
  return named;
}

function asSamples(bytes: Uint8Array, bytesPerSample: number): Samples {
  if (bytesPerSample === 1) return bytes;
  // Typed arrays must be aligned to their element size.
  const aligned = bytes.byteOffset % bytesPerSample === 0 ? bytes : new Uint8Array(bytes);
  const count = Math.floor(aligned.length / bytesPerSample);
  return bytesPerSample === 2
    ? new Uint16Array(aligned.buffer, aligned.byteOffset, count)
    : new Uint32Array(aligned.buffer, aligned.byteOffset, count);
}

const HEADER_BYTES = 64;
const damaged = (why: string) => new DicomError("damaged", `RLE: ${why}`);

/**
 * Decodes an RLE Lossless frame (DICOM PS3.5 Annex G): a PackBits segment per byte of a sample, highest first. Outputs
 * interleaved samples, lowest byte first. @param pixels rows × columns; @param samples per pixel; @param bytes per
 * sample: 1, 2 or 4 @throws DicomError `damaged`
 */
export function decodeRleFrame(frame: Uint8Array, pixels: number, samples: number, bytes = 1): Uint8Array {
  if (frame.length < HEADER_BYTES) throw damaged("no header");
  const header = new DataView(frame.buffer, frame.byteOffset, HEADER_BYTES);
  const segments = samples * bytes;
  if (header.getUint32(0, true) !== segments) throw damaged("number of segments");
  const decoded = new Uint8Array(pixels * segments);
  for (let segment = 0; segment < segments; segment++) {
    const start = header.getUint32(4 + segment * 4, true);
    const end = segment + 1 < segments ? header.getUint32(8 + segment * 4, true) : frame.length;
    if (start < HEADER_BYTES || end > frame.length || start >= end) throw damaged("segment offsets");
    const sample = Math.floor(segment / bytes);
    const place = bytes - 1 - (segment % bytes);
    unpackSegment(frame.subarray(start, end), decoded, sample * bytes + place, segments, pixels);
  }
  return decoded;
}

function unpackSegment(segment: Uint8Array, target: Uint8Array, first: number, step: number, pixels: number): void {
  let read = 0;
  let written = 0;
  const write = (value: number) => {
    if (written < pixels) target[written * step + first] = value;
    written++;
  };
  while (read < segment.length && written < pixels) {
    const control = segment[read++] ?? 128;
    if (control < 128) {
      if (read + control + 1 > segment.length) throw damaged("segment cut short");
      for (let count = 0; count <= control; count++) write(segment[read++] ?? 0);
    } else if (control > 128) {
      const value = segment[read++];
      if (value === undefined) throw damaged("segment cut short");
      for (let count = 0; count <= 256 - control; count++) write(value);
    }
  }
  if (written < pixels) throw damaged("fewer samples than pixels");
}

import { DicomError } from "./dicom-error";

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

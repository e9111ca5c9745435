/** Thrown when a run-length encoded frame does not hold what its header promises. */
export class RleError extends Error {
  override readonly name = "RleError";
}

const HEADER_BYTES = 64;

/**
 * Decodes one RLE Lossless frame of 8-bit samples (DICOM PS3.5 Annex G): one PackBits segment per sample, answered pixel by
 * pixel (RGBRGB…). dcmjs-imaging draws such frames with their colours in the wrong places.
 * @param pixels rows × columns; @param samples per pixel
 * @throws RleError
 */
export function decodeRleFrame(frame: Uint8Array, pixels: number, samples: number): Uint8Array {
  if (frame.length < HEADER_BYTES) throw new RleError("no header");
  const header = new DataView(frame.buffer, frame.byteOffset, HEADER_BYTES);
  if (header.getUint32(0, true) !== samples) throw new RleError("number of segments");
  const interleaved = new Uint8Array(pixels * samples);
  for (let sample = 0; sample < samples; sample++) {
    const start = header.getUint32(4 + sample * 4, true);
    const end = sample + 1 < samples ? header.getUint32(8 + sample * 4, true) : frame.length;
    if (start < HEADER_BYTES || end > frame.length || start >= end) throw new RleError("segment offsets");
    unpackSegment(frame.subarray(start, end), interleaved, sample, samples, pixels);
  }
  return interleaved;
}

function unpackSegment(segment: Uint8Array, target: Uint8Array, sample: number, samples: number, pixels: number): void {
  let read = 0;
  let written = 0;
  const write = (value: number) => {
    if (written < pixels) target[written * samples + sample] = value;
    written++;
  };
  while (read < segment.length && written < pixels) {
    const control = segment[read++] ?? 128;
    if (control < 128) {
      if (read + control + 1 > segment.length) throw new RleError("segment cut short");
      for (let count = 0; count <= control; count++) write(segment[read++] ?? 0);
    } else if (control > 128) {
      const value = segment[read++];
      if (value === undefined) throw new RleError("segment cut short");
      for (let count = 0; count <= 256 - control; count++) write(value);
    }
  }
  if (written < pixels) throw new RleError("fewer samples than pixels");
}

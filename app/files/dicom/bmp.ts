export class BmpError extends Error {
  override readonly name = "BmpError";
  constructor(
    readonly reason: "damaged" | "unsupported" | "tooManyPixels",
    message: string,
  ) {
    super(message);
  }
}

/** Header of a BMP: `width` and `height` in pixels, `pixelOffset` and `rowBytes` in bytes. */
export interface BmpHeader {
  width: number;
  height: number;
  topDown: boolean;
  bitsPerPixel: 1 | 4 | 8 | 16 | 24 | 32;
  compression: number;
  pixelOffset: number;
  rowBytes: number;
  palette: { offset: number; entryBytes: 3 | 4; entries: number } | undefined;
  masks: { red: number; green: number; blue: number } | undefined;
}

const BI_RGB = 0;
const BI_BITFIELDS = 3;
const BI_ALPHABITFIELDS = 6;
const BI_JPEG = 4;
const BI_PNG = 5;
const CORE_HEADER_BYTES = 12;
const OS2_SHORT_HEADER_BYTES = 16;

/** Unsupported kinds: 2 and 64 bits, and embedded JPEG or PNG. */
const isRareDepth = (bits: number, compression: number) =>
  bits === 2 || bits === 64 || (bits === 0 && (compression === BI_JPEG || compression === BI_PNG));

/** Reads the header of `bytes`, the file's first or all. Throws `BmpError`, `damaged` or `unsupported`. */
export function readBmpHeader(bytes: Uint8Array, fileBytes = bytes.length): BmpHeader {
  if (bytes.length < 26 || bytes[0] !== 0x42 || bytes[1] !== 0x4d) throw new BmpError("damaged", "no BMP signature");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pixelOffset = view.getUint32(10, true);
  const headerBytes = view.getUint32(14, true);
  const isCore = headerBytes === CORE_HEADER_BYTES;
  if (!isCore && (headerBytes < 40 || headerBytes > 124 || bytes.length < 14 + headerBytes)) {
    throw new BmpError(headerBytes === OS2_SHORT_HEADER_BYTES ? "unsupported" : "damaged", "unknown BMP header");
  }

  const width = isCore ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = isCore ? view.getUint16(20, true) : view.getInt32(22, true);
  const bitsPerPixel = view.getUint16(isCore ? 24 : 28, true);
  const compression = isCore ? BI_RGB : view.getUint32(30, true);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw new BmpError("damaged", "no pixels");
  if (!isBitDepth(bitsPerPixel)) {
    const reason = isRareDepth(bitsPerPixel, compression) ? "unsupported" : "damaged";
    throw new BmpError(reason, `${bitsPerPixel} bits per pixel`);
  }

  const usesMasks = compression === BI_BITFIELDS || compression === BI_ALPHABITFIELDS;
  if (usesMasks ? bitsPerPixel !== 16 && bitsPerPixel !== 32 : compression !== BI_RGB) {
    throw new BmpError("unsupported", `compression ${compression} at ${bitsPerPixel} bits`);
  }
  // After a 40-byte header masks follow at the same place where longer headers hold them.
  if (usesMasks && bytes.length < 66) throw new BmpError("damaged", "no colour masks");

  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const afterHeader = 14 + headerBytes;
  if (pixelOffset < afterHeader || pixelOffset + rowBytes * height > fileBytes) {
    throw new BmpError("damaged", "pixels outside the file");
  }

  const entryBytes = isCore ? 3 : 4;
  const room = Math.floor((pixelOffset - afterHeader) / entryBytes);
  const named = isCore ? 0 : view.getUint32(46, true);
  const maxEntries = 2 ** Math.min(bitsPerPixel, 8);
  return {
    width,
    height,
    topDown: signedHeight < 0,
    bitsPerPixel,
    compression,
    pixelOffset,
    rowBytes,
    palette:
      bitsPerPixel <= 8
        ? { offset: afterHeader, entryBytes, entries: Math.min(named === 0 ? maxEntries : named, maxEntries, room) }
        : undefined,
    masks: usesMasks
      ? { red: view.getUint32(54, true), green: view.getUint32(58, true), blue: view.getUint32(62, true) }
      : bitsPerPixel === 16
        ? { red: 0x7c00, green: 0x03e0, blue: 0x001f }
        : undefined,
  };
}

/**
 * Decodes an uncompressed BMP of 1, 4, 8, 16, 24 or 32 bits to 8-bit RGB, top row first. sharp cannot read BMP.
 * The fourth byte of 32-bit pixels is ignored: most writers leave it 0, which read as alpha would hide the picture.
 * @param bytes the whole file, or its first 1,200 bytes where `file` reads the rest; @param maxPixels refuse bigger pictures before any memory is
 * taken for them
 * @throws BmpError
 */
export function decodeBmp(
  bytes: Uint8Array,
  maxPixels = 50e6,
  file: BmpFile = { size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) },
): { width: number; height: number; data: Uint8Array } {
  const header = readBmpHeader(bytes, file.size);
  const { width, height, rowBytes } = header;
  if (width * height > maxPixels) throw new BmpError("tooManyPixels", `${width} × ${height}`);
  const data = new Uint8Array(width * height * 3);
  const drawRow = rowReader(bytes, header);
  for (let y = 0; y < height; y++) {
    const sourceRow = header.topDown ? y : height - 1 - y;
    drawRow(file.read(header.pixelOffset + sourceRow * rowBytes, rowBytes), data, y * width * 3);
  }
  return { width, height, data };
}

/** A file that is read row by row: beside the pixels it would take as much memory again. `size` in bytes; a row is used before the next is read. */
export interface BmpFile {
  size: number;
  read(from: number, length: number): Uint8Array;
}

type RowReader = (row: Uint8Array, data: Uint8Array, to: number) => void;

function rowReader(bytes: Uint8Array, header: BmpHeader): RowReader {
  const { width, bitsPerPixel } = header;
  if (header.palette !== undefined) {
    const colours = paletteColours(bytes, header.palette);
    const mask = 2 ** bitsPerPixel - 1;
    return (row, data, to) => {
      for (let x = 0; x < width; x++) {
        const bit = x * bitsPerPixel;
        const byte = row[bit >> 3] ?? 0;
        // An index beyond the palette is drawn black, as browsers do.
        const colour = colours[(byte >> (8 - bitsPerPixel - (bit & 7))) & mask] ?? 0;
        data[to++] = colour >> 16;
        data[to++] = (colour >> 8) & 0xff;
        data[to++] = colour & 0xff;
      }
    };
  }
  if (header.masks !== undefined) return maskedRowReader(width, bitsPerPixel / 8, header.masks);
  const step = bitsPerPixel / 8;
  return (row, data, to) => {
    for (let x = 0, from = 0; x < width; x++, from += step) {
      data[to++] = row[from + 2] ?? 0;
      data[to++] = row[from + 1] ?? 0;
      data[to++] = row[from] ?? 0;
    }
  };
}

function maskedRowReader(width: number, step: number, masks: { red: number; green: number; blue: number }): RowReader {
  const channels = [masks.red, masks.green, masks.blue].map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    const max = mask >>> shift;
    return { mask, shift, scale: max === 0 ? 0 : 255 / max };
  });
  return (row, data, to) => {
    const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
    for (let x = 0, from = 0; x < width; x++, from += step) {
      const value = step === 2 ? view.getUint16(from, true) : view.getUint32(from, true);
      for (const { mask, shift, scale } of channels) data[to++] = Math.round(((value & mask) >>> shift) * scale);
    }
  };
}

function paletteColours(bytes: Uint8Array, palette: { offset: number; entryBytes: number; entries: number }): number[] {
  return Array.from({ length: palette.entries }, (_, index) => {
    const at = palette.offset + index * palette.entryBytes;
    return ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at] ?? 0);
  });
}

function isBitDepth(bits: number): bits is BmpHeader["bitsPerPixel"] {
  return bits === 1 || bits === 4 || bits === 8 || bits === 16 || bits === 24 || bits === 32;
}

import { crc32, deflateSync } from "node:zlib";
import { element } from "../../factories/dicom";

/** Extra bytes after a picture's end avoid the preview cache. */
let changes = 0;
export const changed = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.from(`\0\0${++changes}\0\0`)]);

export async function noise(side: number): Promise<Buffer> {
  const bytes = Buffer.alloc(side * side);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 2654435761) >>> 24;
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export function png(width: number, height: number, rows: Buffer, bits = 8, colour = 2, more: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, colour, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    ...more,
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export const pngWith = (type: string, data: Buffer) =>
  png(
    8,
    8,
    Buffer.alloc(8 * 25),
    8,
    2,
    Array.from({ length: 8 }, () => chunk(type, data)),
  );

export function gifOf(frames: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}

export function bmp(side: number): Buffer {
  const size = side * side * 3;
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54 + size, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(side, 18);
  head.writeInt32LE(side, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(size, 100)]);
}

export function nestedSequences(depth: number): Buffer {
  let bytes = element(8, 0x100, "SH", "x");
  for (let at = 0; at < depth; at += 1) bytes = element(8, 0x1140, "SQ", [bytes]);
  return bytes;
}

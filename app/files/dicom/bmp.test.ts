import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BmpError, decodeBmp, readBmpHeader } from "./bmp";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

interface Made {
  width: number;
  /** Negative means top row first. */
  height: number;
  bits: number;
  rows: number[][];
  palette?: [number, number, number][];
  compression?: number;
  masks?: [number, number, number];
}

/** Writes a BMP with a 40-byte header. `rows` are bytes as stored, first row as stored; they are padded to four. */
function makeBmp({ width, height, bits, rows, palette = [], compression = 0, masks }: Made): Buffer {
  const header = Buffer.alloc(54);
  const extra = Buffer.concat([...(masks ?? []).map(uint32), ...palette.map(([r, g, b]) => Buffer.from([b, g, r, 0]))]);
  const body = Buffer.concat(rows.map((row) => Buffer.from([...row, ...Array(-row.length & 3).fill(0)])));
  header.write("BM", "latin1");
  header.writeUInt32LE(54 + extra.length + body.length, 2);
  header.writeUInt32LE(54 + extra.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  header.writeUInt32LE(palette.length, 46);
  return Buffer.concat([header, extra, body]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

const red = [255, 0, 0];
const green = [0, 255, 0];
const blue = [0, 0, 255];
const white = [255, 255, 255];
const fourColours: [number, number, number][] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];

describe("draws red and green above blue and white", () => {
  test.each<[string, Made]>([
    [
      "24 bits",
      {
        width: 2,
        height: 2,
        bits: 24,
        rows: [
          [255, 0, 0, 255, 255, 255],
          [0, 0, 255, 0, 255, 0],
        ],
      },
    ],
    [
      "24 bits, top row first",
      {
        width: 2,
        height: -2,
        bits: 24,
        rows: [
          [0, 0, 255, 0, 255, 0],
          [255, 0, 0, 255, 255, 255],
        ],
      },
    ],
    [
      "32 bits",
      {
        width: 2,
        height: 2,
        bits: 32,
        rows: [
          [255, 0, 0, 0, 255, 255, 255, 0],
          [0, 0, 255, 0, 0, 255, 0, 0],
        ],
      },
    ],
    [
      "8 bits",
      {
        width: 2,
        height: 2,
        bits: 8,
        palette: fourColours,
        rows: [
          [2, 3],
          [0, 1],
        ],
      },
    ],
    ["4 bits", { width: 2, height: 2, bits: 4, palette: fourColours, rows: [[0x23], [0x01]] }],
    [
      "16 bits",
      {
        width: 2,
        height: 2,
        bits: 16,
        rows: [
          [0x1f, 0x00, 0xff, 0x7f],
          [0x00, 0x7c, 0xe0, 0x03],
        ],
      },
    ],
    [
      "32 bits with masks",
      {
        width: 2,
        height: 2,
        bits: 32,
        compression: 3,
        masks: [0xff, 0xff00, 0xff0000],
        rows: [
          [0, 0, 255, 0, 255, 255, 255, 0],
          [255, 0, 0, 0, 0, 255, 0, 0],
        ],
      },
    ],
    [
      "16 bits with masks 5-6-5",
      {
        width: 2,
        height: 2,
        bits: 16,
        compression: 3,
        masks: [0xf800, 0x07e0, 0x001f],
        rows: [
          [0x1f, 0x00, 0xff, 0xff],
          [0x00, 0xf8, 0xe0, 0x07],
        ],
      },
    ],
  ])("%s", (_, made) => {
    const { width, height, data } = decodeBmp(makeBmp(made));
    expect([width, height]).toEqual([2, 2]);
    expect([...data]).toEqual([...red, ...green, ...blue, ...white]);
  });

  test("1 bit", () => {
    const made = makeBmp({
      width: 10,
      height: 1,
      bits: 1,
      palette: [
        [0, 0, 0],
        [255, 255, 255],
      ],
      rows: [[0b1010_0000, 0b0100_0000]],
    });
    expect([...decodeBmp(made).data].filter((_, index) => index % 3 === 0)).toEqual([
      255, 0, 255, 0, 0, 0, 0, 0, 0, 255,
    ]);
  });

  test("the old 12-byte header", () => {
    const bytes = Buffer.alloc(26 + 4);
    bytes.write("BM", "latin1");
    bytes.writeUInt32LE(26, 10);
    bytes.writeUInt32LE(12, 14);
    bytes.writeUInt16LE(1, 18);
    bytes.writeUInt16LE(1, 20);
    bytes.writeUInt16LE(24, 24);
    bytes[28] = 200;
    expect([...decodeBmp(bytes).data]).toEqual([200, 0, 0]);
  });
});

describe("refuses an impossible header", () => {
  const good: Made = {
    width: 2,
    height: 2,
    bits: 24,
    rows: [
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 6],
    ],
  };
  const reasonOf = (bytes: Buffer, maxPixels?: number) => {
    try {
      decodeBmp(bytes, maxPixels);
      return "drawn";
    } catch (error) {
      return error instanceof BmpError ? error.reason : "thrown";
    }
  };
  test.each<[string, Partial<Made>, string]>([
    ["no width", { width: 0 }, "damaged"],
    ["negative width", { width: -2 }, "damaged"],
    ["the lowest height there is", { height: -2147483648 }, "damaged"],
    ["more rows than bytes", { height: 3 }, "damaged"],
    ["a width of two thousand million", { width: 2147483647 }, "damaged"],
    ["5 bits", { bits: 5 }, "damaged"],
    ["run-length coding", { bits: 8, compression: 1 }, "unsupported"],
    ["a JPEG inside", { bits: 24, compression: 4 }, "unsupported"],
  ])("%s", (_, change, reason) => expect(reasonOf(makeBmp({ ...good, ...change }))).toBe(reason));

  test("refuses too many pixels and a truncated file", () => {
    expect(reasonOf(makeBmp(good), 3)).toBe("tooManyPixels");
    expect(reasonOf(makeBmp(good).subarray(0, 60))).toBe("damaged");
    expect(reasonOf(Buffer.from("BM"))).toBe("damaged");
    expect(reasonOf(Buffer.alloc(0))).toBe("damaged");
  });

  test("reads the header alone when the size of the file is known", () => {
    const bytes = makeBmp(good);
    expect(readBmpHeader(bytes.subarray(0, 54), bytes.length)).toMatchObject({ width: 2, height: 2, bitsPerPixel: 24 });
  });
});

test("draws or refuses any bytes", () => {
  const mutated = fc
    .tuple(
      fc.record({
        width: fc.integer({ min: 1, max: 9 }),
        height: fc.integer({ min: -9, max: 9 }),
        bits: fc.constantFrom(1, 4, 8, 16, 24, 32),
        compression: fc.constantFrom(0, 0, 3),
      }),
      fc.array(fc.tuple(fc.integer({ min: 2, max: 70 }), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      fc.uint8Array({ maxLength: 400 }),
    )
    .map(([shape, changes, body]) => {
      const bytes = Buffer.concat([makeBmp({ ...shape, rows: [], palette: fourColours }), body]);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        const { width, height, data } = decodeBmp(bytes, 1e6);
        expect(data).toHaveLength(width * height * 3);
      } catch (error) {
        expect(error).toBeInstanceOf(BmpError);
      }
    }),
    { numRuns },
  );
});

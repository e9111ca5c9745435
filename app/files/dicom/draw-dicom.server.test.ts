import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import dicomParser from "dicom-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDicomFile, type DicomPicture, element, tableItem, windowOf, words } from "../../../tests/factories/dicom";
import { findDcmtk } from "../../../tests/support/dcmtk.mjs";
import type { Picture } from "./dicom-pixels";
import { drawDicom } from "./draw-dicom.server";

const { Context, NativeCodecs } = createRequire(import.meta.url)("dcmjs-codecs") as typeof import("dcmjs-codecs");
const programs = findDcmtk();
if (programs === undefined)
  throw new Error(
    "DCMTK was not found. `npm test` installs it as root on Debian; or set DCMTK to the folder of its programs.",
  );

const folder = mkdtempSync(join(tmpdir(), "draw-dicom-"));
let files = 0;
beforeAll(() => NativeCodecs.initializeAsync());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(content: Buffer): string {
  const path = join(folder, `${++files}.dcm`);
  writeFileSync(path, content);
  return path;
}

const file = (picture: DicomPicture) => written(aDicomFile(picture));
const run = (program: string, ...args: string[]) =>
  execFileSync(join(programs, program), args, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e8 });

/** What one of DCMTK's programs makes of a file: `dcmcjpls +in`, for one. */
function converted(path: string, program: string, ...options: string[]): string {
  const target = join(folder, `${++files}.dcm`);
  run(program, ...options, path, target);
  return target;
}

/** DCMTK's rendering of a file's frame. */
function reference(path: string, ...options: string[]): Picture {
  const target = join(folder, `${++files}.pnm`);
  run("dcmj2pnm", "-O", "+op", ...options, path, target);
  const bytes = readFileSync(target);
  const [heading = "", kind, width, height] =
    /^(P[56])\s(?:#.*\n)?(\d+)\s(\d+)\s255\s/.exec(bytes.toString("latin1", 0, 200)) ?? [];
  return {
    width: Number(width),
    height: Number(height),
    channels: kind === "P6" ? 3 : 1,
    data: bytes.subarray(heading.length),
  };
}

/** Mean difference of two pictures' samples, 0 to 255. */
function difference(one: Picture, other: Picture): number {
  expect([one.width, one.height, one.channels, one.data.length]).toEqual([
    other.width,
    other.height,
    other.channels,
    other.data.length,
  ]);
  return one.data.reduce((sum, value, at) => sum + Math.abs(value - (other.data[at] ?? 0)), 0) / one.data.length;
}

/** How far the portal's picture of a file is from another; the other is made sure to show something. */
async function differenceFrom(path: string, expected: Picture): Promise<number> {
  expect(new Set(expected.data).size).toBeGreaterThan(2);
  return difference(await drawDicom(path, undefined), expected);
}

/** Of 255: rounding, and what lossy decoders may do differently. */
const MAX = 2;

/** The window that leaves out the lowest and the highest half of a percent, reckoned by itself. */
function percentiles(values: number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor(sorted.length * 0.005)], sorted[Math.ceil(sorted.length * 0.995) - 1]];
  return ["+Ww", String((low + high) / 2), String(high - low)];
}

// A slanting slope with a bright disc: every shade occurs, and no two quarters look alike.
const SIDE = 64;
const scene = Array.from({ length: SIDE * SIDE }, (_, at) => {
  const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
  return (x - 40) ** 2 + (y - 20) ** 2 < 120 ? 0.9 - x / 400 : (x + 2 * y) / (3 * SIDE);
});
/** The scene in whole numbers from `from` to `to`. */
const levels = (to: number, from = 0) => scene.map((level) => Math.round(from + level * (to - from)));
const grey = { rows: SIDE, columns: SIDE };
const colour = { ...grey, samples: 3 };
const colours = scene.flatMap((level, at) => [level, ((at % SIDE) / SIDE) * 0.8, 1 - level]);
const rgb8 = Buffer.from(colours.map((level) => Math.round(level * 255)));
const planesOf = (bytes: Buffer) => Buffer.concat([0, 1, 2].map((nth) => bytes.filter((_, at) => at % 3 === nth)));

describe("grey", async () => {
  test("a window of the file", async () => {
    expect(
      await differenceAs({ pixels: words(...levels(4000)), bitsStored: 12, more: windowOf(1800, 1500) }, "+Wi", "1"),
    ).toBeLessThanOrEqual(MAX);
  });
  test("a sigmoid window", async () => {
    expect(
      await differenceAs(
        { pixels: words(...levels(4000)), bitsStored: 12, more: windowOf(2000, 1500, "SIGMOID") },
        "+Wi",
        "1",
        "+Wfs",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("inverted shades", async () => {
    expect(
      await differenceAs(
        { pixels: words(...levels(4000)), photometric: "MONOCHROME1", bitsStored: 12, more: windowOf(1800, 3000) },
        "+Wi",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("numbers below zero, rescaled", async () => {
    expect(
      await differenceAs(
        {
          pixels: words(...levels(1500, -1000)),
          isSigned: true,
          more: [...windowOf(-500, 2500), element(0x28, 0x1052, "DS", "-24"), element(0x28, 0x1053, "DS", "1.5")],
        },
        "+Wi",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("a VOI look-up table", async () => {
    const table = Array.from({ length: 4096 }, (_, at) => Math.round(4095 / (1 + Math.exp(-(at - 1000) / 150))));
    expect(
      await differenceAs(
        {
          pixels: words(...levels(2500)),
          bitsStored: 12,
          more: [element(0x28, 0x3010, "SQ", [tableItem(0, table, 12)])],
        },
        "+Wl",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("a VOI look-up table with an offset, beside a window", async () => {
    const table = Array.from({ length: 1000 }, (_, at) => Math.round(65_535 * (at / 999) ** 2));
    expect(
      await differenceAs(
        {
          pixels: words(...levels(2500)),
          bitsStored: 12,
          more: [...windowOf(500, 100), element(0x28, 0x3010, "SQ", [tableItem(600, table, 16)])],
        },
        "+Wl",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("a modality look-up table that inverts", async () => {
    const table = Array.from({ length: 4096 }, (_, at) => 4095 - at);
    expect(
      await differenceAs(
        {
          pixels: words(...levels(4000)),
          bitsStored: 12,
          more: [...windowOf(2048, 3000), element(0x28, 0x3000, "SQ", [tableItem(0, table, 16)])],
        },
        "+Wi",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("bits above those that are stored", async () => {
    expect(
      await differenceAs(
        {
          pixels: words(...levels(4000).map((value, at) => value | ((at % 16) << 12))),
          bitsStored: 12,
          more: windowOf(2000, 3800),
        },
        "+Wi",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("twelve bits at the top of sixteen", async () => {
    expect(
      await differenceAs(
        {
          pixels: words(...levels(4000).map((value) => value << 4)),
          bitsStored: 12,
          highBit: 15,
          more: windowOf(2000, 3800),
        },
        "+Wi",
        "1",
      ),
    ).toBeLessThanOrEqual(MAX);
  });
  test("eight bits", async () => {
    expect(
      await differenceAs({ pixels: Buffer.from(levels(255)), bitsAllocated: 8, more: windowOf(128, 256) }, "+Wi", "1"),
    ).toBeLessThanOrEqual(MAX);
  });

  async function differenceAs(picture: Omit<DicomPicture, "rows" | "columns">, ...options: string[]): Promise<number> {
    const path = file({ ...grey, ...picture });
    return differenceFrom(path, reference(path, ...options));
  }

  test("without a window, a hot pixel does not turn the picture black", async () => {
    const values = levels(900, 100);
    values[77] = 65_535;
    const path = file({ ...grey, pixels: words(...values) });
    expect(await differenceFrom(path, reference(path, ...percentiles(values)))).toBeLessThanOrEqual(MAX);
  });

  test("without a window, padding is left out of the range", async () => {
    const values = levels(900, 100).map((value, at) => (at % SIDE < 20 ? -2000 : value));
    const path = file({
      ...grey,
      pixels: words(...values),
      isSigned: true,
      more: [element(0x28, 0x120, "SS", words(-2000))],
    });
    expect(
      await differenceFrom(path, reference(path, ...percentiles(values.filter((value) => value !== -2000)))),
    ).toBeLessThanOrEqual(MAX);
  });

  test("without a window, bits above the stored ones are ignored", async () => {
    const values = levels(900, 100);
    const path = file({
      ...grey,
      pixels: words(...values.map((value, at) => value | ((at % 3) << 14))),
      bitsStored: 10,
    });
    expect(await differenceFrom(path, reference(path, ...percentiles(values)))).toBeLessThanOrEqual(MAX);
  });

  test("an image of a single shade is drawn", async () => {
    const picture = await drawDicom(file({ ...grey, pixels: words(...scene.map(() => 500)) }), undefined);
    expect(new Set(picture.data)).toEqual(new Set([128]));
  });
});

describe("codings of grey", () => {
  const source = () => file({ ...grey, pixels: words(...levels(4000)), bitsStored: 12, more: windowOf(2000, 3800) });

  test.each([
    ["RLE", "dcmcrle"],
    ["JPEG without loss", "dcmcjpeg", "+e1"],
    ["JPEG with twelve bits", "dcmcjpeg", "+ee", "+q", "98", "+sr"],
    ["JPEG-LS", "dcmcjpls"],
    ["big endian", "dcmconv", "+tb"],
    ["implicit", "dcmconv", "+ti"],
    ["deflated", "dcmconv", "+td"],
  ])("%s", async (_, program, ...options) => {
    const path = source();
    expect(await differenceFrom(converted(path, program, ...options), reference(path, "+Wi", "1"))).toBeLessThanOrEqual(
      MAX,
    );
  });

  function jpeg2000(picture: DicomPicture, encode: "encodeJpeg2000" | "encodeHtJpeg2000"): Buffer {
    const { rows, columns, samples = 1, bitsAllocated = 16, bitsStored = 16, pixels } = picture;
    const context = new Context({
      width: columns,
      height: rows,
      samplesPerPixel: samples,
      bitsAllocated,
      bitsStored,
      pixelRepresentation: 0,
      planarConfiguration: 0,
      photometricInterpretation: samples === 1 ? "MONOCHROME2" : "RGB",
      decodedBuffer: pixels,
    });
    return Buffer.from(NativeCodecs[encode](context, { lossy: false }).getEncodedBuffer() ?? []);
  }

  test.each(["encodeJpeg2000", "encodeHtJpeg2000"] as const)(
    "%s, with a sequence delimiter's bytes inside the fragment",
    async (encode) => {
      const picture = { ...grey, pixels: words(...levels(4000)), bitsStored: 12, more: windowOf(2000, 3800) };
      const stream = jpeg2000(picture, encode);
      const afterSize = 4 + stream.readUInt16BE(4);
      const comment = Buffer.from("ff64000e0000fffeffddfeffdde00000", "hex");
      const pixels = Buffer.concat([stream.subarray(0, afterSize), comment, stream.subarray(afterSize)]);
      const transferSyntax = encode === "encodeJpeg2000" ? "1.2.840.10008.1.2.4.90" : "1.2.840.10008.1.2.4.201";
      expect(
        await differenceFrom(
          file({ ...picture, pixels, transferSyntax, isEncapsulated: true }),
          reference(file(picture), "+Wi", "1"),
        ),
      ).toBeLessThanOrEqual(MAX);
    },
  );

  test("JPEG 2000 in colour, transformed by the coder", async () => {
    const picture = { ...colour, pixels: rgb8, bitsAllocated: 8, bitsStored: 8 };
    const pixels = jpeg2000(picture, "encodeJpeg2000");
    const coded = { ...picture, pixels, transferSyntax: "1.2.840.10008.1.2.4.90", isEncapsulated: true };
    expect(
      await differenceFrom(file({ ...coded, photometric: "YBR_RCT" }), reference(file(picture))),
    ).toBeLessThanOrEqual(MAX);
    await expect(drawDicom(file({ ...coded, photometric: "YBR_FULL" }), 0)).rejects.toMatchObject({
      reason: "unsupported",
    });
  });
});

describe("colour", () => {
  const source = () => file({ ...colour, pixels: rgb8, bitsAllocated: 8 });
  const wide = () => file({ ...colour, pixels: words(...colours.map((level) => Math.round(level * 65_535))) });

  test.each([
    ["RGB", {}],
    ["in planes", { pixels: planesOf(rgb8), isPlanar: true }],
    ["YBR_FULL", { photometric: "YBR_FULL" }],
    ["YBR_FULL in planes", { pixels: planesOf(rgb8), isPlanar: true, photometric: "YBR_FULL" }],
  ] satisfies [string, Partial<DicomPicture>][])("%s", async (_, more) => {
    const path = file({ ...colour, pixels: rgb8, bitsAllocated: 8, ...more });
    expect(await differenceFrom(path, reference(path))).toBeLessThanOrEqual(MAX);
  });

  test("sixteen bits, plain and in RLE", async () => {
    const path = wide();
    expect(await differenceFrom(path, reference(path))).toBeLessThanOrEqual(MAX);
    expect(await differenceFrom(converted(path, "dcmcrle"), reference(path))).toBeLessThanOrEqual(MAX);
  });

  test("thirty-two bits in RLE", async () => {
    const pixels = Buffer.alloc(colours.length * 4);
    colours.forEach((level, at) => pixels.writeUInt32LE(Math.floor(level * 0xffffffff), at * 4));
    expect(
      await differenceFrom(converted(file({ ...colour, pixels, bitsAllocated: 32 }), "dcmcrle"), reference(source())),
    ).toBeLessThanOrEqual(MAX);
  });

  test.each([
    ["RLE", "dcmcrle"],
    ["deflated", "dcmconv", "+td"],
    ["JPEG without loss", "dcmcjpeg", "+e1"],
    ["JPEG-LS, line by line", "dcmcjpls", "+il"],
    ["JPEG-LS, sample by sample", "dcmcjpls", "+is"],
    ["JPEG-LS without interleaving", "dcmcjpls", "+in"],
  ])("%s", async (_, program, ...options) => {
    const path = source();
    expect(await differenceFrom(converted(path, program, ...options), reference(path))).toBeLessThanOrEqual(MAX);
  });

  test.each([
    ["YBR_FULL_422", "+eb"],
    ["YBR_FULL", "+eb", "+s4"],
    ["RGB with Adobe's mark", "+eb", "+cr"],
  ])("JPEG %s", async (_, ...options) => {
    const path = converted(source(), "dcmcjpeg", ...options);
    expect(await differenceFrom(path, reference(path))).toBeLessThanOrEqual(MAX);
  });

  /** A JPEG of RGB whose only mark is what its components are called. */
  function rgbJpeg(ids: string): Buffer {
    const bytes = readFileSync(converted(source(), "dcmcjpeg", "+eb", "+cr"));
    const start = bytes.indexOf(Buffer.from("ffd8ffee000e41646f6265", "hex"));
    const stream = Buffer.concat([
      bytes.subarray(start, start + 2),
      bytes.subarray(start + 18, bytes.lastIndexOf(Buffer.from("ffd9", "hex")) + 2),
    ]);
    for (const [marker, first, step] of [
      ["ffc0", 10, 3],
      ["ffda", 5, 2],
    ] as const) {
      const at = stream.indexOf(Buffer.from(marker, "hex"));
      [...ids].forEach((id, nth) => stream.write(id, at + first + nth * step, "latin1"));
    }
    return stream;
  }

  test.each(["RGB", "\u0001\u0002\u0003"])(
    "JPEG of RGB without Adobe's mark, its components called %j",
    async (ids) => {
      const path = file({
        ...colour,
        pixels: rgbJpeg(ids),
        bitsAllocated: 8,
        transferSyntax: "1.2.840.10008.1.2.4.50",
        isEncapsulated: true,
      });
      expect(await differenceFrom(path, reference(path))).toBeLessThanOrEqual(MAX);
    },
  );

  test.each([
    ["RGB in the picture and YBR in the file", "YBR_FULL_422", "+cr"],
    ["YBR in the picture and RGB in the file", "RGB", "+cy"],
  ])("JPEG with %s has no preview", async (_, photometric, option) => {
    const bytes = readFileSync(converted(source(), "dcmcjpeg", "+eb", option));
    const start = bytes.indexOf(Buffer.from("ffd8ff", "hex"));
    const pixels = bytes.subarray(start, bytes.lastIndexOf(Buffer.from("ffd9", "hex")) + 2);
    const path = file({
      ...colour,
      pixels,
      photometric,
      bitsAllocated: 8,
      transferSyntax: "1.2.840.10008.1.2.4.50",
      isEncapsulated: true,
    });
    await expect(drawDicom(path, 0)).rejects.toMatchObject({ reason: "unsupported" });
  });

  test("a palette", async () => {
    const tables = [(at: number) => at * 257, (at: number) => (255 - at) * 257, (at: number) => (at % 64) * 1028];
    const more = [
      ...tables.map((_, nth) => element(0x28, 0x1101 + nth, "US", words(256, 0, 16))),
      ...tables.map((table, nth) =>
        element(0x28, 0x1201 + nth, "OW", words(...Array.from({ length: 256 }, (_, at) => table(at)))),
      ),
    ];
    const path = file({
      ...grey,
      pixels: Buffer.from(levels(255)),
      bitsAllocated: 8,
      photometric: "PALETTE COLOR",
      more,
    });
    expect(await differenceFrom(path, reference(path))).toBeLessThanOrEqual(MAX);
  });
});

describe("refuses what would mislead or cost too much", () => {
  const pixels = words(...levels(4000));
  test.each([
    ["two samples", { samples: 2, photometric: "MONOCHROME2" }, "unsupported"],
    ["sixty thousand samples", { samples: 60_000 }, "unsupported"],
    ["one sample that is called RGB", { photometric: "RGB" }, "unsupported"],
    ["an unknown VOI function", { more: windowOf(10, 20, "CUBIC") }, "unsupported"],
    [
      "a look-up table cut short",
      { more: [element(0x28, 0x3010, "SQ", [element(0x28, 0x3002, "US", words(256, 0, 8))])] },
      "unsupported",
    ],
    ["more bits than are allocated", { bitsStored: 12, highBit: 17 }, "unsupported"],
    ["a transfer syntax we cannot read", { transferSyntax: "1.2.840.10008.1.2.4.93" }, "unsupported"],
    ["sides of 65,535", { rows: 65_535, columns: 65_535 }, "tooManyPixels"],
    [
      "an RLE frame that would be decoded to 600 MB",
      {
        rows: 7000,
        columns: 7000,
        samples: 3,
        bitsAllocated: 32,
        transferSyntax: "1.2.840.10008.1.2.5",
        isEncapsulated: true,
      },
      "tooManyPixels",
    ],
    [
      "a JPEG of another size than the file says",
      {
        transferSyntax: "1.2.840.10008.1.2.4.50",
        isEncapsulated: true,
        pixels: Buffer.from("ffd8ffc0000b08ffffffff01011100ffda0008010100003f00", "hex"),
      },
      "damaged",
    ],
  ] satisfies [string, Partial<DicomPicture>, string][])("%s", async (_, picture, reason) => {
    const path = file({ ...grey, pixels, ...picture });
    await expect(drawDicom(path, 0)).rejects.toMatchObject({ name: "DicomError", reason });
  });
});

describe("samples", () => {
  const sample = (name: string) => resolve("tests/files/dicom", name);

  test.each([
    ["MR_small_RLE.dcm", "+Wi", "1"],
    ["SC_rgb_rle.dcm"],
    ["SC_rgb_jpeg_gdcm.dcm"],
    ["examples_ybr_color.dcm", "+F", "16"],
  ])("%s", async (name, ...options) => {
    expect(await differenceFrom(sample(name), reference(sample(name), ...options))).toBeLessThanOrEqual(MAX);
  });

  test.each(["CT_small.dcm", "JPEG-lossy.dcm"])("%s, which has no window", async (name) => {
    const dataSet = dicomParser.parseDicom(readFileSync(converted(sample(name), "dcmdjpeg")));
    const { byteArray } = dataSet;
    const { dataOffset, length } = dataSet.elements.x7fe00010!;
    const stored = new DataView(byteArray.buffer, byteArray.byteOffset + dataOffset, length);
    const isSigned = dataSet.uint16("x00280103") === 1;
    const values = Array.from({ length: length / 2 }, (_, at) =>
      isSigned ? stored.getInt16(at * 2, true) : stored.getUint16(at * 2, true),
    );
    const intercept = dataSet.floatString("x00281052") ?? 0;
    const shown = values.filter((value) => value !== dataSet.int16("x00280120")).map((value) => value + intercept);
    expect(await differenceFrom(sample(name), reference(sample(name), ...percentiles(shown)))).toBeLessThanOrEqual(MAX);
  });
});

// @module-tag matrix
// @module-tag dcmtk
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DicomPicture, element, words } from "../../../tests/factories/dicom";
import { colour, colours, dicomReference, grey, levels, MAX, rgb8 } from "../../../tests/support/dicom-reference";
import { drawDicom } from "./draw-dicom.server";

const { file, converted, reference, differenceFrom } = dicomReference();

const planesOf = (bytes: Buffer) => Buffer.concat([0, 1, 2].map((nth) => bytes.filter((_, at) => at % 3 === nth)));

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

  /** An RGB JPEG marked only by its component ids. */
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

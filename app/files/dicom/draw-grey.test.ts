// @module-tag matrix
// @module-tag dcmtk
import { createRequire } from "node:module";
import { beforeAll, describe, expect, test } from "vitest";
import { type DicomPicture, element, tableItem, windowOf, words } from "../../../tests/factories/dicom";
import {
  colour,
  dicomReference,
  grey,
  levels,
  MAX,
  percentiles,
  rgb8,
  scene,
  SIDE,
} from "../../../tests/support/dicom-reference";
import { drawDicom } from "./draw-dicom.server";

const { Context, NativeCodecs } = createRequire(import.meta.url)("dcmjs-codecs") as typeof import("dcmjs-codecs");
beforeAll(() => NativeCodecs.initializeAsync());
const { file, converted, reference, differenceFrom } = dicomReference();

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

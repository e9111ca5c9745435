// @module-tag matrix
// @module-tag dcmtk
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import dicomParser from "dicom-parser";
import { describe, expect, test } from "vitest";
import { type DicomPicture, element, windowOf, words } from "../../../tests/factories/dicom";
import { dicomReference, grey, levels, MAX, percentiles } from "../../../tests/support/dicom-reference";
import { drawDicom } from "./draw-dicom.server";

const { file, converted, reference, differenceFrom } = dicomReference();

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

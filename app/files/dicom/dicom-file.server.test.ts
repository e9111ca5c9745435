import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { element, part10, words } from "../../../tests/factories/dicom";
import { readFrameAttributes } from "./draw-dicom.server";
import { DicomError } from "./dicom-pixels";
import { checkDicomPixels, readDicomFrame } from "./dicom-frames.server";
import { parseDicomHeader, readDicomHeader } from "./dicom-header.server";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);
const sample = (name: string) => resolve("tests/files/dicom", name);
const names = [
  "CT_small.dcm",
  "JPEG-lossy.dcm",
  "JPEG2000.dcm",
  "MR_small_RLE.dcm",
  "MR_truncated.dcm",
  "SC_rgb_jpeg_gdcm.dcm",
  "SC_rgb_rle.dcm",
  "badVR.dcm",
  "examples_ybr_color.dcm",
  "no_meta.dcm",
];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dicom-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const body = (extra: Buffer[] = []) =>
  Buffer.concat([
    element(8, 5, "CS", "ISO_IR 100"),
    element(8, 0x20, "DA", "20260230"),
    element(0x10, 0x10, "PN", Buffer.from("Åkjær^Søren^Bæk", "latin1")),
    element(0x10, 0x20, "LO", "2512489996"),
    element(0x28, 2, "US", words(1)),
    element(0x28, 4, "CS", "MONOCHROME2"),
    ...extra,
    element(0x28, 0x10, "US", words(2)),
    element(0x28, 0x11, "US", words(2)),
    element(0x28, 0x100, "US", words(8)),
  ]);

describe("headers", () => {
  test("decodes and orders names, and leaves out impossible dates", async () => {
    const header = await parseDicomHeader(
      part10("1.2.840.10008.1.2.1", Buffer.concat([body(), element(0x7fe0, 0x10, "OB", Buffer.alloc(4))])),
      true,
    );
    expect(header).toMatchObject({
      patientName: "Søren Bæk Åkjær",
      patientId: "2512489996",
      studyDate: null,
      modality: null,
      rows: 2,
      columns: 2,
      frames: 1,
    });
  });

  test.each([
    ["CT_small.dcm", { modality: "CT", rows: 128, columns: 128, studyDate: "1997-04-30" }],
    ["examples_ybr_color.dcm", { modality: "US", frames: 30, transferSyntax: "1.2.840.10008.1.2.4.50" }],
    ["SC_rgb_rle.dcm", { patientName: "G Lestrade", samplesPerPixel: 3 }],
  ])("%s", async (name, facts) => expect(await readDicomHeader(sample(name))).toMatchObject(facts));

  test.each([
    ["L\\F", ["L", "F"]],
    ["LA\\FP ", ["LA", "FP"]],
    ["L", null],
    ["LE\\CD", null],
    ["", null],
  ])("a patient orientation of %j is %j", async (written, orientation) => {
    const set = body([element(0x20, 0x20, "CS", written)]);
    const file = part10("1.2.840.10008.1.2.1", Buffer.concat([set, element(0x7fe0, 0x10, "OB", Buffer.alloc(4))]));
    expect(await parseDicomHeader(file, true)).toMatchObject({ orientation });
  });

  test("inflates a deflated header as far as needed, and limits a bomb", async () => {
    const plain = Buffer.concat([body(), element(0x7fe0, 0x10, "OB", Buffer.alloc(4))]);
    const header = await parseDicomHeader(part10("1.2.840.10008.1.2.1.99", deflateRawSync(plain)), true);
    expect(header).toMatchObject({ patientId: "2512489996", rows: 2, pixels: undefined });
    const bomb = deflateRawSync(Buffer.concat([body([element(0x28, 0x34, "UT", Buffer.alloc(200e6))])]));
    const before = process.memoryUsage().rss;
    await expect(parseDicomHeader(part10("1.2.840.10008.1.2.1.99", bomb), true)).rejects.toBeInstanceOf(DicomError);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  test("asks for more bytes when the header is longer than what was read", async () => {
    const bytes = await readFile(sample("CT_small.dcm"));
    expect(await parseDicomHeader(bytes.subarray(0, 2000), false)).toBeUndefined();
    await expect(parseDicomHeader(bytes.subarray(0, 2001), true)).rejects.toBeInstanceOf(DicomError);
  });

  test("reports a header that never ends as damaged", async () => {
    const path = join(folder, "endless.dcm");
    await writeFile(
      path,
      part10(
        "1.2.840.10008.1.2.1",
        Buffer.concat(Array.from({ length: 120 }, (_, index) => element(9, index, "UT", Buffer.alloc(50_000)))),
      ),
    );
    await expect(readDicomHeader(path)).rejects.toMatchObject({ reason: "damaged" });
  });
});

describe("pixels", () => {
  test.each(names.filter((name) => !["MR_truncated.dcm", "badVR.dcm", "no_meta.dcm"].includes(name)))(
    "%s is whole",
    async (name) => {
      const header = await readDicomHeader(sample(name));
      await expect(checkDicomPixels(sample(name), header)).resolves.toBeUndefined();
    },
  );

  test.each([
    ["MR_truncated.dcm", "damaged"],
    ["badVR.dcm", "damaged"],
    ["no_meta.dcm", "notDicom"],
  ])("%s is %s", async (name, reason) => {
    const read = async () => checkDicomPixels(sample(name), await readDicomHeader(sample(name)));
    await expect(read()).rejects.toMatchObject({ name: "DicomError", reason });
  });

  test("detects truncated compressed pixels", async () => {
    const bytes = await readFile(sample("examples_ybr_color.dcm"));
    const path = join(folder, "cut.dcm");
    await writeFile(path, bytes.subarray(0, 100_000));
    await expect(checkDicomPixels(path, await readDicomHeader(path))).rejects.toMatchObject({ reason: "damaged" });
  });

  test("extracts a single frame of many", async () => {
    const header = await readDicomHeader(sample("examples_ybr_color.dcm"));
    const bytes = await readDicomFrame(sample("examples_ybr_color.dcm"), header, 7);
    expect(bytes.length).toBeLessThan(60_000);
    expect(bytes.subarray(0, 3).toString("hex")).toBe("ffd8ff");
    await expect(readDicomFrame(sample("examples_ybr_color.dcm"), header, 30)).rejects.toMatchObject({
      reason: "noFrame",
    });
  });
});

test(
  "reads or refuses samples with changed, cut or random bytes",
  async () => {
    const originals = await Promise.all(names.map(async (name) => (await readFile(sample(name))).subarray(0, 40_000)));
    const path = join(folder, "fuzzed.dcm");
    const changed = fc
      .tuple(
        fc.constantFrom(...originals),
        fc.array(fc.tuple(fc.nat(6000), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
        fc.nat(40_000),
      )
      .map(([original, changes, cut]) => {
        const bytes = Buffer.from(original.subarray(0, Math.max(cut, 140)));
        for (const [at, value] of changes) if (at < bytes.length && (at < 128 || at > 131)) bytes[at] = value;
        return bytes;
      });
    const madeUp = fc.uint8Array({ maxLength: 600 }).map((tail) => part10("1.2.840.10008.1.2.1", Buffer.from(tail)));
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: changed }, { weight: 1, arbitrary: madeUp }), async (bytes) => {
        await writeFile(path, bytes);
        try {
          await checkDicomPixels(path, await readDicomHeader(path));
          readFrameAttributes((await readDicomHeader(path)).dataSet, 0);
          await readDicomFrame(path, await readDicomHeader(path), 0);
        } catch (error) {
          expect(error).toBeInstanceOf(DicomError);
        }
      }),
      { numRuns },
    );
  },
  Math.max(20_000, numRuns * 20),
);

// @module-tag node
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { readerProgram } from "../../../tests/support/reader-program";
import { dicom, request, testPreviews } from "../../../tests/support/test-previews";
import { createReaders } from "~/files/reading/readers.server";
import { aDicomFile } from "../../../tests/factories/dicom";
import { createPreviews } from "./preview.server";

const { folder, files, open } = testPreviews();
// A busy machine draws the largest pictures for longer than a person would wait.
const readers = createReaders({ programPath: readerProgram, timeoutMs: 240_000 });
const shared = createPreviews({ readers, cacheDir: join(folder, "cache"), files });
afterAll(() => readers.close());

function aBmp(side: number): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54 + side * side * 3, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(side, 18);
  head.writeInt32LE(side, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(side * side * 3, 100)]);
}

async function pixelsOf(path: string): Promise<{ at(x: number, y: number): number[]; deviation: number }> {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const { channels } = await sharp(path).stats();
  return {
    at: (x, y) => [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3)],
    deviation: channels[0]?.stdev ?? 0,
  };
}

describe("DICOM", () => {
  test.each([
    ["CT_small.dcm", 128, 128],
    ["JPEG-lossy.dcm", 256, 1024],
    ["JPEG2000.dcm", 256, 1024],
    ["MR_small_RLE.dcm", 64, 64],
    ["SC_rgb_jpeg_gdcm.dcm", 100, 100],
    ["SC_rgb_rle.dcm", 100, 100],
    ["examples_ybr_color.dcm", 320, 240],
  ])("%s is drawn", async (name, width, height) => {
    const preview = await shared.makePreview(await dicom(name));
    expect(preview).toMatchObject({ mime: "image/jpeg", width, height });
    if ("failed" in preview) return;
    expect((await pixelsOf(preview.path)).deviation).toBeGreaterThan(5);
  });

  test("an RLE colour image looks like the same image in JPEG", async () => {
    const both = shared;
    const rle = await both.makePreview(await dicom("SC_rgb_rle.dcm"));
    const jpeg = await both.makePreview(await dicom("SC_rgb_jpeg_gdcm.dcm"));
    if ("failed" in rle || "failed" in jpeg) throw new Error("no preview");
    const [first, second] = [await pixelsOf(rle.path), await pixelsOf(jpeg.path)];
    for (let y = 5; y < 100; y += 10) {
      first
        .at(50, y)
        .forEach((value, channel) => expect(Math.abs(value - (second.at(50, y)[channel] ?? -99))).toBeLessThan(12));
    }
    expect(first.at(50, 5)[0]).toBeGreaterThan(240);
    expect(first.at(50, 5)[1]).toBeLessThan(20);
  });

  test.each(["MR_truncated.dcm", "badVR.dcm", "no_meta.dcm"])("%s has no preview and harms nothing", async (name) => {
    const previewer = shared;
    expect(await previewer.makePreview(await dicom(name))).toEqual({ failed: "damaged" });
    expect(await previewer.makePreview(await dicom("CT_small.dcm", { size: "thumb" }))).toMatchObject({ width: 128 });
  });

  test("each frame and each tone has a preview of its own", async () => {
    const previewer = shared;
    const first = await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 0 }));
    const last = await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 29 }));
    const beyond = await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 30 }));
    if ("failed" in first || "failed" in last) throw new Error("no preview");
    expect(Buffer.compare(await readFile(first.path), await readFile(last.path))).not.toBe(0);
    expect(beyond).toEqual({ failed: "noFrame" });
    expect(await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 1 }))).toMatchObject({
      width: 320,
    });
  });

  test.each(["CT_small.dcm", "MR_small_RLE.dcm", "SC_rgb_rle.dcm"])(
    "%s becomes brighter and gets more contrast by steps",
    async (name) => {
      const previewer = shared;
      const measure = async (brightness: number, contrast: number) => {
        const made = await previewer.makePreview(await dicom(name, { tone: { brightness, contrast } }));
        if ("failed" in made) throw new Error(made.failed);
        const { channels } = await sharp(made.path).stats();
        return {
          mean: channels.reduce((sum, { mean }) => sum + mean, 0),
          deviation: channels.reduce((sum, { stdev }) => sum + stdev, 0),
        };
      };
      const plain = await measure(0, 0);
      expect((await measure(2, 0)).mean).toBeGreaterThan(plain.mean);
      expect((await measure(-2, 0)).mean).toBeLessThan(plain.mean);
      expect((await measure(0, -3)).deviation).toBeLessThan(plain.deviation);
    },
  );

  test("refuses a tone beyond the steps, so that nobody can fill the cache", async () => {
    const previewer = shared;
    for (const tone of [
      { brightness: 6, contrast: 0 },
      { brightness: 0, contrast: -6 },
      { brightness: 0.5, contrast: 0 },
    ]) {
      expect(await previewer.makePreview(await dicom("CT_small.dcm", { tone }))).toEqual({ failed: "unsupported" });
    }
  });
});

describe("pictures", () => {
  test.each([
    ["bmp", 0, "image/bmp", 360],
    ["dcm", 4, "application/dicom", 256],
    ["dcm", 0, "application/dicom", 360],
  ] as const)("a drawn %s of type %i", async (format, type, mime, width) => {
    const path = join(folder, `drawn-${type}.${format}`);
    await writeFile(path, await drawRadiograph({ type, format, seed: 6 }));
    const preview = await shared.makePreview(await request(path, mime));
    expect(preview).toMatchObject({ width });
    if (!("failed" in preview)) expect((await pixelsOf(preview.path)).deviation).toBeGreaterThan(20);
  });

  test("a thumbnail is small, rotated upright, and never enlarged", async () => {
    const path = join(folder, "turned.jpg");
    await sharp({ create: { width: 900, height: 400, channels: 3, background: "#808080" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(path);
    expect(await shared.makePreview(await request(path, "image/jpeg", { size: "thumb" }))).toMatchObject({
      width: 107,
      height: 240,
    });
    const small = join(folder, "small.png");
    await sharp({ create: { width: 20, height: 10, channels: 4, background: "#80808000" } })
      .png()
      .toFile(small);
    const preview = await shared.makePreview(await request(small, "image/png"));
    expect(preview).toMatchObject({ width: 20, height: 10 });
    if (!("failed" in preview)) expect((await pixelsOf(preview.path)).at(1, 1)).toEqual([255, 255, 255]);
  });

  const SIDE = 7000;
  const large = () => sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: "#963" } });

  test.each<[string, string, () => Promise<Buffer>]>([
    ["JPEG on its side", "image/jpeg", () => large().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    ["PNG with 16 bits", "image/png", () => large().toColourspace("rgb16").ensureAlpha().png().toBuffer()],
    ["GIF", "image/gif", () => large().gif().toBuffer()],
    ["BMP", "image/bmp", async () => aBmp(SIDE)],
    [
      "DICOM",
      "application/dicom",
      async () => aDicomFile({ rows: SIDE, columns: SIDE, pixels: Buffer.alloc(SIDE * SIDE * 2, 9) }),
    ],
  ])(
    "a %s of 49 million pixels is drawn within the memory of its process",
    { tags: "matrix" },
    async (_, mime, make) => {
      const path = join(folder, "large");
      await writeFile(path, await make());
      for (const [size, side] of [
        ["full", 6000],
        ["thumb", 240],
      ] as const)
        expect(await shared.makePreview(await request(path, mime, { size }))).toMatchObject({ width: side });
    },
  );

  test("a picture with more than 50 million pixels has no preview", async () => {
    const path = join(folder, "bomb.png");
    await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: "#000" }, limitInputPixels: false })
      .png()
      .toFile(path);
    expect(await shared.makePreview(await request(path, "image/png"))).toEqual({ failed: "tooManyPixels" });
  });

  test.each([
    ["text", "image/jpeg", Buffer.from("not a picture")],
    ["nothing", "image/png", Buffer.alloc(0)],
    ["a BMP cut short", "image/bmp", Buffer.from("BM0000")],
    ["a script", "image/gif", Buffer.from("GIF89a/*<script>alert(1)</script>*/")],
  ])("%s called %s is damaged", async (name, mime, content) => {
    const path = join(folder, `broken-${name.length}`);
    await writeFile(path, content);
    expect(await shared.makePreview(await request(path, mime))).toEqual({ failed: "damaged" });
  });

  /** A grey ramp with PNG chunks that declare its gamma. */
  async function rampWith(chunks: [name: string, content: Buffer][], depth: 8 | 16 = 8): Promise<string> {
    const levels = Array.from({ length: 256 }, (_, level) => level);
    const raw = { width: 256, height: 1, channels: 1 } as const;
    const picture =
      depth === 8
        ? sharp(Uint8Array.from(levels), { raw })
        : sharp(
            Uint16Array.from(levels, (level) => level * 257),
            { raw },
          );
    const png = await (depth === 8 ? picture : picture.toColourspace("grey16"))
      .resize(256, 64, { kernel: "nearest", fit: "fill" })
      .png()
      .toBuffer();
    const written = chunks.map(([name, content]) => {
      const body = Buffer.concat([Buffer.from(name), content]);
      const around = Buffer.alloc(8);
      around.writeUInt32BE(content.length, 0);
      around.writeUInt32BE(crc32(body), 4);
      return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
    });
    const path = join(folder, `ramp-${Math.random()}.png`);
    await writeFile(path, Buffer.concat([png.subarray(0, 33), ...written, png.subarray(33)]));
    return path;
  }
  const gamma = (value: number) => {
    const content = Buffer.alloc(4);
    content.writeUInt32BE(value * 100_000);
    return content;
  };

  test.each<[string, [string, Buffer][], 8 | 16, number]>([
    ["gamma 1", [["gAMA", gamma(1)]], 8, 137],
    ["gamma 1 and 16 bits", [["gAMA", gamma(1)]], 16, 137],
    ["the screen's gamma", [["gAMA", gamma(0.45455)]], 8, 64],
    [
      "gamma 1 under an sRGB mark",
      [
        ["sRGB", Buffer.from([0])],
        ["gAMA", gamma(1)],
      ],
      8,
      64,
    ],
    ["no gamma", [], 8, 64],
  ])("a PNG with %s is drawn as a browser draws it", async (_, chunks, depth, shown) => {
    const preview = await shared.makePreview(await request(await rampWith(chunks, depth), "image/png"));
    if ("failed" in preview) throw new Error(preview.failed);
    const [level] = (await pixelsOf(preview.path)).at(64, 32);
    expect(Math.abs(level! - shown)).toBeLessThan(4);
  });

  test("files other than pictures have no preview", async () => {
    const path = join(folder, "letter.pdf");
    await writeFile(path, "%PDF-1.4");
    expect(await shared.makePreview(await request(path, "application/pdf"))).toEqual({ failed: "unsupported" });
    const named = { ...(await request(path, "image/png")), sha256: "../../etc/passwd" };
    expect(await shared.makePreview(named)).toEqual({ failed: "unsupported" });
  });
});

describe("the cache", () => {
  test("answers from the cache without the original, until it is removed", async () => {
    const cacheDir = join(folder, "kept");
    const previewer = open({ cacheDir });
    const asked = await dicom("CT_small.dcm");
    const made = await previewer.makePreview(asked);
    const again = await previewer.makePreview({ ...asked, storageKey: "/nowhere" });
    expect(again).toEqual(made);
    const shelf = join(cacheDir, asked.sha256.slice(0, 2), asked.sha256);
    expect(await readdir(shelf)).toEqual(["view.3.jpg"]);
    await previewer.invalidate(asked.sha256);
    expect(existsSync(shelf)).toBe(false);
    expect(await previewer.makePreview({ ...asked, storageKey: "/nowhere" })).toEqual({ failed: "damaged" });
  });

  test("two concurrent requests make the preview once", async () => {
    const previewer = open();
    const asked = await dicom("CT_small.dcm");
    const [first, second] = [previewer.makePreview(asked), previewer.makePreview(asked)];
    expect(second).toBe(first);
    expect(await first).toMatchObject({ width: 128 });
  });

  test("reports a cache that cannot be written", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    expect(await open({ cacheDir: file }).makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "storage" });
  });
});

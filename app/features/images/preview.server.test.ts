import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import { createPreviews, type PreviewOptions, type PreviewRequest, type Previews } from "./preview.server";

const samples = resolve("tests/files/dicom");
let folder: string;
let workerPath: string;
let previews: Previews | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "previews-"));
  workerPath = join(folder, "preview-worker.js");
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await build({
    entryPoints: ["app/features/images/preview-worker.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile: workerPath,
  });
});
afterEach(() => previews?.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

function open(options: Partial<PreviewOptions> = {}): Previews {
  previews = createPreviews({ workerPath, cacheDir: join(folder, `cache-${Math.random()}`), ...options });
  return previews;
}

async function request(path: string, mime: string, more: Partial<PreviewRequest> = {}): Promise<PreviewRequest> {
  const sha256 = createHash("sha256").update(await readFile(path)).digest("hex");
  return { sourcePath: path, sha256, mime, size: "view", ...more };
}

const dicom = (name: string, more: Partial<PreviewRequest> = {}) => request(join(samples, name), "application/dicom", more);

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
    const preview = await open().makePreview(await dicom(name));
    expect(preview).toMatchObject({ mime: "image/jpeg", width, height });
    if ("failed" in preview) return;
    expect((await pixelsOf(preview.path)).deviation).toBeGreaterThan(5);
  });

  test("colour in RLE looks like the same picture in JPEG", async () => {
    const both = open();
    const rle = await both.makePreview(await dicom("SC_rgb_rle.dcm"));
    const jpeg = await both.makePreview(await dicom("SC_rgb_jpeg_gdcm.dcm"));
    if ("failed" in rle || "failed" in jpeg) throw new Error("no preview");
    const [first, second] = [await pixelsOf(rle.path), await pixelsOf(jpeg.path)];
    for (let y = 5; y < 100; y += 10) {
      first.at(50, y).forEach((value, channel) => expect(Math.abs(value - (second.at(50, y)[channel] ?? -99))).toBeLessThan(12));
    }
    expect(first.at(50, 5)[0]).toBeGreaterThan(240);
    expect(first.at(50, 5)[1]).toBeLessThan(20);
  });

  test.each(["MR_truncated.dcm", "badVR.dcm", "no_meta.dcm"])("%s has no preview and harms nothing", async (name) => {
    const previewer = open();
    expect(await previewer.makePreview(await dicom(name))).toEqual({ failed: "damaged" });
    expect(await previewer.makePreview(await dicom("CT_small.dcm", { size: "thumb" }))).toMatchObject({ width: 128 });
  });

  test("each frame and each tone is a picture of its own", async () => {
    const previewer = open();
    const first = await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 0 }));
    const last = await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 29 }));
    const beyond = await previewer.makePreview(await dicom("examples_ybr_color.dcm", { frame: 30 }));
    if ("failed" in first || "failed" in last) throw new Error("no preview");
    expect(Buffer.compare(await readFile(first.path), await readFile(last.path))).not.toBe(0);
    expect(beyond).toEqual({ failed: "unsupported" });
  });

  test.each(["CT_small.dcm", "MR_small_RLE.dcm", "SC_rgb_rle.dcm"])("%s becomes brighter and gets more contrast by steps", async (name) => {
    const previewer = open();
    const look = async (brightness: number, contrast: number) => {
      const made = await previewer.makePreview(await dicom(name, { tone: { brightness, contrast } }));
      if ("failed" in made) throw new Error(made.failed);
      const { channels } = await sharp(made.path).stats();
      return { mean: channels.reduce((sum, { mean }) => sum + mean, 0), deviation: channels.reduce((sum, { stdev }) => sum + stdev, 0) };
    };
    const plain = await look(0, 0);
    expect((await look(2, 0)).mean).toBeGreaterThan(plain.mean);
    expect((await look(-2, 0)).mean).toBeLessThan(plain.mean);
    expect((await look(0, -3)).deviation).toBeLessThan(plain.deviation);
  });

  test("a tone beyond the steps is not made, so that nobody can fill the cache", async () => {
    const previewer = open();
    for (const tone of [{ brightness: 6, contrast: 0 }, { brightness: 0, contrast: -6 }, { brightness: 0.5, contrast: 0 }]) {
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
    const preview = await open().makePreview(await request(path, mime));
    expect(preview).toMatchObject({ width });
    if (!("failed" in preview)) expect((await pixelsOf(preview.path)).deviation).toBeGreaterThan(20);
  });

  test("a thumbnail is small, turned upright, and never enlarged", async () => {
    const path = join(folder, "turned.jpg");
    await sharp({ create: { width: 900, height: 400, channels: 3, background: "#808080" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(path);
    expect(await open().makePreview(await request(path, "image/jpeg", { size: "thumb" }))).toMatchObject({ width: 107, height: 240 });
    const small = join(folder, "small.png");
    await sharp({ create: { width: 20, height: 10, channels: 4, background: "#80808000" } }).png().toFile(small);
    const preview = await open().makePreview(await request(small, "image/png"));
    expect(preview).toMatchObject({ width: 20, height: 10 });
    if (!("failed" in preview)) expect((await pixelsOf(preview.path)).at(1, 1)).toEqual([255, 255, 255]);
  });

  test("a picture with more than 50 million pixels has no preview", async () => {
    const path = join(folder, "bomb.png");
    await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: "#000" }, limitInputPixels: false }).png().toFile(path);
    expect(await open().makePreview(await request(path, "image/png"))).toEqual({ failed: "tooManyPixels" });
  });

  test.each([
    ["text", "image/jpeg", Buffer.from("not a picture")],
    ["nothing", "image/png", Buffer.alloc(0)],
    ["a BMP cut short", "image/bmp", Buffer.from("BM0000")],
    ["a script", "image/gif", Buffer.from("GIF89a/*<script>alert(1)</script>*/")],
  ])("%s called %s is damaged", async (name, mime, content) => {
    const path = join(folder, `broken-${name.length}`);
    await writeFile(path, content);
    expect(await open().makePreview(await request(path, mime))).toEqual({ failed: "damaged" });
  });

  test("files that are no pictures have none", async () => {
    const path = join(folder, "letter.pdf");
    await writeFile(path, "%PDF-1.4");
    expect(await open().makePreview(await request(path, "application/pdf"))).toEqual({ failed: "unsupported" });
    const named = { ...(await request(path, "image/png")), sha256: "../../etc/passwd" };
    expect(await open().makePreview(named)).toEqual({ failed: "unsupported" });
  });
});

describe("the cache", () => {
  test("answers the second time without the original, until it is forgotten", async () => {
    const cacheDir = join(folder, "kept");
    const previewer = open({ cacheDir });
    const asked = await dicom("CT_small.dcm");
    const made = await previewer.makePreview(asked);
    const again = await previewer.makePreview({ ...asked, sourcePath: "/nowhere" });
    expect(again).toEqual(made);
    const shelf = join(cacheDir, asked.sha256.slice(0, 2), asked.sha256);
    expect(await readdir(shelf)).toEqual(["view.jpg"]);
    await previewer.forget(asked.sha256);
    expect(existsSync(shelf)).toBe(false);
    expect(await previewer.makePreview({ ...asked, sourcePath: "/nowhere" })).toEqual({ failed: "damaged" });
  });

  test("asked twice at once it is made once", async () => {
    const previewer = open();
    const asked = await dicom("CT_small.dcm");
    const [first, second] = [previewer.makePreview(asked), previewer.makePreview(asked)];
    expect(second).toBe(first);
    expect(await first).toMatchObject({ width: 128 });
  });

  test("a cache that cannot be written is said", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    expect(await open({ cacheDir: file }).makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "storage" });
  });
});

describe("the thread", () => {
  async function behaving(code: string): Promise<string> {
    const path = join(folder, `worker-${Math.random()}.mjs`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, `import { parentPort } from "node:worker_threads"; import { writeFileSync } from "node:fs"; ${code}`);
    return path;
  }

  test("one that hangs is ended and the next preview gets a new one", async () => {
    const path = await behaving(`parentPort.on("message", (job) => {
      if (job.size === "view") for (;;);
      writeFileSync(job.outputPath, "x"); parentPort.postMessage({ id: job.id, ok: true, width: 1, height: 2, frames: 1 }); });`);
    const previewer = open({ workerPath: path, timeoutMs: 400 });
    const hanging = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("CT_small.dcm", { size: "thumb" }));
    expect(await hanging).toEqual({ failed: "timeout" });
    expect(await waiting).toMatchObject({ width: 1, height: 2 });
  });

  test("one that falls over fails its own preview only", async () => {
    const path = await behaving(`parentPort.on("message", (job) => {
      if (job.size === "view") process.exit(3);
      writeFileSync(job.outputPath, "x"); parentPort.postMessage({ id: job.id, ok: true, width: 1, height: 2, frames: 1 }); });`);
    const previewer = open({ workerPath: path });
    const falling = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("CT_small.dcm", { size: "thumb" }));
    expect(await falling).toEqual({ failed: "crashed" });
    expect(await waiting).toMatchObject({ width: 1 });
  });

  test("one that eats memory is stopped by its limit", async () => {
    const path = await behaving(`parentPort.on("message", () => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); });`);
    expect(await open({ workerPath: path }).makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "crashed" });
  });

  test("a missing thread file, a full queue and closing all answer", async () => {
    expect(await open({ workerPath: join(folder, "missing.js") }).makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "crashed" });
    const slow = open({ workerPath: await behaving(`parentPort.on("message", () => {});`), maxQueue: 1 });
    const asked = await Promise.all([dicom("CT_small.dcm"), dicom("CT_small.dcm", { size: "thumb" }), dicom("badVR.dcm")]);
    const answers = asked.map((one) => slow.makePreview(one));
    expect(await Promise.race(answers)).toEqual({ failed: "busy" });
    await slow.close();
    expect((await Promise.all(answers)).filter((answer) => "failed" in answer && answer.failed === "closed")).toHaveLength(2);
  });
});

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import { imageProgram } from "../../../tests/support/image-program";
import { createPreviews, type PreviewOptions, type PreviewRequest, type Previews } from "./preview.server";

const samples = resolve("tests/files/dicom");
/** Paths stand for keys. */
const files: PreviewOptions["files"] = { withLocalCopy: (path, work) => work(path) };
let folder: string;
let previews: Previews | undefined;
let shared: Previews;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "previews-"));
  shared = createPreviews({ workerPath: imageProgram, cacheDir: join(folder, "cache"), files });
});
afterEach(() => previews?.close());
afterAll(async () => {
  await shared.close();
  await rm(folder, { recursive: true, force: true });
});

function open(options: Partial<PreviewOptions> = {}): Previews {
  const cacheDir = join(folder, `cache-${Math.random()}`);
  previews = createPreviews({ workerPath: imageProgram, cacheDir, files, ...options });
  return previews;
}

async function request(path: string, mime: string, more: Partial<PreviewRequest> = {}): Promise<PreviewRequest> {
  const sha256 = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  return { storageKey: path, sha256, mime, size: "view", requestedBy: "person 1", ...more };
}

const dicom = (name: string, more: Partial<PreviewRequest> = {}) =>
  request(join(samples, name), "application/dicom", more);

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

  test("files other than pictures have no preview", async () => {
    const path = join(folder, "letter.pdf");
    await writeFile(path, "%PDF-1.4");
    expect(await shared.makePreview(await request(path, "application/pdf"))).toEqual({ failed: "unsupported" });
    const named = { ...(await request(path, "image/png")), sha256: "../../etc/passwd" };
    expect(await shared.makePreview(named)).toEqual({ failed: "unsupported" });
  });
});

describe("the cache", () => {
  test("answers the second time without the original, until the file is removed from the cache", async () => {
    const cacheDir = join(folder, "kept");
    const previewer = open({ cacheDir });
    const asked = await dicom("CT_small.dcm");
    const made = await previewer.makePreview(asked);
    const again = await previewer.makePreview({ ...asked, storageKey: "/nowhere" });
    expect(again).toEqual(made);
    const shelf = join(cacheDir, asked.sha256.slice(0, 2), asked.sha256);
    expect(await readdir(shelf)).toEqual(["view.2.jpg"]);
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

describe("the process", () => {
  async function behaving(code: string): Promise<string> {
    const path = join(folder, `worker-${Math.random()}.mjs`);
    await writeFile(
      path,
      `import { appendFileSync, writeFileSync } from "node:fs";
      const draw = (job) => { writeFileSync(job.outputPath, "x"); process.send({ width: 1, height: 2 }); };
      ${code}`,
    );
    return path;
  }
  const hangsOnView = () =>
    behaving(`process.on("message", (job) => { if (job.size === "view") for (;;); draw(job); });`);

  test("a process that hangs is killed, and the next preview gets a new one", async () => {
    const previewer = open({ workerPath: await hangsOnView(), timeoutMs: 600 });
    const hanging = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("MR_small_RLE.dcm", { size: "thumb" }));
    expect(await hanging).toEqual({ failed: "timeout" });
    expect(await waiting).toMatchObject({ width: 1, height: 2 });
  });

  test("a file that hung is never tried again, in any frame or size or after a restart", async () => {
    const cacheDir = join(folder, "hung");
    const calls = join(folder, "calls");
    const workerPath = await behaving(
      `process.on("message", () => { appendFileSync(${JSON.stringify(calls)}, "."); for (;;); });`,
    );
    expect(
      await open({ workerPath: workerPath, cacheDir, timeoutMs: 600 }).makePreview(await dicom("CT_small.dcm")),
    ).toEqual({ failed: "timeout" });
    await previews?.close();
    const again = open({ workerPath: workerPath, cacheDir, timeoutMs: 600 });
    for (const more of [{}, { frame: 0 }, { size: "thumb" }, { tone: { brightness: 1, contrast: 0 } }] as const) {
      expect(await again.makePreview(await dicom("CT_small.dcm", more))).toEqual({ failed: "timeout" });
    }
    expect(await readFile(calls, "utf8")).toBe(".");
    const { sha256 } = await dicom("CT_small.dcm");
    await again.invalidate(sha256);
    expect(await again.makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "timeout" });
    expect(await readFile(calls, "utf8")).toBe("..");
  });

  test("a process that crashes fails its own preview only", async () => {
    const previewer = open({
      workerPath: await behaving(
        `process.on("message", (job) => { if (job.size === "view") process.exit(3); draw(job); });`,
      ),
    });
    const falling = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("MR_small_RLE.dcm", { size: "thumb" }));
    expect(await falling).toEqual({ failed: "crashed" });
    expect(await waiting).toMatchObject({ width: 1 });
  });

  test("memory is limited, also where V8 does not count it", async () => {
    // A picture within the limit on pixels, whose decoder takes more than this process is given.
    const path = join(folder, "wide.png");
    await sharp({ create: { width: 7000, height: 7000, channels: 3, background: "#345" } })
      .png()
      .toFile(path);
    const previewer = open({ maxRssBytes: 90e6 });
    expect(await previewer.makePreview(await request(path, "image/png", { size: "full" }))).toEqual({
      failed: "crashed",
    });
  });

  test("the process inherits none of the portal's settings", async () => {
    process.env.APP_SECRET_OF_THIS_TEST = "secret";
    const seen = join(folder, "seen");
    const workerPath = await behaving(
      `process.on("message", (job) => { writeFileSync(${JSON.stringify(seen)}, Object.keys(process.env).join()); draw(job); });`,
    );
    await open({ workerPath: workerPath }).makePreview(await dicom("CT_small.dcm"));
    delete process.env.APP_SECRET_OF_THIS_TEST;
    expect(await readFile(seen, "utf8")).not.toMatch(/SECRET|DATA|PATH/);
  });

  test("each person's previews come in turn, however many the first requested", async () => {
    const [go, drawn] = [join(folder, "go"), join(folder, "drawn")];
    const workerPath = await behaving(`import { existsSync } from "node:fs";
      const finish = (job) => { appendFileSync(${JSON.stringify(drawn)}, job.frame < 10 ? "a" : "b"); draw(job); };
      process.on("message", (job) => { const wait = setInterval(() => { if (existsSync(${JSON.stringify(go)})) { clearInterval(wait); finish(job); } }, 10); });`);
    const previewer = open({ workerPath: workerPath, maxWaitingEach: 4 });
    const pictures = [previewer.makePreview(await dicom("CT_small.dcm", { frame: 0, requestedBy: "a" }))];
    // More than may wait: when one is turned away, four others are known to wait.
    const fill = async (requestedBy: string, from: number) => {
      const asked = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((nth) => dicom("CT_small.dcm", { frame: from + nth, requestedBy })),
      );
      const made = asked.map((one) => previewer.makePreview(one));
      pictures.push(...made);
      expect(await Promise.race(made)).toEqual({ failed: "busy" });
    };
    await fill("a", 0);
    await fill("b", 10);
    await writeFile(go, "");
    await Promise.all(pictures);
    expect(await readFile(drawn, "utf8")).toBe("aabababab");
  });

  test("a person's full queue answers busy to them only; closing answers everybody", async () => {
    expect(await open({ workerPath: join(folder, "missing.js") }).makePreview(await dicom("CT_small.dcm"))).toEqual({
      failed: "crashed",
    });
    const slow = open({ workerPath: await behaving(`process.on("message", () => {});`), maxWaitingEach: 1 });
    const asked = await Promise.all(["CT_small.dcm", "MR_small_RLE.dcm", "badVR.dcm"].map((name) => dicom(name)));
    const answers = asked.map((one) => slow.makePreview(one));
    expect(await Promise.race(answers)).toEqual({ failed: "busy" });
    const another = slow.makePreview(await dicom("SC_rgb_rle.dcm", { requestedBy: "person 2" }));
    await slow.close();
    expect(await another).toEqual({ failed: "closed" });
    expect(
      (await Promise.all(answers)).filter((answer) => "failed" in answer && answer.failed === "closed"),
    ).toHaveLength(2);
  });

  test("the process reads DICOM headers too", async () => {
    const previewer = open();
    expect(await previewer.readDicom(join(samples, "CT_small.dcm"))).toMatchObject({
      facts: { modality: "CT", rows: 128, frames: 1 },
    });
    expect(await previewer.readDicom(join(samples, "badVR.dcm"))).toEqual({ failed: "damaged" });
    const hanging = open({
      workerPath: await behaving(
        `process.on("message", (job) => { if (job.kind === "preview") for (;;); process.send({ failed: "damaged" }); });`,
      ),
    });
    const picture = hanging.makePreview(await dicom("CT_small.dcm"));
    expect(await hanging.readDicom("/an/upload")).toEqual({ failed: "damaged" });
    await hanging.close();
    expect(await picture).toEqual({ failed: "closed" });
    await expect(hanging.readDicom("/an/upload")).rejects.toThrow("closed");
  });
});

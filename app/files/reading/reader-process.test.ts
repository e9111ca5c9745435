// @module-tag node
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { TooManyReading } from "./reader-job";
import { dicom, request, samples, testPreviews } from "../../../tests/support/test-previews";

const { folder, open } = testPreviews();

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
    const previewer = open({ programPath: await hangsOnView(), timeoutMs: 600 });
    const hanging = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("MR_small_RLE.dcm", { size: "thumb" }));
    expect(await hanging).toEqual({ failed: "timeout" });
    expect(await waiting).toMatchObject({ width: 1, height: 2 });
  });

  test("a file that hung is never tried again, in any frame or size or after a restart", async () => {
    const cacheDir = join(folder, "hung");
    const calls = join(folder, "calls");
    const programPath = await behaving(
      `process.on("message", () => { appendFileSync(${JSON.stringify(calls)}, "."); for (;;); });`,
    );
    const first = open({ programPath, cacheDir, timeoutMs: 600 });
    expect(await first.makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "timeout" });
    await first.close();
    const again = open({ programPath, cacheDir, timeoutMs: 600 });
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
      programPath: await behaving(
        `process.on("message", (job) => { if (job.size === "view") process.exit(3); draw(job); });`,
      ),
    });
    const falling = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("MR_small_RLE.dcm", { size: "thumb" }));
    expect(await falling).toEqual({ failed: "crashed" });
    expect(await waiting).toMatchObject({ width: 1 });
  });

  /** Its first process is killed at its first job, as the kernel does where memory is short. */
  const killedOnce = (killed: string, answer: string) =>
    behaving(`import { existsSync } from "node:fs";
      process.on("message", (job) => {
        if (existsSync(${JSON.stringify(killed)})) return ${answer};
        writeFileSync(${JSON.stringify(killed)}, "");
        process.kill(process.pid, "SIGKILL");
      });`);

  test("a picture whose process was killed is drawn by the next process", async () => {
    const previewer = open({ programPath: await killedOnce(join(folder, "killed-drawing"), "draw(job)") });
    expect(await previewer.makePreview(await dicom("CT_small.dcm"))).toMatchObject({ width: 1, height: 2 });
  });

  test("a PDF whose process was killed is checked by the next process", async () => {
    const answer = `process.send({ check: "readable" })`;
    const { checkPdf } = open({ programPath: await killedOnce(join(folder, "killed-checking"), answer) });
    expect(await checkPdf("sound.pdf", "a")).toBe("readable");
  });

  test("a file over which two processes died is never tried again", async () => {
    const cacheDir = join(folder, "died");
    const calls = join(folder, "deaths");
    const programPath = await behaving(
      `process.on("message", () => { appendFileSync(${JSON.stringify(calls)}, "."); process.kill(process.pid, "SIGKILL"); });`,
    );
    for (let starts = 0; starts < 2; starts += 1) {
      const previewer = open({ programPath, cacheDir });
      expect(await previewer.makePreview(await dicom("CT_small.dcm"))).toEqual({ failed: "crashed" });
      await previewer.close();
    }
    expect(await readFile(calls, "utf8")).toBe("..");
  });

  test.each([
    ["nothing", "null"],
    ["a number", "7"],
    ["rows that are none", "{ more: 7 }"],
    ["rows that are none, and an answer", "{ rows: null }"],
    ["rows without end", "{ more: Array(200_000).fill(1) }"],
  ])("a process that was taken over and sends %s fails its own preview only", async (_what, message) => {
    const previewer = open({
      programPath: await behaving(
        `process.on("message", (job) => { if (job.size === "view") process.send(${message}); else draw(job); });`,
      ),
    });
    const falling = previewer.makePreview(await dicom("CT_small.dcm"));
    const waiting = previewer.makePreview(await dicom("MR_small_RLE.dcm", { size: "thumb" }));
    expect(await falling).toEqual({ failed: "crashed" });
    expect(await waiting).toMatchObject({ width: 1 });
  });

  test("what a process sends unasked is no answer to the next job", async () => {
    const previewer = open({
      programPath: await behaving(
        `process.on("message", (job) => { draw(job); if (job.size === "view") setTimeout(() => process.send({ width: 9, height: 9 }), 20); else draw(job); });`,
      ),
    });
    expect(await previewer.makePreview(await dicom("CT_small.dcm"))).toMatchObject({ width: 1 });
    await sleep(200);
    expect(await previewer.makePreview(await dicom("MR_small_RLE.dcm", { size: "thumb" }))).toMatchObject({ width: 1 });
  });

  test("memory is limited, also where V8 does not count it", async () => {
    // A picture within the pixel limit whose decoder exceeds the memory limit.
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
    const programPath = await behaving(
      `process.on("message", (job) => { writeFileSync(${JSON.stringify(seen)}, Object.keys(process.env).join()); draw(job); });`,
    );
    await open({ programPath }).makePreview(await dicom("CT_small.dcm"));
    delete process.env.APP_SECRET_OF_THIS_TEST;
    expect(await readFile(seen, "utf8")).not.toMatch(/SECRET|DATA|PATH/);
  });

  test("each person's previews come in turn, however many the first requested", async () => {
    const [go, drawn] = [join(folder, "go"), join(folder, "drawn")];
    const programPath = await behaving(`import { existsSync } from "node:fs";
      const finish = (job) => { appendFileSync(${JSON.stringify(drawn)}, job.frame < 10 ? "a" : "b"); draw(job); };
      process.on("message", (job) => { const wait = setInterval(() => { if (existsSync(${JSON.stringify(go)})) { clearInterval(wait); finish(job); } }, 10); });`);
    const previewer = open({ programPath, maxWaitingEach: 4 });
    const pictures = [previewer.makePreview(await dicom("CT_small.dcm", { frame: 0, requestedBy: "a" }))];
    // Fills the queue: when one job is refused, four others are known to wait.
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

  test("uploads are read in turn by person, and a person's full queue is refused", async () => {
    const [go, read] = [join(folder, "go-on"), join(folder, "read")];
    const programPath = await behaving(`import { existsSync } from "node:fs";
      const finish = ({ sourcePath }) => { appendFileSync(${JSON.stringify(read)}, sourcePath); process.send({ check: "readable" }); };
      process.on("message", (job) => { const wait = setInterval(() => { if (existsSync(${JSON.stringify(go)})) { clearInterval(wait); finish(job); } }, 10); });`);
    const { checkPdf } = open({ programPath, maxWaitingEach: 3 });
    const checks = ["a0", "a1", "a2", "a3"].map((path) => checkPdf(path, "a"));
    await expect(checkPdf("a4", "a")).rejects.toThrow(TooManyReading);
    checks.push(checkPdf("b1", "b"));
    await writeFile(go, "");
    expect(await Promise.all(checks)).toEqual(checks.map(() => "readable"));
    expect(await readFile(read, "utf8")).toBe("a0a1b1a2a3");
  });

  test("a person's full queue answers busy to them only; closing answers everybody", async () => {
    expect(await open({ programPath: join(folder, "missing.js") }).makePreview(await dicom("CT_small.dcm"))).toEqual({
      failed: "crashed",
    });
    const slow = open({ programPath: await behaving(`process.on("message", () => {});`), maxWaitingEach: 1 });
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
    expect(await previewer.readDicom(join(samples, "CT_small.dcm"), "test")).toMatchObject({
      facts: { modality: "CT", rows: 128, frames: 1 },
    });
    expect(await previewer.readDicom(join(samples, "badVR.dcm"), "test")).toEqual({ failed: "damaged" });
    const hanging = open({
      programPath: await behaving(
        `process.on("message", (job) => { if (job.kind === "preview") for (;;); process.send({ failed: "damaged" }); });`,
      ),
    });
    const picture = hanging.makePreview(await dicom("CT_small.dcm"));
    expect(await hanging.readDicom("/an/upload", "test")).toEqual({ failed: "damaged" });
    await hanging.close();
    expect(await picture).toEqual({ failed: "closed" });
    await expect(hanging.readDicom("/an/upload", "test")).rejects.toThrow("closed");
  });
});

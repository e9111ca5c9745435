import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { intoNewFile } from "~/streams/new-file.server";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "portal-new-file-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a file that is removed when its source breaks does not come back", async () => {
  const breaking = async function* () {
    yield Buffer.from("half");
    throw new Error("connection lost");
  };
  const busy = Array.from({ length: 4 }, () => new Worker("for (;;);", { eval: true }));
  try {
    for (let index = 0; index < 300; index += 1) {
      const file = path.join(folder, `broken-${index}`);
      await expect(pipeline(breaking(), intoNewFile(file))).rejects.toThrow("connection lost");
      await rm(file, { force: true });
    }
  } finally {
    await Promise.all(busy.map((worker) => worker.terminate()));
  }
  expect(await readdir(folder)).toEqual([]);
});

test("writes for its owner alone, and never over a file that is there", async () => {
  const file = path.join(folder, "whole");
  await pipeline([Buffer.from("røntgen")], intoNewFile(file));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(pipeline([Buffer.from("x")], intoNewFile(file))).rejects.toMatchObject({ code: "EEXIST" });
});

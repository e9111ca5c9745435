// @module-tag matrix
// @module-tag swift
import { randomBytes, createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { createFolderStore, type FolderStore } from "~/gateways/file-store/folder.server";
import { startCuttingProxy } from "../../tests/support/peers/cutting-proxy";
import { makeBucket, type TestBucket } from "../../tests/support/peers/s3-bucket";
import { type RunningSwift, startSwift } from "../../tests/support/swift.mjs";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { moveFiles } from "./move-files.server";

let swift: RunningSwift;
beforeAll(async () => {
  swift = await startSwift();
});
afterAll(() => swift.stop());

forEachDatabase("move-files", (dialect) => {
  let bucket: TestBucket;
  let portal: TestPortal;
  let folder: string;
  beforeAll(async () => {
    bucket = await makeBucket(swift);
    const { FILE_STORE_KEY, FILE_STORE_SECRET } = bucket.env() as Record<string, string>;
    portal = await createTestPortal(dialect, { env: { FILE_STORE_KEY, FILE_STORE_SECRET } as Record<string, string> });
    folder = mkdtempSync(path.join(os.tmpdir(), "moved-"));
  });
  afterAll(async () => {
    await portal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const store = () => portal.files as FolderStore;

  async function aFile(bytes = randomBytes(20_000)): Promise<{ key: string; bytes: Buffer }> {
    const key = await store().put(Readable.from([bytes]));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const file = { storageKey: key, fileName: "48.jpg", mime: "image/jpeg", sizeBytes: bytes.length, sha256 };
    await insertStoredFile(
      portal.db,
      { ...file, scanState: "clean", dicomCprHash: null, dicomFactsEncrypted: null },
      portal.clock.now(),
    );
    return { key, bytes };
  }

  /** Output and exit code of the command. */
  async function move(...args: string[]): Promise<{ output: string; errors: string; code: number }> {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const error = vi.mocked(console.error).mockImplementation(() => undefined);
    try {
      await moveFiles(portal, args);
      const output = (calls: unknown[][]) => calls.map(String).join("\n");
      return { output: output(log.mock.calls), errors: output(error.mock.calls), code: Number(process.exitCode ?? 0) };
    } finally {
      process.exitCode = undefined;
      log.mockRestore();
      error.mockClear();
    }
  }
  const counts = ({ output }: { output: string }) => [...output.matchAll(/\d+/g)].map(Number);

  test("copies to a bucket and back, resumes, and removes only verified files", async () => {
    const files = [await aFile(), await aFile(), await aFile(randomBytes(2_000_000))];
    await storeParts(portal, randomBytes(16).toString("hex"), Readable.from([randomBytes(9_000_000)]), 0);
    const proxy = await startCuttingProxy(swift.port);
    const { FILE_STORE: to } = bucket.env(proxy.origin) as { FILE_STORE: string };
    proxy.aim(1);
    await expect(move("--to", to)).rejects.toMatchObject({ name: "StoreUnavailable" });
    proxy.aim(swift.port);
    proxy.cutAt(proxy.received() + 1_000_000);
    expect(counts(await move("--to", to))).toEqual([5, 0, 0]);
    expect(new Set(await bucket.everything()).size).toBe(5);
    const late = await aFile();
    expect(counts(await move("--to", to))).toEqual([1, 2, 0]);
    expect(counts(await move("--to", to, "--again"))).toEqual([0, 6, 0]);

    await expect(move("--to", to, "--remove")).rejects.toThrow("--remove: the portal uses this store");
    expect(counts(await move("--from", to, "--to", folder, "--remove"))).toEqual([6, 0, 0]);
    expect(await bucket.everything()).toEqual([]);
    const moved = createFolderStore(folder);
    for (const { key, bytes } of [...files, late])
      expect((await buffer(await moved.openRead(key))).equals(bytes)).toBe(true);
    await proxy.close();
    expect(readdirSync(path.join(portal.config.dataDir, "outgoing"))).toEqual([]);
  });

  test("names missing and wrong files, repairs a wrong one, and looks at them again", async () => {
    const target = mkdtempSync(path.join(os.tmpdir(), "moved-"));
    const [missing, wrong, right] = [await aFile(), await aFile(), await aFile()];
    await store().remove(missing.key);
    await writeFile(store().pathOf(wrong.key), "something else");
    await createFolderStore(target).copyAs(store().pathOf(wrong.key), right.key);
    const { errors, code, ...first } = await move("--to", target);
    expect(errors.split("\n").toSorted()).toEqual(
      [`${missing.key}: findes ikke`, `${wrong.key}: er ikke, som den blev gemt`].toSorted(),
    );
    expect([code, counts(first)[2]]).toEqual([1, 2]);
    expect((await buffer(await createFolderStore(target).openRead(right.key))).equals(right.bytes)).toBe(true);
    await writeFile(store().pathOf(wrong.key), wrong.bytes);
    expect((await move("--to", target)).errors).toBe(`${missing.key}: findes ikke`);
    rmSync(target, { recursive: true, force: true });
  });

  test.each([
    [[], /^Usage/],
    [["--to", "files"], /^Usage/],
    [["--to", "s3://nobodys?endpoint=ENDPOINT"], /^FILE_STORE: there is no bucket nobodys$/],
  ])("says what is wrong with %j", async (args, text) => {
    await expect(move(...args.map((arg) => arg.replace("ENDPOINT", swift.endpoint)))).rejects.toThrow(text);
    await expect(move("--to", path.join(portal.config.dataDir, "files"))).rejects.toThrow(/^--to: is the store/);
  });
});

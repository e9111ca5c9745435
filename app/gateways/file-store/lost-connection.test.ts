// @module-tag matrix
// @module-tag swift
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CuttingProxy, startCuttingProxy } from "../../../tests/support/peers/cutting-proxy";
import { contentOf, from, PATIENCE, s3Store, sha256 } from "../../../tests/support/peers/s3-store";
import type { RunningSwift } from "../../../tests/support/swift.mjs";
import { type FileStore, StoreUnavailable } from "./port";

let swift: RunningSwift;
let folder: string;
let store: FileStore;
const { open, storeBytes, leftIn } = s3Store((given) => {
  ({ swift, folder, store } = given);
});

describe("a lost network", () => {
  let proxy: CuttingProxy;
  let distant: FileStore;

  beforeEach(async () => {
    proxy = await startCuttingProxy(swift.port);
    distant = await open({ endpoint: proxy.origin });
  });
  afterEach(async () => {
    await distant.close();
    await proxy.close();
  });

  test("during an upload: the whole file is sent again", async () => {
    const bytes = randomBytes(2_000_000);
    proxy.cutAt(1_000_000);
    const key = await distant.put(from(bytes));
    expect((await contentOf(await store.openRead(key))).equals(bytes)).toBe(true);
  });

  test("a store that falls silent in the middle of an upload is asked again", async () => {
    const bytes = randomBytes(2_000_000);
    const held = proxy.holdAt(1_000_000);
    const key = await distant.put(from(bytes));
    await held;
    expect((await contentOf(await store.openRead(key))).equals(bytes)).toBe(true);
  });

  test("when only the answer of an upload is lost, it is sent again to the same end", async () => {
    const file = join(folder, "upload");
    await writeFile(file, randomBytes(50_000));
    const key = randomBytes(16).toString("hex");
    proxy.cutAnswersAt(500);
    await distant.copyAs(file, key);
    expect(await store.size(key)).toBe(50_000);
  });

  test("during a download: it resumes where it stopped", async () => {
    const bytes = randomBytes(4_000_000);
    const key = await storeBytes(bytes);
    proxy.cutAnswersAt(1_500_000);
    expect((await contentOf(await distant.openRead(key))).equals(bytes)).toBe(true);
    proxy.cutAnswersAt(1_500_000);
    expect(await distant.withLocalCopy(key, async (path) => sha256(await readFile(path)))).toBe(sha256(bytes));
  });

  test("a slow reader gets every byte", async () => {
    const bytes = randomBytes(4_000_000);
    const key = await storeBytes(bytes);
    const stream = await distant.openRead(key);
    const read: Buffer[] = [];
    for await (const chunk of stream) {
      if (read.length === 0) await new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE.silentMs));
      read.push(chunk as Buffer);
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true);
  });

  test("every call reports an unreachable store as unavailable", async () => {
    const key = await storeBytes(Buffer.from("x"));
    const file = join(folder, "upload");
    await writeFile(file, "y");
    proxy.aim(1);
    const calls: (() => Promise<unknown>)[] = [
      () => distant.put(from("y")),
      () => distant.moveFromPath(file),
      () => distant.copyAs(file, key),
      () => distant.openRead(key),
      () => distant.openRead(key, { start: 0, end: 0 }),
      () => distant.withLocalCopy(key, async () => {}),
      () => distant.size(key),
      () => distant.remove(key),
      () => distant.list("00", new Date())[Symbol.asyncIterator]().next(),
      () => distant.check(),
    ];
    for (const call of calls) await expect(call(), String(call)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(existsSync(file)).toBe(true);
    expect(await leftIn("outgoing")).toEqual([]);
    expect(await distant.findSetupError()).toHaveProperty("away");
    proxy.aim(swift.port);
    expect((await contentOf(await distant.openRead(key))).toString()).toBe("x");
  });
});

// @module-tag node
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolderStore, type FolderStore } from "./folder.server";
import { FileNotInStore, StoreFull, StoreUnavailable } from "./port";

let folder: string;
let store: FolderStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-"));
  store = createFolderStore(join(folder, "files"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function contentOf(stream: Readable): Promise<string> {
  return Buffer.concat(await stream.toArray()).toString();
}

test("reads a stored file, whole and in part, until it is removed", async () => {
  const key = await store.put(Readable.from([Buffer.from("røntgen"), Buffer.from(" 48")]));
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(await contentOf(await store.openRead(key))).toBe("røntgen 48");
  expect(await contentOf(await store.openRead(key, { start: 0, end: 0 }))).toBe("r");
  expect(await store.size(key)).toBe(11);
  expect(store.pathOf(key)).toBe(join(folder, "files", key.slice(0, 2), key.slice(2, 4), key));
  expect((await stat(store.pathOf(key))).mode & 0o077).toBe(0);
  await store.remove(key);
  await store.remove(key);
  await expect(store.size(key)).rejects.toBeInstanceOf(FileNotInStore);
  await expect(store.openRead(key)).rejects.toBeInstanceOf(FileNotInStore);
});

test("a path is copied by put and moved by moveFromPath", async () => {
  const path = join(folder, "upload");
  await writeFile(path, randomBytes(3_000_000));
  const copied = await store.put(path);
  expect(existsSync(path)).toBe(true);
  const moved = await store.moveFromPath(path);
  expect(existsSync(path)).toBe(false);
  expect(Buffer.compare(await readFile(store.pathOf(copied)), await readFile(store.pathOf(moved)))).toBe(0);
});

test("storing under a key of the caller is idempotent", async () => {
  const path = join(folder, "upload");
  await writeFile(path, "røntgen");
  const key = "0123456789abcdef0123456789abcdef";
  await store.copyAs(path, key);
  await store.copyAs(path, key);
  await rm(path);
  expect(await contentOf(await store.openRead(key))).toBe("røntgen");
  await expect(store.copyAs(join(folder, "missing"), key)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(store.copyAs(path, "../outside")).rejects.toBeInstanceOf(FileNotInStore);
});

test("an aborted upload leaves nothing behind", async () => {
  const breaking = async function* () {
    yield Buffer.from("half");
    throw new Error("connection lost");
  };
  await expect(store.put(breaking())).rejects.toThrow("connection lost");
  expect(await readdir(join(folder, "files"))).toEqual(["incoming"]);
  expect(await readdir(join(folder, "files", "incoming"))).toEqual([]);
  await expect(store.put(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
  await expect(store.moveFromPath(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("throws StoreFull when the disk is full", async () => {
  const full = async function* () {
    yield await Promise.reject<Buffer>(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  };
  await expect(store.put(full())).rejects.toBeInstanceOf(StoreFull);
});

test.each(["../../../etc/passwd", "", "A".repeat(32), "a".repeat(31), `${"a".repeat(32)}/..`])(
  "refuses the key %j",
  async (key) => {
    expect(() => store.pathOf(key)).toThrow(FileNotInStore);
    await expect(store.openRead(key)).rejects.toBeInstanceOf(FileNotInStore);
    await expect(store.size(key)).rejects.toBeInstanceOf(FileNotInStore);
    await expect(store.remove(key)).rejects.toBeInstanceOf(FileNotInStore);
  },
);

test("readiness: a writable folder reports its free space, a blocked one an error", async () => {
  expect((await store.check()).freeBytes).toBeGreaterThan(0);
  expect(await readdir(join(folder, "files", "incoming"))).toEqual([]);
  const blocked = join(folder, "blocked");
  await writeFile(blocked, "a file where the folder should be");
  await expect(createFolderStore(blocked).check()).rejects.toBeInstanceOf(StoreUnavailable);
  if (process.getuid?.() === 0) return;
  await mkdir(join(folder, "locked"));
  await chmod(join(folder, "locked"), 0o500);
  await expect(createFolderStore(join(folder, "locked", "files")).check()).rejects.toBeInstanceOf(StoreUnavailable);
});

test("lists keys by prefix and age", async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => store.put(Readable.from([Buffer.from("x")]))));
  const listed = async (before: Date) => {
    const found: string[] = [];
    for (const prefix of new Set(keys.map((key) => key.slice(0, 2))))
      for await (const key of store.list(prefix, before)) found.push(key);
    return found.toSorted();
  };
  expect(await listed(new Date(Date.now() + 60_000))).toEqual(keys.toSorted());
  await utimes(store.pathOf(keys[0]!), new Date("2026-01-01"), new Date("2026-01-01"));
  expect(await listed(new Date(Date.now() - 60_000))).toEqual([]);
  for await (const key of store.list("zz", new Date())) expect.unreachable(key);
});

test("removes what was left half written, and nothing under way", async () => {
  const incoming = join(folder, "files", "incoming");
  await mkdir(incoming, { recursive: true });
  await writeFile(join(incoming, "old.tmp"), "x");
  await writeFile(join(incoming, "new.tmp"), "x");
  await utimes(join(incoming, "old.tmp"), new Date("2026-01-01"), new Date("2026-01-01"));
  expect(await store.removeAbandoned(new Date("2026-01-02"))).toBe(1);
  expect(await readdir(incoming)).toEqual(["new.tmp"]);
  expect(await createFolderStore(join(folder, "none")).removeAbandoned(new Date())).toBe(0);
});

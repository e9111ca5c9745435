// @module-tag matrix
// @module-tag swift
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeBucket, type TestBucket } from "../../../tests/support/peers/s3-bucket";
import { contentOf, from, s3Store } from "../../../tests/support/peers/s3-store";
import type { RunningSwift } from "../../../tests/support/swift.mjs";
import { FileNotInStore, type FileStore, WrongContent, type S3Settings } from "./port";

let swift: RunningSwift;
let bucket: TestBucket;
let folder: string;
let store: FileStore;
const { open, storeBytes, leftIn } = s3Store((given) => {
  ({ swift, bucket, folder, store } = given);
});

test("reads a stored file, whole and in part, until it is removed", async () => {
  const key = await store.put(from("røntgen", " 48"));
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect((await contentOf(await store.openRead(key))).toString()).toBe("røntgen 48");
  expect((await contentOf(await store.openRead(key, { start: 0, end: 0 }))).toString()).toBe("r");
  expect(await store.size(key)).toBe(11);
  await bucket.overwrite(`files/${key}`, Buffer.from("another version"));
  expect(await bucket.everything()).toEqual([`files/${key}`, `files/${key}`]);
  await store.remove(key);
  await store.remove(key);
  expect(await bucket.everything()).toEqual([]);
  await expect(store.size(key)).rejects.toBeInstanceOf(FileNotInStore);
  await expect(store.openRead(key)).rejects.toBeInstanceOf(FileNotInStore);
  await expect(store.openRead(key, { start: 0, end: 0 })).rejects.toBeInstanceOf(FileNotInStore);
  expect(await leftIn("outgoing")).toEqual([]);
});

test("a bucket without versions is emptied as well", async () => {
  const plain = await makeBucket(swift, { keepsVersions: false });
  const other = await open(plain.settings);
  const key = await other.put(from("x"));
  await other.remove(key);
  expect(await plain.everything()).toEqual([]);
  await other.close();
});

test("the store encrypts what it keeps, since it is asked to", async () => {
  const plaintext = "a sentence that must not lie on the disk as it is";
  const key = await store.put(from(plaintext));
  const files = (await readdir(swift.folder, { recursive: true, withFileTypes: true })).filter(
    (file) => file.isFile() && file.name.endsWith(".data"),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files)
    expect((await readFile(join(file.parentPath, file.name))).includes(plaintext), file.name).toBe(false);
  await store.remove(key);
});

test("copies by put, moves by moveFromPath, and stores a key once", async () => {
  const file = join(folder, "upload");
  const bytes = randomBytes(3_000_000);
  await writeFile(file, bytes);
  const copied = await store.put(file);
  expect(existsSync(file)).toBe(true);
  const given = randomBytes(16).toString("hex");
  await store.copyAs(file, given);
  await store.copyAs(file, given);
  expect((await bucket.everything()).filter((name) => name.endsWith(given))).toHaveLength(1);
  const moved = await store.moveFromPath(file);
  expect(existsSync(file)).toBe(false);
  for (const key of [copied, given, moved])
    expect((await contentOf(await store.openRead(key))).equals(bytes)).toBe(true);
  await expect(store.copyAs(join(folder, "missing"), given)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(store.moveFromPath(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("an aborted upload leaves nothing behind", async () => {
  const before = await bucket.everything();
  const breaking = async function* () {
    yield Buffer.from("half");
    throw new Error("connection lost");
  };
  await expect(store.put(breaking())).rejects.toThrow("connection lost");
  expect(await leftIn("outgoing")).toEqual([]);
  expect(await bucket.everything()).toEqual(before);
});

test.each(["../../../etc/passwd", "", "A".repeat(32), "a".repeat(31), `${"a".repeat(32)}/..`])(
  "refuses the key %j",
  async (key) => {
    await expect(store.openRead(key)).rejects.toBeInstanceOf(FileNotInStore);
    await expect(store.size(key)).rejects.toBeInstanceOf(FileNotInStore);
    await expect(store.remove(key)).rejects.toBeInstanceOf(FileNotInStore);
    await expect(store.withLocalCopy(key, async () => {})).rejects.toBeInstanceOf(FileNotInStore);
  },
);

test("lists keys by prefix and age", async () => {
  const keys = await Promise.all(Array.from({ length: 12 }, () => store.put(from("x"))));
  const listed = async (before: Date) => {
    const found: string[] = [];
    for (const prefix of new Set(keys.map((key) => key.slice(0, 2))))
      for await (const key of store.list(prefix, before)) if (keys.includes(key)) found.push(key);
    return found.toSorted();
  };
  expect(await listed(new Date(Date.now() + 60_000))).toEqual(keys.toSorted());
  expect(await listed(new Date(Date.now() - 60_000))).toEqual([]);
  for await (const key of store.list("zz", new Date())) expect.unreachable(key);
});

describe("a file that is not what was stored", () => {
  test("a small altered file fails before its first byte, also in parts", async () => {
    const key = await storeBytes(Buffer.from("the picture"));
    await bucket.overwrite(`files/${key}`, Buffer.from("a different one"));
    await expect(store.openRead(key)).rejects.toBeInstanceOf(WrongContent);
    await expect(store.openRead(key, { start: 0, end: 3 })).rejects.toBeInstanceOf(WrongContent);
    await expect(store.withLocalCopy(key, async () => "read")).rejects.toBeInstanceOf(WrongContent);
    expect((await leftIn("copies")).filter((name) => name.includes("/"))).toEqual([]);
  });

  test("a large altered file fails before its last bytes", async () => {
    const bytes = randomBytes(3_000_000);
    const key = await storeBytes(bytes);
    bytes[0]! ^= 1;
    await bucket.overwrite(`files/${key}`, bytes);
    let read = 0;
    const stream = await store.openRead(key);
    await expect(
      (async () => {
        for await (const chunk of stream) read += (chunk as Buffer).length;
      })(),
    ).rejects.toBeInstanceOf(WrongContent);
    expect(read).toBeLessThan(bytes.length);
  });

  test("without a row of its own, what the store was given counts", async () => {
    const key = await store.put(from("as it came"));
    expect((await contentOf(await store.openRead(key))).toString()).toBe("as it came");
  });
});

describe("local copies", () => {
  test("two concurrent readers fetch one copy, which is deleted when the process ends", async () => {
    const bytes = randomBytes(100_000);
    const key = await storeBytes(bytes);
    const paths = await Promise.all(
      [1, 2].map(() =>
        store.withLocalCopy(key, async (path) => {
          expect((await readFile(path)).equals(bytes)).toBe(true);
          return path;
        }),
      ),
    );
    expect(paths[0]).toBe(paths[1]);
    await store.remove(key);
    expect(existsSync(paths[0]!)).toBe(false);
    await store.close();
    expect(await leftIn("copies")).toEqual([]);
  });

  test("what killed processes left is removed, and nothing that is read", async () => {
    const left = join(folder, "copies", "1-dead");
    await mkdir(left, { recursive: true });
    await mkdir(join(folder, "outgoing"), { recursive: true });
    for (const name of [join(left, "old"), join(left, "new"), join(folder, "outgoing", "old.tmp")])
      await writeFile(name, "x");
    for (const name of [join(left, "old"), join(folder, "outgoing", "old.tmp")]) await utimes(name, 1, 1);
    const key = await storeBytes(Buffer.from("read"));
    await store.withLocalCopy(key, async (path) => {
      await utimes(path, 1, 1);
      expect(await store.removeAbandoned(new Date("2026-01-01"))).toBe(2);
      expect(existsSync(path)).toBe(true);
    });
    expect(await readdir(left)).toEqual(["new"]);
  });
});

describe("at the start", () => {
  test("a correctly configured store has no setup error", async () => {
    expect(await store.findSetupError()).toBeNull();
    expect(await store.check()).toEqual({ freeBytes: undefined });
    expect((await bucket.everything()).filter((name) => name.includes("check-"))).toEqual([]);
  });

  test.each<[string, () => Partial<S3Settings>, RegExp]>([
    ["no such bucket", () => ({ bucket: "nobodys" }), /^FILE_STORE: there is no bucket nobodys$/],
    [
      "a wrong secret",
      () => ({ credentials: { ...swift.credentials, secretAccessKey: "wrong" } }),
      /^FILE_STORE_SECRET: the store refuses it$/,
    ],
    ["an unknown key", () => ({ credentials: { accessKeyId: "test:nobody", secretAccessKey: "x" } }), /^FILE_STORE/],
    [
      "encryption that the store does not have",
      () => ({ encryption: "aws:kms" }),
      /does not encrypt as it is asked to/,
    ],
  ])("%s is named", async (_, settings, text) => {
    const wrong = await open(settings());
    expect(await wrong.findSetupError()).toEqual({ setupError: expect.stringMatching(text) as string });
    await wrong.close();
  });

  test("a bucket that anybody may read is refused", async () => {
    // Swift's s3api refuses unsigned reads, so this proxy in front of it allows them.
    const door = createServer((asked, answer) => {
      if (asked.headers.authorization === undefined) return void answer.end("ok");
      const { method, url, headers } = asked;
      const onward = request({ host: "127.0.0.1", port: swift.port, method, path: url, headers }, (answered) => {
        answer.writeHead(answered.statusCode!, answered.headers);
        answered.pipe(answer);
      });
      asked.pipe(onward);
    });
    await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
    const wrong = await open({ endpoint: `http://127.0.0.1:${(door.address() as AddressInfo).port}` });
    expect(await wrong.findSetupError()).toEqual({ setupError: expect.stringMatching(/anybody may read/) as string });
    await wrong.close();
    door.closeAllConnections();
    await new Promise((resolve) => door.close(resolve));
  });
});

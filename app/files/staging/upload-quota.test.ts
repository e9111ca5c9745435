import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import { createTestPortal } from "../../../tests/support/test-portal";
import { openUploadRoom, readDiskState } from "./upload-quota.server";

const MB = 1024 * 1024;

test("refuses an upload that would fill the disk, and keeps 200 MB free", async () => {
  const portal = await createTestPortal("sqlite");
  const free = { bavail: 300 * MB, bsize: 1 } as Awaited<ReturnType<typeof fs.statfs>>;
  const disk = vi.spyOn(fs, "statfs").mockResolvedValue(free);
  try {
    const room = await openUploadRoom({ db: portal.db, dataDir: tmpdir() }, null);
    expect(() => room.check(101 * MB)).toThrow(expect.objectContaining({ name: "storeFull" }));
    room.check(100 * MB);
    room.take(60 * MB);
    room.take(40 * MB);
    expect(() => room.take(1)).toThrow(expect.objectContaining({ name: "storeFull" }));
  } finally {
    disk.mockRestore();
    await portal.close();
  }
});

test("says that the disk is nearly full before the first file is refused", async () => {
  const disk = vi.spyOn(fs, "statfs");
  const stateWith = async (free: number) => {
    disk.mockResolvedValue({ bavail: free, bsize: 1 } as Awaited<ReturnType<typeof fs.statfs>>);
    return readDiskState(tmpdir());
  };
  try {
    expect(await stateWith(3_000 * MB)).toBe("ok");
    expect(await stateWith(2_200 * MB)).toBe("nearlyFull");
    expect(await stateWith(199 * MB)).toBe("full");
  } finally {
    disk.mockRestore();
  }
});

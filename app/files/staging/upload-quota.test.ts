import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import { createTestPortal } from "../../../tests/support/test-portal";
import { openUploadRoom } from "./upload-quota.server";

const MB = 1024 * 1024;
/** What is free on the disk, in blocks of one byte. */
const disk = vi.hoisted(() => ({ free: 0 }));
vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof import("node:fs/promises")>()),
  statfs: async () => ({ bavail: disk.free, bsize: 1 }),
}));

test("refuses an upload that would fill the disk, by its declared and its actual size, and keeps 200 MB free", async () => {
  const portal = await createTestPortal("sqlite");
  try {
    disk.free = 300 * MB;
    const room = await openUploadRoom({ db: portal.db, dataDir: tmpdir() }, null);
    expect(() => room.check(101 * MB)).toThrow(expect.objectContaining({ name: "storeFull" }));
    room.check(100 * MB);
    room.take(60 * MB);
    room.take(40 * MB);
    expect(() => room.take(1)).toThrow(expect.objectContaining({ name: "storeFull" }));
  } finally {
    await portal.close();
  }
});

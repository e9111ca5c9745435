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

test("what would fill the disk is refused, by what is told before it comes and by what comes, and 200 MB stay free", async () => {
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

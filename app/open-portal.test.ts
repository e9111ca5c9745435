import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestPortal, type TestPortal } from "../tests/support/test-portal";
import { readDiskState } from "./files/staging/upload-quota.server";
import { openPortal } from "./open-portal.server";

// SQLite makes the folder with its database.
let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal("mariadb");
});
afterAll(() => portal.close());

const openIn = (dataDir: string) =>
  openPortal({ ...portal.config, dataDir }, { clock: portal.clock, readerProgram: "", logLevel: "silent" });

test("makes a data folder that is missing, so that the room on its disk can be read", async () => {
  const dataDir = path.join(portal.config.dataDir, "not", "there");
  const opened = await openIn(dataDir);
  try {
    expect(await readDiskState(dataDir)).toMatch(/^(ok|nearlyFull|full)$/);
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe("700");
  } finally {
    await opened.close();
  }
});

test("refuses to start where the data folder cannot be made", async () => {
  const file = path.join(portal.config.dataDir, "a-file");
  writeFileSync(file, "");
  await expect(openIn(path.join(file, "below"))).rejects.toThrow(/^DATA_DIR: cannot be made: ENOTDIR/);
});

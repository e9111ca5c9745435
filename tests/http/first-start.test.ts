// @module-tag matrix
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqlite, rowCount } from "~db/connection.server";
import { createFolderStore } from "~/gateways/file-store/folder.server";
import { SECRET, startServer } from "../../scripts/test-server.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "portal-first-start-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const development = (dataDir: string) => ({
  NODE_ENV: "development" as const,
  SECOND_FACTOR: "optional",
  DATA_DIR: dataDir,
});
const serverProgram = path.join("build", "server.js");

/** A whole demo is made, which takes minutes on a busy machine. */
const OF_A_DEMO_MS = 1_200_000;

test(
  "a first start that is killed leaves no database, and the next makes a whole one",
  async () => {
    const dataDir = mkdtempSync(path.join(folder, "killed-"));
    const first = spawn(process.execPath, [serverProgram, "serve"], {
      stdio: "ignore",
      env: { PATH: process.env.PATH, APP_SECRET: SECRET, PORT: "0", HOST: "127.0.0.1", ...development(dataDir) },
    });
    const ended = new Promise((resolve) => first.once("exit", resolve));
    const begun = path.join(dataDir, `demo-${first.pid}`, "files");
    // The folder of files comes with the first picture, long before the end.
    while (!existsSync(begun) && first.exitCode === null) await sleep(20);
    first.kill("SIGKILL");
    await ended;
    expect(readdirSync(dataDir)).toEqual([`demo-${first.pid}`]);

    const server = await startServer({ env: development(dataDir) });
    await server.stop();
    expect(readdirSync(dataDir).filter((name) => name.startsWith("demo-"))).toEqual([]);
    const db = openSqlite(path.join(dataDir, "portal.db"));
    expect(await rowCount(db.selectFrom("referral").where("sentAt", "is not", null))).toBeGreaterThan(365);
    expect(await rowCount(db.selectFrom("statisticsSum"))).toBeGreaterThan(1000);
    const files = createFolderStore(path.join(dataDir, "files"));
    const stored = await db.selectFrom("storedFile").select(["storageKey", "sizeBytes"]).execute();
    expect(stored.length).toBeGreaterThan(200);
    for (const { storageKey: key, sizeBytes: size } of stored) expect(await files.size(key)).toBe(size);
    await db.destroy();
  },
  OF_A_DEMO_MS,
);

test("a database that exists is given no demo, even without anybody in it", async () => {
  const dataDir = path.join(folder, "there");
  const { status } = spawnSync(process.execPath, [serverProgram, "migrate"], {
    env: { PATH: process.env.PATH, APP_SECRET: SECRET, ...development(dataDir) },
  });
  expect(status).toBe(0);
  const server = await startServer({ env: development(dataDir) });
  expect(server.output()).not.toContain("demodata, ");
  await server.stop();
  const db = openSqlite(path.join(dataDir, "portal.db"));
  expect(await rowCount(db.selectFrom("user"))).toBe(0);
  await db.destroy();
});

// @module-tag matrix
import { afterAll, beforeAll, expect, test } from "vitest";
import { get, SECRET, signIn, startServer } from "../../scripts/test-server.mjs";
import { aPerson } from "../factories/people";
import { type FaultyLine, startFaultyLine } from "../support/peers/faulty-line";
import { mountSmallDisk } from "../support/small-disk";
import { createTestPortal, type TestPortal } from "../support/test-portal";

/* What people and a proxy see when MariaDB is gone or hangs, or SQLite has no space left. */

let portal: TestPortal;
let line: FaultyLine;
let server: Awaited<ReturnType<typeof startServer>>;
let cookie: string;

const startOn = async ({ config }: TestPortal, databaseUrl: string) =>
  startServer({ env: { NODE_ENV: "test", DATA_DIR: config.dataDir, DATABASE_URL: databaseUrl } });
/** An administrator of an empty portal is led to its set-up instead of the overview. */
const aSurgeon = (on: TestPortal) => aPerson(on, { role: "Surgeon", userName: "admin", password: "Demo1234" });

beforeAll(async () => {
  portal = await createTestPortal("mariadb", { env: { APP_SECRET: SECRET } });
  await aSurgeon(portal);
  const url = new URL(portal.config.databaseUrl);
  line = await startFaultyLine(Number(url.port));
  url.port = String(line.port);
  server = await startOn(portal, url.href);
  cookie = await signIn(server.origin);
});
afterAll(async () => {
  await server?.stop();
  await line?.close();
  await portal?.close();
});

const page = () => get(`${server.origin}/management/overview`, { cookie });
const statusOf = async (address: string) => (await get(server.origin + address)).status as number;
/** Readiness is checked every five seconds with a limit of two. */
const LOOKED_MS = 8_000;

async function expectWhole() {
  await expect.poll(() => statusOf("/readyz"), { timeout: 2 * LOOKED_MS }).toBe(200);
  expect((await page()).status).toBe(200);
  expect(await signIn(server.origin)).toContain("=");
}

test("gone: pages say so, the process lives, is not ready, and goes on", async () => {
  await line.is({ kind: "refused" });
  const answer = await page();
  expect([answer.status, answer.text.includes("!!! SERVER ERROR !!!")]).toEqual([500, true]);
  await expect.poll(() => statusOf("/readyz"), { timeout: LOOKED_MS }).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  await line.is(null);
  await expectWhole();
});

test("hangs: pages wait, the process is not ready, and answers later", async () => {
  await line.is({ kind: "frozen" });
  const waiting = page();
  let isAnswered = false;
  void waiting.then(() => (isAnswered = true));
  await expect.poll(() => statusOf("/readyz"), { timeout: LOOKED_MS }).toBe(503);
  expect([await statusOf("/healthz"), isAnswered]).toEqual([200, false]);
  await line.is(null);
  expect((await waiting).status).toBe(200);
  await expectWhole();
});

test("has no room left: people read on, nobody signs in, and it goes on", async ({ skip }) => {
  const disk = mountSmallDisk(64);
  if (disk === null) return skip("no disk can be mounted here");
  const onDisk = await createTestPortal("sqlite", { env: { APP_SECRET: SECRET }, dataIn: disk.folder });
  await aSurgeon(onDisk);
  const full = await startOn(onDisk, "");
  try {
    const signedIn = await signIn(full.origin);
    const read = () => get(`${full.origin}/management/overview`, { cookie: signedIn });
    const giveBack = disk.fill(onDisk.config.dataDir);
    expect((await read()).status).toBe(200);
    await expect(signIn(full.origin)).rejects.toThrow("answered with 507");
    for (const address of ["/healthz", "/readyz"]) expect((await get(full.origin + address)).status).toBe(200);
    giveBack();
    expect(await signIn(full.origin)).toContain("=");
    expect((await read()).status).toBe(200);
  } finally {
    await full.stop();
    await onDisk.close();
    disk.remove();
  }
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { get, SECRET, signIn, startServer } from "../../scripts/test-server.mjs";
import { aPerson } from "../factories/people";
import { type FaultyLine, startFaultyLine } from "../support/peers/faulty-line";
import { createTestPortal, type TestPortal } from "../support/test-portal";

/* What people and a proxy in front see of a portal whose MariaDB is gone or hangs. */

let portal: TestPortal;
let line: FaultyLine;
let server: Awaited<ReturnType<typeof startServer>>;
let cookie: string;

beforeAll(async () => {
  portal = await createTestPortal("mariadb", { env: { APP_SECRET: SECRET } });
  await aPerson(portal, { role: "Admin", userName: "admin", password: "Demo1234" });
  const url = new URL(portal.config.databaseUrl);
  line = await startFaultyLine(Number(url.port));
  url.port = String(line.port);
  server = await startServer({
    env: { NODE_ENV: "test", DATA_DIR: portal.config.dataDir, DATABASE_URL: url.href },
  });
  cookie = await signIn(server.origin);
});
afterAll(async () => {
  await server?.stop();
  await line?.close();
  await portal?.close();
});

const page = () => get(`${server.origin}/management/overview`, { cookie });
const statusOf = async (address: string) => (await get(server.origin + address)).status as number;
/** It looks every five seconds, and waits two for an answer. */
const LOOKED_MS = 8_000;

async function expectWhole() {
  await expect.poll(() => statusOf("/readyz"), { timeout: 2 * LOOKED_MS }).toBe(200);
  expect((await page()).status).toBe(200);
  // Signing in writes.
  expect(await signIn(server.origin)).toContain("=");
}

test("gone: pages say so at once, the process lives and is not ready, and goes on by itself", async () => {
  await line.is({ kind: "refused" });
  const answer = await page();
  expect([answer.status, answer.text.includes("!!! SERVER ERROR !!!")]).toEqual([500, true]);
  await expect.poll(() => statusOf("/readyz"), { timeout: LOOKED_MS }).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  await line.is(null);
  await expectWhole();
}, 60_000);

test("hangs: pages wait, the process lives and is not ready, and pages come once it answers", async () => {
  await line.is({ kind: "frozen" });
  const waiting = page();
  let isAnswered = false;
  void waiting.then(() => (isAnswered = true));
  await expect.poll(() => statusOf("/readyz"), { timeout: LOOKED_MS }).toBe(503);
  expect([await statusOf("/healthz"), isAnswered]).toEqual([200, false]);
  await line.is(null);
  expect((await waiting).status).toBe(200);
  await expectWhole();
}, 60_000);

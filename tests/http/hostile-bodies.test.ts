import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemoData, startServer } from "../../scripts/measured-portal.mjs";

let portal: { origin: string; stop(): Promise<void> };
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-hostile-"));
  makeDemoData(dataDir, 1);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
}, 60_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = (body: string) =>
  fetch(`${portal.origin}/login`, { method: "POST", body, redirect: "manual", headers: { "content-type": "application/x-www-form-urlencoded", origin: portal.origin } });

test("a field name that asks for a list of sixty million is not followed", async () => {
  const answer = await post("intent=signIn&userName[60000000]=1&password=x");
  expect(answer.status).toBe(400);
  expect((await answer.text()).length).toBeLessThan(50_000);
}, 5_000);

test("a body beyond every form of ours is refused before it is read", async () => {
  expect((await post(`intent=other&text=${"a".repeat(600_000)}`)).status).toBe(413);
});

test("an intent that every object has is no operation", async () => {
  for (const intent of ["constructor", "__proto__", "toString"]) expect((await post(`intent=${intent}`)).status, intent).toBe(200);
});

test("an address that cannot be read shows nothing of the server's insides", async () => {
  const answer = await fetch(`${portal.origin}/%E0%A4%A`);
  expect(answer.status).toBe(400);
  expect(await answer.text()).not.toMatch(/node_modules|at \w+ \(/);
});

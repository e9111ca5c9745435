// @module-tag node
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../scripts/test-server.mjs";
import { receiptEvent, SMS_TOKEN, WEBHOOK_SECRET } from "../support/peers/gatewayapi-peer";
import { copyDemoData } from "../support/demo-data";

const STAFF = "klinik.eksempel.dk";
const PUBLIC = "www.eksempel.dk";
const METRICS_TOKEN = "Zr9kTq2LwX7pVb4NcM8sYd3FhJ6gRa1e";

let server: Awaited<ReturnType<typeof startServer>>;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-door-"));
  copyDemoData(dataDir, 1);
  server = await startServer({
    env: {
      NODE_ENV: "development",
      DATA_DIR: dataDir,
      ADMIN_ORIGIN: `https://${STAFF}`,
      PUBLIC_ORIGIN: `https://${PUBLIC}`,
      ADMIN_IP_ALLOW: "203.0.113.7",
      TRUSTED_PROXIES: "127.0.0.1",
      METRICS_TOKEN,
      SMS_TOKEN,
      SMS_URL: "http://127.0.0.1:1",
      SMS_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
  });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const fields = { "content-type": "application/x-www-form-urlencoded" };

interface Sent {
  method?: string;
  host?: string;
  from?: string;
  body?: string;
  headers?: Record<string, string>;
}

function ask(target: string, { method = "GET", host = PUBLIC, from = "198.51.100.20", body, headers }: Sent = {}) {
  const { hostname, port } = new URL(server.origin);
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = http.request(
      { hostname, port, path: target, method, agent: false, headers: { host, "x-forwarded-for": from, ...headers } },
      (answer) => {
        textOf(answer).then((text) => resolve({ status: answer.statusCode!, text }), reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const status = async (target: string, sent?: Sent) => (await ask(target, sent)).status;

async function sendUnreadable() {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  socket.end("GET \\ HTTP/1.1\r\n\r\n");
  await textOf(socket);
}

async function signInTooOften() {
  const form = new URLSearchParams({ intent: "signIn", userName: "nobody-at-all", password: "wrong" }).toString();
  for (let tries = 0; tries < 15; tries += 1) {
    const sent = { method: "POST", body: form, headers: { ...fields, "sec-fetch-site": "same-origin" } };
    if ((await status("/login", sent)) === 429) return;
  }
  throw new Error("never refused");
}

async function counted() {
  const { hostname, port } = new URL(server.origin);
  const text = await (
    await fetch(`http://${hostname}:${port}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text();
  const found = text.matchAll(/^portal_refused_at_door_total\{(.*)\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, labels, count]) => [labels, Number(count)]));
}

test("what is refused at the door is counted by kind, without addresses", async () => {
  expect(new Set(Object.values(await counted()))).toEqual(new Set([0]));
  // Successful answers, refusals by rights, and unknown addresses do not count.
  expect(await status("/login")).toBe(200);
  expect(await status("/management/overview")).toBe(302);
  expect(await status("/findes-ikke")).toBe(404);

  const foreign = { method: "POST", body: "a=1", headers: { ...fields, origin: "https://evil.example" } };
  for (let times = 0; times < 3; times += 1) expect(await status("/login", foreign)).toBe(403);
  expect(
    await status("/api/Account", { host: STAFF, from: "203.0.113.7", headers: { "sec-fetch-site": "cross-site" } }),
  ).toBe(403);
  expect(await status("/login", { host: "ukendt.example" })).toBe(421);
  expect(await status("/login", { host: STAFF, from: "2001:db8:5:6::7" })).toBe(403);
  expect(await status("/login/%2e%2e/api", { from: "192.0.2.33:5678" })).toBe(400);
  const long = `a=${"x".repeat(600 * 1024)}`;
  expect(
    await status("/login", { ...foreign, body: long, headers: { ...fields, "sec-fetch-site": "same-origin" } }),
  ).toBe(413);
  await signInTooOften();
  await sendUnreadable();
  expect(await status("/login", { method: "PUT", headers: { "sec-fetch-site": "same-origin" } })).toBe(405);
  const forged = receiptEvent("outbox-1", "DELIVERED", { at: new Date(), secret: "somebody else's" });
  const event = { "content-type": "application/json", signature: forged.signature };
  expect(await status("/webhooks/sms", { method: "POST", body: forged.body, headers: event })).toBe(403);

  await expect.poll(counted).toEqual({
    'kind="otherOrigin"': 4,
    'kind="unknownHost"': 1,
    'kind="staffAddress"': 1,
    'kind="path"': 1,
    'kind="tooLarge"': 1,
    'kind="throttled"': 1,
    'kind="unreadable"': 2,
    'kind="webhook"': 1,
  });
  await server.stop();
  const log = server.output();
  const lines = log
    .split("\n")
    .filter((line) => line.includes("refused at the door"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ kind, network, count }) => `${kind} ${network} ${count}`).toSorted()).toEqual([
    "otherOrigin 198.51.100.0/24 3",
    "otherOrigin 203.0.113.0/24 1",
    "path 192.0.2.0/24 1",
    "staffAddress 2001:db8:5::/48 1",
    "throttled 198.51.100.0/24 1",
    "tooLarge 198.51.100.0/24 1",
    "unknownHost 198.51.100.0/24 1",
    "unreadable 127.0.0.0/24 1",
    "unreadable 198.51.100.0/24 1",
    "webhook 198.51.100.0/24 1",
  ]);
  expect(log).not.toMatch(/198\.51\.100\.20|192\.0\.2\.33|2001:db8:5:6|ukendt\.example|evil\.example/);
});

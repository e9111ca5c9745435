// @module-tag node
import http from "node:http";
import { expect, test } from "vitest";
import { startServer } from "../../scripts/test-server.mjs";
import { demoPortal } from "../support/portals/demo-portal";
import {
  receiptEvent,
  replyEvent,
  SMS_TOKEN,
  type SignedEvent,
  WEBHOOK_SECRET,
} from "../support/peers/gatewayapi-peer";

const METRICS_TOKEN = "Zr9kTq2LwX7pVb4NcM8sYd3FhJ6gRa1e";
const env = {
  ADMIN_ORIGIN: "http://klinik.test",
  PUBLIC_ORIGIN: "http://www.henvis.test",
  METRICS_TOKEN,
};

const portal = demoPortal({
  referrals: 2,
  env: { ...env, SMS_TOKEN, SMS_URL: "http://127.0.0.1:1", SMS_WEBHOOK_SECRET: WEBHOOK_SECRET },
});

interface RequestOptions {
  method?: string;
  host?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

function ask(
  address: string,
  { method = "GET", host = "localhost:3000", body, headers = {} }: RequestOptions = {},
  on: { origin: string } = portal,
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = http.request(
      on.origin + address,
      { method, agent: false, headers: { host, ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const receiveEvent = ({ body, signature }: SignedEvent, more: RequestOptions = {}) =>
  ask("/webhooks/sms", {
    method: "POST",
    host: "www.henvis.test",
    body,
    ...more,
    headers: {
      "content-type": "application/json",
      signature,
      "content-length": String(Buffer.byteLength(more.body ?? body)),
      ...more.headers,
    },
  });

function aMessage(): number {
  return portal.inDatabase((database) => {
    const columns =
      "channel, kind, recipient_encrypted, content_encrypted, outcome, code, attempts, created_at, not_before, sent_at";
    database.exec(
      `insert into outbox (${columns}) values ('sms', 'testMessage', '', '', 'awaiting', 0, 1, '2026-11-22T09:00:00.000Z', '2026-11-22T09:00:00.000Z', '2099-01-01T00:00:00.000Z')`,
    );
    return (database.prepare("select max(id) as id from outbox").get() as { id: number }).id;
  });
}
const outcomeOf = (id: number) =>
  (
    portal.inDatabase((database) => database.prepare("select outcome from outbox where id = ?").get([id])) as {
      outcome: string;
    }
  ).outcome;
const refusedInAudit = () =>
  (
    portal.inDatabase((database) =>
      database
        .prepare("select count(*) as n from audit_event where operation = 'receiveSmsEvent' and outcome = 'refused'")
        .get(),
    ) as { n: number }
  ).n;

test("accepts a signed receipt once, however often it is repeated", async () => {
  const id = aMessage();
  const event = receiptEvent(`outbox-${id}`, "DELIVERED", { at: new Date() });
  expect((await receiveEvent(event)).status).toBe(204);
  expect(outcomeOf(id)).toBe("sent");
  expect((await receiveEvent(event)).status).toBe(204);
  expect((await receiveEvent(receiptEvent(`outbox-${id}`, "REJECTED", { at: new Date() }))).status).toBe(204);
  expect(outcomeOf(id)).toBe("sent");
});

test("refuses, audits and counts a forged one", async () => {
  const id = aMessage();
  const forged = receiptEvent(`outbox-${id}`, "REJECTED", { at: new Date(), secret: "somebody else's" });
  const before = refusedInAudit();
  expect((await receiveEvent(forged)).status).toBe(403);
  expect((await receiveEvent({ ...forged, signature: "" })).status).toBe(403);
  expect(
    (await receiveEvent(receiptEvent(`outbox-${id}`, "REJECTED", { at: new Date(Date.now() - 30 * 3_600_000) })))
      .status,
  ).toBe(403);
  expect(outcomeOf(id)).toBe("awaiting");
  await expect.poll(refusedInAudit).toBe(before + 3);
  const { text } = await ask("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(text).toContain('portal_webhook_refused_total{channel="sms",reason="forged"} 2');
  expect(text).toContain('portal_webhook_refused_total{channel="sms",reason="stale"} 1');
});

test("a patient's answer is placed once, and its number is sealed", async () => {
  const from = 4531415926;
  const answers = () =>
    portal.inDatabase((database) => database.prepare("select * from incoming_sms").all() as Record<string, unknown>[]);
  const before = answers().length;
  const forged = replyEvent(from, "Afbud", { at: new Date(), secret: "somebody else's" });
  expect((await receiveEvent(forged)).status).toBe(403);
  const event = replyEvent(from, "Afbud", { at: new Date() });
  for (let times = 0; times < 3; times += 1) expect((await receiveEvent(event)).status).toBe(204);
  await expect.poll(() => answers().length).toBe(before + 1);
  const answer = answers().at(-1)!;
  expect(answer).toMatchObject({ state: "unplaced", judgement: "cancelled", referral_id: null });
  expect(JSON.stringify(answer)).not.toMatch(/31415926|afbud/i);
});

test("checks its size, type, method and host", async () => {
  const event = receiptEvent("outbox-1", "DELIVERED", { at: new Date() });
  expect((await receiveEvent(event, { body: Buffer.alloc(65 * 1024, 32) })).status).toBe(413);
  expect((await receiveEvent(event, { headers: { "content-type": "text/plain" } })).status).toBe(415);
  expect((await receiveEvent(event, { method: "PUT" })).status).toBe(405);
  expect((await receiveEvent(event, { host: "klinik.test" })).status).toBe(404);
  expect((await receiveEvent(event, { host: "elsewhere.test" })).status).toBe(421);
  // Only the webhook is exempt from the origin rule.
  expect(
    (
      await ask("/login", {
        method: "POST",
        host: "www.henvis.test",
        body: "a=1",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
    ).status,
  ).toBe(403);
});

test("without a secret there is no webhook", async () => {
  const closed = await startServer({ env: { NODE_ENV: "development", DATA_DIR: portal.dataDir, ...env } });
  const { body, signature } = receiptEvent("outbox-1", "DELIVERED", { at: new Date(), secret: "" });
  expect(
    (
      await ask(
        "/webhooks/sms",
        {
          method: "POST",
          host: "www.henvis.test",
          body,
          headers: { "content-type": "application/json", "content-length": String(body.length), signature },
        },
        closed,
      )
    ).status,
  ).toBe(404);
  await closed.stop();
});

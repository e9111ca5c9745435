// @module-tag node
import http from "node:http";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/test-server.mjs";
import { demoPortal } from "../support/portals/demo-portal";

const METRICS_TOKEN = "Zr9kTq2LwX7pVb4NcM8sYd3FhJ6gRa1e";
const METRICS_PORT = await freePort();
const hosts = ["klinik.test", "www.henvis.test", "henvis.test", "localhost", "127.0.0.1:3000", "10.0.0.7:3000"];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const portal = demoPortal({
  env: {
    ADMIN_ORIGIN: "http://klinik.test",
    PUBLIC_ORIGIN: "http://www.henvis.test",
    METRICS_TOKEN,
    METRICS_PORT: String(METRICS_PORT),
    TRUSTED_PROXIES: "127.0.0.1",
  },
});

function get(origin: string, address: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; text: string; type: string }>((resolve, reject) => {
    http
      .request(origin + address, { agent: false, method, headers: { host: "localhost", ...headers } }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, text, type: String(answer.headers["content-type"]) }),
        );
      })
      .on("error", reject)
      .end();
  });
}
const own = `http://127.0.0.1:${METRICS_PORT}`;

test("without the token the sites' port has no metrics", async () => {
  const forwards: Record<string, string>[] = [{}, { "x-forwarded-for": "127.0.0.1" }, { forwarded: "for=127.0.0.1" }];
  for (const host of hosts)
    for (const forwarded of forwards)
      for (const address of ["/metrics", "/METRICS/", "/metrics?a=1"]) {
        const { status, text } = await get(portal.origin, address, { host, ...forwarded });
        expect([status, text.includes("portal_")], `${host}${address}`).toEqual([404, false]);
      }
  expect((await get(portal.origin, "/metrics", bearer("wrong"))).status).toBe(404);
  expect((await get(portal.origin, "/metrics", {}, "POST")).status).toBe(404);
});

test("without the token the sites' port tells only whether the process is ready", async () => {
  for (const host of hosts)
    expect(await get(portal.origin, "/readyz", { host })).toMatchObject({ status: 200, text: "ready" });
  await portal.whileBroken(
    {
      breaks: "insert into encryption_key (key_id, first_used_at) values ('abcdef01', '2026-12-01T09:00:00.000Z')",
      mends: "delete from encryption_key where key_id = 'abcdef01'",
    },
    async () => {
      await expect
        .poll(() => get(portal.origin, "/readyz"), { interval: 500 })
        .toMatchObject({ status: 503, text: "unready" });
      expect(await get(own, "/readyz")).toMatchObject({ status: 503, text: expect.stringContaining('"failed"') });
    },
  );
  await expect.poll(() => get(own, "/readyz").then(({ status }) => status)).toBe(200);
});

test("its own port, and the token, read metrics and every readiness", async () => {
  for (const [origin, headers] of [
    [own, {}],
    [portal.origin, bearer(METRICS_TOKEN)],
  ] as const) {
    const { status, text, type } = await get(origin, "/metrics", headers);
    expect([status, type]).toEqual([200, expect.stringContaining("text/plain")]);
    for (const name of [
      "portal_outbox_messages",
      "portal_outbox_oldest_seconds",
      "portal_outbox_settled_last_hour",
      "portal_job_last_run_timestamp_seconds",
      "portal_process_resident_memory_bytes",
    ])
      expect(text).toContain(name);
    expect((await get(origin, "/readyz", headers)).text).toBe('{"database":"ok","files":"ok","secret":"ok"}');
  }
});

test("the port of its own serves no page", async () => {
  for (const address of ["/", "/login", "/api/Visits", "/build/../package.json"])
    expect((await get(own, address)).status, address).toBe(404);
});

test("metrics bear no label that could name a person or a host", async () => {
  const { text } = await get(own, "/metrics");
  const labels = new Set([...text.matchAll(/(\w+)="/g)].map(([, name]) => name!));
  const known = ["channel", "outcome", "job", "reason", "kind", "space", "version", "major", "minor", "patch", "type"];
  expect([...labels].filter((name) => ![...known, "le"].includes(name))).toEqual([]);
});

test("metrics leave out a job that only a former release had", async () => {
  portal.inDatabase((database) =>
    database.exec(
      "insert into job_run (name, next_run_at, finished_at, outcome) values ('formerJob', '2026-11-02T10:10:00', '2026-11-02T10:00:00', 'failed')",
    ),
  );
  expect((await get(own, "/metrics")).text).not.toContain("formerJob");
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { SECRET, startServer } from "../../scripts/test-server.mjs";
import { aPerson } from "../factories/people";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../support/peers/gatewayapi-peer";
import { listening } from "../support/peers/listening";
import { createTestPortal, type TestPortal, testClock } from "../support/test-portal";

/* `serve` and `worker` run as they are built. */

const listen = listening();

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.stop()));
});

const processes = {
  serve: (env: Record<string, string>): Promise<{ stop(): Promise<void> }> =>
    startServer({ env: { NODE_ENV: "test", ...env } }),
  async worker(env: Record<string, string>) {
    const program = path.join(import.meta.dirname, "..", "..", "build", "server.js");
    const child = spawn(process.execPath, [program, "worker"], {
      stdio: "ignore",
      env: { NODE_ENV: "test", APP_SECRET: SECRET, ...env },
    });
    const ended = once(child, "exit");
    return {
      async stop() {
        child.kill("SIGTERM");
        await ended;
      },
    };
  },
};

const outages = {
  "refuses the port": async () => {
    const gone = await startGatewayApiPeer();
    await gone.stop();
    return gone.url;
  },
  "has an unknown name": async () => "http://nichts.invalid",
  "breaks TLS": async () => {
    const speaksNoTls = createServer((socket) => socket.on("error", () => undefined).end("220 no TLS\r\n"));
    return `https://127.0.0.1:${await listen(speaksNoTls)}`;
  },
};

const cases = (Object.keys(processes) as (keyof typeof processes)[]).flatMap((command) =>
  (Object.keys(outages) as (keyof typeof outages)[]).map((outage) => [command, outage] as const),
);

test.each(cases)(
  "%s: an SMS whose provider %s waits, and arrives once from a healthy one",
  async (command, outage) => {
    const portal = await createTestPortal("sqlite", {
      clock: testClock(new Date().toISOString()),
      env: { APP_SECRET: SECRET },
    });
    const peer = await startGatewayApiPeer();
    const start = async (env: Record<string, string>) => {
      const started = await processes[command](env);
      running.push(started);
      return started;
    };
    // With somebody in it the portal makes no demo data.
    await aPerson(portal, { role: "Admin" });
    try {
      const id = await queueSms(portal);
      const env = { DATA_DIR: portal.config.dataDir, SMS_TOKEN };
      const cut = await start({ ...env, SMS_URL: await outages[outage]() });
      await expect.poll(() => stateOf(portal, id), { timeout: 20_000 }).toMatchObject({ reason: "noConnection" });
      await cut.stop();
      expect(await stateOf(portal, id)).toMatchObject({ outcome: "queued", reason: "noConnection", attempts: 0 });

      await portal.db.updateTable("outbox").set({ not_before: "2000-01-01 00:00:00.000" }).execute();
      const healthy = await start({ ...env, SMS_URL: peer.url });
      await expect.poll(() => stateOf(portal, id), { timeout: 20_000 }).toMatchObject({ outcome: "sent" });
      await healthy.stop();
      expect(arrivedAt(peer)).toEqual([`outbox-${id}`]);
    } finally {
      await peer.stop();
      await portal.close();
    }
  },
  90_000,
);

const queueSms = (portal: TestPortal) =>
  portal.db
    .transaction()
    .execute((tx) => portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", text: "Tekst" }));

const stateOf = (portal: TestPortal, id: number) =>
  portal.db
    .selectFrom("outbox")
    .select(["outcome", "reason", "attempts", "sending_since"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

const arrivedAt = (peer: GatewayApiPeer) => peer.deliveries.map(({ reference }) => reference);

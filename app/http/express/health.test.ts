// @module-tag node
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { startCuttingProxy } from "../../../tests/support/peers/cutting-proxy";
import { openDatabase, ping } from "~db/connection.server";
import { createTestPortal, forEachDatabase } from "../../../tests/support/test-portal";
import { StoreFull } from "~/gateways/file-store/port";
import { createMetrics } from "~/metrics.server";
import { createObservation } from "./observation.server";

forEachDatabase("/readyz", { mariadb: "matrix" }, (dialect) => {
  test("checks the disk once for concurrent requests, and the secret", async () => {
    const portal = await createTestPortal(dialect);
    let checks = 0;
    const files = { ...portal.files, check: () => ((checks += 1), portal.files.check()) };
    const serving = () => createObservation({ ...portal, files, metrics: createMetrics() }).app.listen(0, "127.0.0.1");
    const servers = [serving(), serving()];
    const ready = async (server: (typeof servers)[number]) => {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
      return [answer.status, await answer.json()];
    };
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
    try {
      await aReferral(portal, await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }));
      const answers = await Promise.all(Array.from({ length: 50 }, () => ready(servers[0]!)));
      expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
      expect(checks).toBe(1);
      await portal.db
        .insertInto("encryptionKey")
        .values({ keyId: "abcdef01", firstUsedAt: "2026-12-01T09:00:00.000Z", lostAt: null })
        .execute();
      expect(await ready(servers[1]!)).toEqual([503, { database: "ok", files: "ok", secret: "failed" }]);
    } finally {
      for (const server of servers) server.close();
      await portal.close();
    }
  });

  test("a full disk is reported, and the process still counts as ready", async () => {
    const portal = await createTestPortal(dialect);
    const files = { ...portal.files, check: () => Promise.reject(new StoreFull()) };
    const server = createObservation({ ...portal, files }).app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([200, { database: "ok", files: "full", secret: "ok" }]);
    server.close();
    await portal.close();
  });

  test("answers 503 while store or database hang, without asking again", async () => {
    const portal = await createTestPortal(dialect);
    const proxy =
      dialect === "mariadb" ? await startCuttingProxy(Number(new URL(portal.config.databaseUrl).port)) : null;
    const db = proxy === null ? portal.db : openDatabase({ ...portal.config, databaseUrl: through(proxy) });
    await ping(db);
    let checks = 0;
    const files = { ...portal.files, check: () => ((checks += 1), new Promise<never>(() => {})) };
    const server = createObservation({ ...portal, db, files }).app.listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const held = proxy?.holdAt(0);
      const ready = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
      const answers = await Promise.all([ready(), ready()]);
      await held;
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
      expect(await answers[0].json()).toMatchObject({ files: "failed", database: proxy === null ? "ok" : "failed" });
      await pause(5_100);
      expect([(await ready()).status, checks]).toEqual([503, 1]);
    } finally {
      server.close();
      await proxy?.close();
      if (proxy !== null) await db.destroy().catch(() => undefined);
      await portal.close();
    }

    function through({ origin }: { origin: string }) {
      const url = new URL(portal.config.databaseUrl);
      url.hostname = "127.0.0.1";
      url.port = new URL(origin).port;
      return url.href;
    }
  });
});

import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase } from "../../../tests/support/test-portal";
import { healthRoutes } from "./health.server";

forEachDatabase("/readyz", (dialect) => {
  test("checks the disk once for concurrent requests, and fails while another secret is in use", async () => {
    const portal = await createTestPortal(dialect);
    let checks = 0;
    const files = { ...portal.files, check: () => ((checks += 1), portal.files.check()) };
    const serving = () =>
      express()
        .use(healthRoutes({ ...portal, files }))
        .listen(0, "127.0.0.1");
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
        .insertInto("encryption_key")
        .values({ key_id: "abcdef01", first_used_at: "2026-12-01 09:00:00.000", lost_at: null })
        .execute();
      expect(await ready(servers[1]!)).toEqual([503, { database: "ok", files: "ok", secret: "failed" }]);
    } finally {
      for (const server of servers) server.close();
      await portal.close();
    }
  });
});

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { clearThrottle, limits, throttle, throttleAddress, uncountAddress } from "./throttle.server";

forEachDatabase("the throttle", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("throttle").execute();
  });

  const { hits, windowMinutes } = limits.signInAccount;
  async function hit(times: number, whose = "aase") {
    for (let turn = 0; turn < times; turn += 1) await throttle(portal, "signInAccount", whose);
  }

  test("allows as many attempts as the limit and refuses the next, for this key only", async () => {
    await hit(hits);
    await expect(hit(1)).rejects.toMatchObject({ name: "tooManyAttempts" });
    await expect(hit(1, "bo")).resolves.toBeUndefined();
    await expect(throttle(portal, "forgotAccount", "aase")).resolves.toBeUndefined();
  });

  test("starts a new window once the former has passed, and not before", async () => {
    await hit(hits);
    portal.clock.advance({ minutes: windowMinutes });
    await expect(hit(1)).rejects.toMatchObject({ name: "tooManyAttempts" });
    portal.clock.advance({ minutes: 0.001 });
    await hit(hits);
    await expect(hit(1)).rejects.toMatchObject({ name: "tooManyAttempts" });
  });

  test("a restart does not reset the counters", async () => {
    await hit(hits);
    const again = await portal.reopened();
    await expect(throttle(again, "signInAccount", "aase")).rejects.toMatchObject({ name: "tooManyAttempts" });
    await again.close();
  });

  test("of IPv6 one line counts as one address, and a site of many lines as ten", async () => {
    const allowed = limits.resetAddress.hits;
    const from = (line: number, host: number) =>
      throttleAddress(portal, "resetAddress", `2001:db8:1:${line.toString(16)}::${host.toString(16)}`);
    for (let host = 1; host <= allowed; host += 1) await from(0, host);
    await expect(from(0, 0xffff)).rejects.toMatchObject({ name: "tooManyAttempts" });
    await expect(from(1, 1)).resolves.toBeUndefined();
    for (let line = 2; line < 10; line += 1) for (let host = 1; host <= allowed; host += 1) await from(line, host);
    for (let host = 1; host < allowed; host += 1) await from(10, host);
    await expect(from(11, 1)).rejects.toMatchObject({ name: "tooManyAttempts" });
    await expect(throttleAddress(portal, "resetAddress", "2001:db8:2::1")).resolves.toBeUndefined();
  });

  test("an attempt of an address that was none is taken back", async () => {
    const address = "2001:db8:1::1";
    for (let turn = 0; turn < limits.resetAddress.hits; turn += 1) {
      await throttleAddress(portal, "resetAddress", address);
      await uncountAddress(portal, "resetAddress", address);
    }
    await expect(throttleAddress(portal, "resetAddress", address)).resolves.toBeUndefined();
  });

  test("stores no readable names or addresses", async () => {
    await hit(1, "aase.kjaer");
    await throttle(portal, "signInAddress", "203.0.113.7");
    const rows = await portal.db.selectFrom("throttle").selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/aase|203\.0/);
  });

  test("clears a key on request", async () => {
    await hit(hits);
    await clearThrottle(portal, "signInAccount", "aase");
    await expect(hit(hits)).resolves.toBeUndefined();
  });

  test("counts concurrent attempts without errors", async () => {
    const all = await Promise.allSettled(Array.from({ length: 24 }, () => hit(1)));
    const refused = all.filter((one) => one.status === "rejected");
    expect(refused.map(({ reason }) => (reason as Error).message)).toEqual(Array(24 - hits).fill("tooManyAttempts"));
    expect(await portal.db.selectFrom("throttle").select("hits").execute()).toEqual([{ hits: 24 }]);
  });
});

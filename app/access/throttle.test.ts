import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { clearThrottle, limits, throttle } from "./throttle.server";

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

  test("lets the limit through and refuses the next, for this key alone", async () => {
    await hit(hits);
    await expect(hit(1)).rejects.toMatchObject({ name: "tooManyAttempts" });
    await expect(hit(1, "bo")).resolves.toBeUndefined();
    await expect(throttle(portal, "forgotAccount", "aase")).resolves.toBeUndefined();
  });

  test("a window that has passed begins anew; one that has not does not", async () => {
    await hit(hits);
    portal.clock.advance({ minutes: windowMinutes });
    await expect(hit(1)).rejects.toMatchObject({ name: "tooManyAttempts" });
    portal.clock.advance({ minutes: 0.001 });
    await hit(hits);
    await expect(hit(1)).rejects.toMatchObject({ name: "tooManyAttempts" });
  });

  test("a restart resets nothing", async () => {
    await hit(hits);
    const again = await portal.reopened();
    await expect(throttle(again, "signInAccount", "aase")).rejects.toMatchObject({ name: "tooManyAttempts" });
    await again.close();
  });

  test("names and addresses are not readable in the table", async () => {
    await hit(1, "aase.kjaer");
    await throttle(portal, "signInAddress", "203.0.113.7");
    const rows = await portal.db.selectFrom("throttle").selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/aase|203\.0/);
  });

  test("forgotten on request", async () => {
    await hit(hits);
    await clearThrottle(portal, "signInAccount", "aase");
    await expect(hit(hits)).resolves.toBeUndefined();
  });

  test("attempts at the same moment are all counted and none breaks", async () => {
    const all = await Promise.allSettled(Array.from({ length: 24 }, () => hit(1)));
    const refused = all.filter((one) => one.status === "rejected");
    expect(refused.map(({ reason }) => (reason as Error).message)).toEqual(Array(24 - hits).fill("tooManyAttempts"));
    expect(await portal.db.selectFrom("throttle").select("hits").execute()).toEqual([{ hits: 24 }]);
  });
});

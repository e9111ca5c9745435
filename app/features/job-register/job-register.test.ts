import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { claimRun, finishRun, registerJob } from "./job-store.server";
import { readJobs, runJobNow } from "./operations.server";

forEachDatabase("the register of jobs", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(() => portal.close());

  const one = async () => (await portal.as(admin, readJobs, {})).jobs.find(({ name }) => name === "purgeFiles")!;

  test("shows the last run's outcome, and 'run now' makes the next run due at once", async () => {
    expect(await one()).toMatchObject({ isRunning: false, finishedAt: null, nextAt: null });
    await expect(portal.as(admin, runJobNow, { job: "purgeFiles" })).rejects.toMatchObject({ name: "conflict" });
    const now = portal.clock.now();
    const lease = { owner: "a", leaseSeconds: 60, everySeconds: 600 };
    await registerJob(portal.db, "purgeFiles", now);
    expect(await claimRun(portal.db, "purgeFiles", lease, now)).toBe(true);
    expect(await one()).toMatchObject({ isRunning: true });
    await finishRun(portal.db, "purgeFiles", "a", { outcome: "failed", nextInSeconds: 600 }, now);
    expect(await one()).toMatchObject({ isRunning: false, hasFailed: true, finishedAt: now.toISOString() });
    expect(await claimRun(portal.db, "purgeFiles", lease, now)).toBe(false);
    await portal.as(admin, runJobNow, { job: "purgeFiles" });
    expect(await claimRun(portal.db, "purgeFiles", lease, now)).toBe(true);
  });
});

import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { createLog } from "~/log.server";
import type { Portal } from "~/portal.server";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../tests/support/peers/gatewayapi-peer";
import { type SmtpPeer, startSmtpPeer } from "../../tests/support/peers/smtp-peer";
import { recordStatements } from "../../tests/support/record-statements";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { channels } from "~/features/delivery/channels/index.server";
import type { JobName } from "~/features/job-register/job-names";
import { listJobRuns, registerJob } from "~/features/job-register/job-store.server";
import { type Job, jobs } from "./jobs.server";
import { backOffMs, runIfDue, startLoop } from "./loop.server";
import { startWorker } from "./worker.server";

forEachDatabase("the worker", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let smtp: SmtpPeer;
  let gatewayApi: GatewayApiPeer;
  beforeEach(async () => {
    smtp = await startSmtpPeer();
    gatewayApi = await startGatewayApiPeer();
    portal = await createTestPortal(dialect, { env: { SMTP_URL: smtp.url, SMS_URL: gatewayApi.url, SMS_TOKEN } });
  });
  afterEach(async () => {
    await gatewayApi.stop();
    await portal.close();
    await smtp.stop();
  });

  const queue = (channel: ChannelName) =>
    portal.db.transaction().execute((tx) => {
      const outbox = portal.outboxIn(tx);
      return channel === "email"
        ? outbox.email({ kind: "testMessage", to: "modtager@eksempel.dk", subject: "Emne", text: "Tekst", html: "" })
        : outbox.sms({ kind: "testMessage", to: "+4540123456", text: "Tekst" });
    });
  const countOf = async (channel: ChannelName, outcome: "sent" | "queued" | "unknown") =>
    (
      await portal.db
        .selectFrom("outbox")
        .select("id")
        .where("channel", "=", channel)
        .where("outcome", "=", outcome)
        .execute()
    ).length;

  test("a silent provider delays no other lane", async () => {
    gatewayApi.afterTaking = "hang";
    const { concurrency } = channels.sms;
    for (let n = 0; n < concurrency + 2; n += 1) await queue("sms");
    for (let n = 0; n < 6; n += 1) await queue("email");
    const worker = startWorker(portal);
    await expect.poll(() => gatewayApi.requests).toBe(concurrency);
    await expect.poll(() => countOf("email", "sent")).toBe(6);
    await queue("email");
    await expect.poll(() => countOf("email", "sent")).toBe(7);
    // Messages being sent keep their leases; the others are not claimed.
    expect([gatewayApi.requests, await countOf("sms", "queued")]).toEqual([concurrency, concurrency + 2]);
    gatewayApi.refuse = { status: 503, body: {} };
    await gatewayApi.stop();
    await worker.stop();
  });

  test("each slot of a lane holds its message under a name of its own", async () => {
    gatewayApi.afterTaking = "hang";
    const { concurrency } = channels.sms;
    for (let n = 0; n < concurrency; n += 1) await queue("sms");
    const worker = startWorker(portal);
    await expect.poll(() => gatewayApi.requests).toBe(concurrency);
    const owners = await portal.db.selectFrom("outbox").select("leaseOwner").execute();
    expect(new Set(owners.map(({ leaseOwner }) => leaseOwner)).size).toBe(concurrency);
    await gatewayApi.stop();
    await worker.stop();
  });

  test("a provider that answers 500 costs one message a slot", async () => {
    gatewayApi.refuse = { status: 500, body: {} };
    const { concurrency } = channels.sms;
    for (let n = 0; n < concurrency + 3; n += 1) await queue("sms");
    const failing = startWorker(portal);
    await expect.poll(() => countOf("sms", "unknown")).toBe(concurrency);
    await pause(3_000);
    expect([await countOf("sms", "unknown"), await countOf("sms", "queued")]).toEqual([concurrency, 3]);
    await failing.stop();
    gatewayApi.refuse = null;
    const healthy = startWorker(portal);
    await expect.poll(() => countOf("sms", "sent")).toBe(3);
    await healthy.stop();
    expect(gatewayApi.deliveries).toHaveLength(3);
  });

  test("a provider that was down is asked by one slot, and then by all", async () => {
    gatewayApi.refuse = { status: 503, body: {} };
    const { concurrency } = channels.sms;
    for (let n = 0; n < concurrency * 3; n += 1) await queue("sms");
    const worker = startWorker(portal);
    await expect.poll(() => gatewayApi.requests).toBe(concurrency);
    await expect.poll(() => gatewayApi.requests).toBe(concurrency + 1);
    gatewayApi.refuse = null;
    await expect.poll(() => countOf("sms", "sent")).toBe(concurrency * 2 - 1);
    await worker.stop();
  });

  test("an idle lane looks for what is due once a second, however many slots it has", async () => {
    const { db, recorded } = recordStatements(portal.db);
    const worker = startWorker({ ...portal, db });
    await pause(3_500);
    await worker.stop();
    const looks = recorded.filter(
      ({ sql, parameters }) => /^select .id. from .outbox. where /.test(sql) && parameters.includes("sms"),
    );
    expect(looks.length).toBeGreaterThan(1);
    expect(looks.length).toBeLessThanOrEqual(5);
  });

  test("a lease is renewed while an attempt goes on", async () => {
    const id = await queue("sms");
    gatewayApi.afterTaking = "hang";
    const lane = channels.sms as { leaseSeconds: number };
    const seconds = lane.leaseSeconds;
    lane.leaseSeconds = 0.3;
    const worker = startWorker(portal);
    try {
      await expect.poll(() => gatewayApi.requests).toBe(1);
      portal.clock.advance({ hours: 1 });
      const leased = async () =>
        (await portal.db.selectFrom("outbox").select("leaseUntil").where("id", "=", id).executeTakeFirstOrThrow())
          .leaseUntil!;
      await expect.poll(leased).toMatch(/^2026-12-01T10:00:00/);
      expect(gatewayApi.deliveries).toHaveLength(1);
    } finally {
      lane.leaseSeconds = seconds;
      await gatewayApi.stop();
      await worker.stop();
    }
  });

  describe("jobs", () => {
    const counted = (run: () => Promise<void> = async () => undefined) => {
      const job = { runs: 0, everySeconds: 600, run: async () => ((job.runs += 1), run()) };
      return job;
    };

    test("the register lists each with its last and next run", async () => {
      const worker = startWorker(portal);
      const all = Object.keys(jobs).toSorted();
      const ran = async () =>
        (await listJobRuns(portal.db)).filter(({ outcome }) => outcome === "done").map(({ name }) => name);
      await expect
        .poll(ran)
        .toEqual(expect.arrayContaining(all.filter((name) => jobs[name as JobName].isWaiting === undefined)));
      await worker.stop();
      const runs = await listJobRuns(portal.db);
      expect(runs.map(({ name }) => name)).toEqual(all);
      expect(runs.find(({ name }) => name === "purgeFiles")).toMatchObject({
        startedAt: "2026-12-01T09:00:00.000Z",
        finishedAt: "2026-12-01T09:00:00.000Z",
        nextRunAt: "2026-12-01T09:10:00.000Z",
        leaseOwner: null,
      });
    });

    test("runs at its times, in one process, taken over from a killed one", async () => {
      const job = counted();
      await registerJob(portal.db, "test", portal.clock.now());
      await registerJob(portal.db, "test", portal.clock.now());
      const other = dialect === "mariadb" ? await portal.reopened() : (portal as Portal);
      const ran = await Promise.all([runIfDue(portal, "test", job, "a"), runIfDue(other, "test", job, "b")]);
      expect([ran.filter(Boolean).length, job.runs]).toEqual([1, 1]);
      expect(await runIfDue(portal, "test", job, "a")).toBe(false);
      portal.clock.advance({ minutes: 10 });
      await portal.db
        .updateTable("jobRun")
        .set({ leaseOwner: "killed", leaseUntil: "2026-12-01T09:25:00.000Z" })
        .execute();
      expect(await runIfDue(portal, "test", job, "a")).toBe(false);
      portal.clock.advance({ minutes: 16 });
      expect([await runIfDue(portal, "test", job, "a"), job.runs]).toEqual([true, 2]);
      if (other !== portal) await other.close();
    });

    test("a long run keeps its lease, and no other process begins it meanwhile", async () => {
      let end!: () => void;
      const job = counted(() => new Promise<void>((resolve) => (end = resolve)));
      await registerJob(portal.db, "test", portal.clock.now());
      const running = runIfDue(portal, "test", job, "a", 0.3);
      await expect.poll(() => job.runs).toBe(1);
      portal.clock.advance({ minutes: 30 });
      const leased = async () => (await listJobRuns(portal.db))[0]!.leaseUntil;
      await expect.poll(leased).toMatch(/^2026-12-01T09:30:00/);
      expect(await runIfDue(portal, "test", job, "b")).toBe(false);
      end();
      expect([await running, job.runs]).toEqual([true, 1]);
      expect(await listJobRuns(portal.db)).toMatchObject([{ outcome: "done", leaseOwner: null, leaseUntil: null }]);
    });

    test("runs go on when the clock is set back by an hour", async () => {
      const job = counted();
      await registerJob(portal.db, "test", portal.clock.now());
      await runIfDue(portal, "test", job, "a");
      portal.clock.advance({ hours: -1 });
      expect([await runIfDue(portal, "test", job, "a"), job.runs]).toEqual([true, 2]);
      expect([await runIfDue(portal, "test", job, "a"), job.runs]).toEqual([false, 2]);
      portal.clock.advance({ minutes: 10 });
      expect([await runIfDue(portal, "test", job, "a"), job.runs]).toEqual([true, 3]);
    });

    test("a failed job is recorded and runs again at its next time", async () => {
      const job: Job & { runs: number } = counted(async () => {
        if (job.runs === 1) throw new Error("on purpose");
      });
      await registerJob(portal.db, "test", portal.clock.now());
      expect(await runIfDue(portal, "test", job, "a")).toBe(true);
      expect(await listJobRuns(portal.db)).toMatchObject([
        { outcome: "failed", nextRunAt: "2026-12-01T09:10:00.000Z", leaseOwner: null },
      ]);
      portal.clock.advance({ minutes: 10 });
      expect(await runIfDue(portal, "test", job, "a")).toBe(true);
      expect(await listJobRuns(portal.db)).toMatchObject([{ outcome: "done" }]);
    });
  });
});

test("a failing job is retried at growing intervals", () => {
  expect([1, 2, 3, 6, 7, 50].map(backOffMs)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
});

test("after ten minutes without a database a loop goes on within ten seconds", async () => {
  vi.useFakeTimers();
  try {
    let isGone = true;
    let done = 0;
    const loop = startLoop("test", { log: createLog("silent"), idleMs: 1000 }, async () => {
      if (isGone) throw new Error("ECONNREFUSED");
      done += 1;
      return "idle";
    });
    await vi.advanceTimersByTimeAsync(604_000);
    isGone = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(done).toBeGreaterThan(0);
    await loop.stop();
  } finally {
    vi.useRealTimers();
  }
});

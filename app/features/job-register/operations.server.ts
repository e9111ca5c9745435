import { z } from "zod";
import { change, read, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { type JobName, jobNames } from "./job-names";
import { listJobRuns, scheduleRunNow } from "./job-store.server";
import { isDeadlock } from "~db/connection.server";
import type { Logger } from "pino";

/**
 * Each job's last run and result. Jobs of former releases are left out, since their last run would raise an alarm for
 * ever.
 */
export const readJobMetrics = read({
  name: "readJobMetrics",
  permission: "system",
  async run({ db }) {
    const runs = await listJobRuns(db);
    return runs.flatMap(({ name, outcome, finishedAt }) =>
      finishedAt === null || !(name in jobNames)
        ? []
        : [{ job: name as JobName, finishedAt: new Date(finishedAt), hasFailed: outcome === "failed" }],
    );
  },
});

const names = Object.keys(jobNames) as [JobName, ...JobName[]];

/** Every job with its interval in seconds and its last run; moments are UTC, and null if it has not run. */
export const readJobs = read({
  name: "readJobs",
  permission: "settings.manage",
  async run({ db, now }) {
    const runs = new Map((await listJobRuns(db)).map((run) => [run.name, run]));
    return {
      now: now.toISOString(),
      jobs: names.map((name) => {
        const run = runs.get(name);
        return {
          name,
          everySeconds: jobNames[name].everySeconds,
          isRunning: run?.leaseOwner != null,
          finishedAt: run?.finishedAt ?? null,
          hasFailed: run?.outcome === "failed",
          nextAt: run?.nextRunAt ?? null,
        };
      }),
    };
  },
});

/** 'Kør nu': schedules the job now; a worker runs it within seconds. Throws `conflict` if no worker has run it yet. */
export const runJobNow = change({
  name: "runJobNow",
  permission: "settings.manage",
  input: z.object({ job: z.enum(names) }),
  async run({ tx, now, auditChange }, { job }) {
    if (!(await scheduleRunNow(tx, job, now)))
      throw new Refusal("conflict", { text: "Jobbet er ikke startet: baggrundsprocessen kører ikke på serveren." });
    auditChange([], `job ${job} run now`);
    return succeeded(`»${jobNames[job].label}« kører om få sekunder.`);
  },
});

/**
 * A lease is renewed after a third of its time, measured by the worker's clock and judged by another machine's. It must
 * outlast that third plus a minute of clock difference. After a kill another process takes over this much later.
 */
export const LEASE_SECONDS = 120;

interface Lease {
  seconds: number;
  renew(): Promise<unknown>;
  log: Logger;
}

/** Renews a lease during slow work, so that a killed process loses it soon and a slow one keeps it. */
export async function withLease<R>({ seconds, renew, log }: Lease, work: () => Promise<R>): Promise<R> {
  const renewing = setInterval(
    () => void renew().catch((error: unknown) => log.error({ err: error }, "lease not renewed")),
    (seconds * 1000) / 3,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

/**
 * Performs one piece of a job's work. An error is logged and `giveUp` sets the piece aside, so that others continue.
 * After a lock conflict the piece is left to the next run.
 */
export async function workOrGiveUp(
  log: Logger,
  { what, ...subject }: { what: string; [subject: string]: unknown },
  work: () => Promise<unknown>,
  giveUp: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDeadlock(error)) return log.warn({ err: error, ...subject }, `${what}: locked, left to the next run`);
    log.error({ err: error, ...subject }, what);
    await giveUp();
  }
}

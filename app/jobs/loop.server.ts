import type { Logger } from "pino";
import type { Portal } from "~/portal.server";
import { isPausedCopy } from "~/features/copies/operations.server";
import { claimRun, finishRun, registerJob, renewRun } from "~/features/job-register/job-store.server";
import { LEASE_SECONDS, withLease } from "~/features/job-register/operations.server";
import type { Job } from "./jobs.server";

/** Next step: at once, after the pause, or after these milliseconds. */
type Pace = "again" | "idle" | { pauseMs: number };

export interface Loop {
  stop(): Promise<void>;
}

/** Short, since a failing step waits for the portal's own database and due work must leave soon after it is back. */
const MAX_STEP_PAUSE_MS = 10_000;

/** Repeats a step until stopped. Errors are logged and delay the next step. */
export function startLoop(
  name: string,
  { log, idleMs }: { log: Logger; idleMs: number },
  step: () => Promise<Pace>,
): Loop {
  let stopping = false;
  let wake: () => void = () => undefined;
  let failures = 0;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!stopping) {
      let pace: Pace = "idle";
      try {
        pace = await step();
        failures = 0;
      } catch (error) {
        log.error({ err: error, loop: name }, "step failed");
        pace = { pauseMs: Math.min(MAX_STEP_PAUSE_MS, backOffMs(++failures)) };
      }
      if (pace !== "again" && !stopping) await pause(pace === "idle" ? idleMs : pace.pauseMs);
    }
  };
  const done = run();
  return {
    async stop() {
      stopping = true;
      wake();
      await done;
    },
  };
}

export const MAX_BACK_OFF_MS = 60_000;

export const backOffMs = (failures: number) => Math.min(MAX_BACK_OFF_MS, 1000 * 2 ** Math.min(failures - 1, 10));

const LOOK_EVERY_MS = 10_000;

/**
 * Runs a job at its times, in one process at a time. Failures are logged and recorded; it runs again at the next time.
 */
export function scheduleJob(portal: Portal, name: string, job: Job, owner: string): Loop {
  let isRegistered = false;
  return startLoop(
    `job ${name}`,
    { log: portal.log, idleMs: Math.min(LOOK_EVERY_MS, job.everySeconds * 1000) },
    async () => {
      if (await isPausedCopy(portal.db)) return "idle";
      if (!isRegistered) await registerJob(portal.db, name, portal.clock.now());
      isRegistered = true;
      if (job.isWaiting && !(await job.isWaiting(portal))) return "idle";
      return (await runIfDue(portal, name, job, owner)) && job.isWaiting ? "again" : "idle";
    },
  );
}

export async function runIfDue(
  portal: Portal,
  name: string,
  job: Job,
  owner: string,
  leaseSeconds = LEASE_SECONDS,
): Promise<boolean> {
  const { db, clock, log } = portal;
  const lease = { owner, leaseSeconds };
  if (!(await claimRun(db, name, { ...lease, everySeconds: job.everySeconds }, clock.now()))) return false;
  const renew = () => renewRun(db, name, lease, clock.now());
  let outcome: "done" | "failed" = "done";
  try {
    await withLease({ seconds: leaseSeconds, renew, log }, () => job.run(portal));
  } catch (error) {
    log.error({ err: error, job: name }, "job failed");
    outcome = "failed";
  }
  await finishRun(db, name, owner, { outcome, nextInSeconds: job.everySeconds }, clock.now());
  return true;
}

import type { Portal } from "~/portal.server";
import { isPausedCopy } from "~/features/copies/copy-state.server";
import { claimRun, finishRun, registerJob, renewRun } from "~/features/job-register/job-store.server";
import { LEASE_SECONDS, withLease } from "~/features/job-register/with-lease.server";
import type { Job } from "./jobs.server";
import { type Loop, startLoop } from "./loop.server";

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

/** Returns whether the job ran. */
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

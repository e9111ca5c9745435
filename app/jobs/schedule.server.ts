import type { Portal } from "~/portal.server";
import { claimRun, finishRun, registerJob } from "~/features/job-register/job-store.server";
import type { Job } from "./jobs.server";
import { type Loop, startLoop } from "./loop.server";

const LOOK_EVERY_MS = 10_000;

/** Runs a job at its times, in one process at a time; a run that fails is logged, stands in the register, and comes again at the next time. */
export function scheduleJob(portal: Portal, name: string, job: Job, owner: string): Loop {
  let isRegistered = false;
  return startLoop(
    `job ${name}`,
    { log: portal.log, idleMs: Math.min(LOOK_EVERY_MS, job.everySeconds * 1000) },
    async () => {
      if (!isRegistered) await registerJob(portal.db, name, portal.clock.now());
      isRegistered = true;
      if (job.isWaiting && !(await job.isWaiting(portal))) return "idle";
      return (await runIfDue(portal, name, job, owner)) && job.isWaiting ? "again" : "idle";
    },
  );
}

/** Answers whether the job ran. */
export async function runIfDue(portal: Portal, name: string, job: Job, owner: string): Promise<boolean> {
  const { db, clock } = portal;
  if (!(await claimRun(db, name, owner, clock.now()))) return false;
  let outcome: "done" | "failed" = "done";
  try {
    await job.run(portal);
  } catch (error) {
    portal.log.error({ err: error, job: name }, "job failed");
    outcome = "failed";
  }
  await finishRun(db, name, owner, { outcome, nextInSeconds: job.everySeconds }, clock.now());
  return true;
}

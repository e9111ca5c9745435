import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { isoMoment } from "~/text/dates";
import { type JobName, jobNames } from "./job-names";
import { scheduleRunNow, listJobRuns } from "./job-store.server";

const names = Object.keys(jobNames) as [JobName, ...JobName[]];

/** Every job with its last and next run; nulls for one that never ran. */
export const readJobs = read({
  name: "readJobs",
  permission: "settings.manage",
  input: z.object({}),
  async run({ db, now }) {
    const runs = new Map((await listJobRuns(db)).map((run) => [run.name, run]));
    const iso = (moment: string | null | undefined) => (moment ? isoMoment(moment) : null);
    return {
      now: now.toISOString(),
      jobs: names.map((name) => {
        const run = runs.get(name);
        return {
          name,
          everySeconds: jobNames[name].everySeconds,
          isRunning: run?.lease_owner != null,
          finishedAt: iso(run?.finished_at),
          hasFailed: run?.outcome === "failed",
          nextAt: iso(run?.next_run_at),
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
      throw new Refusal("conflict", { text: "Jobbet er ikke startet endnu: der kører ingen worker på serveren." });
    auditChange([], `job ${job} run now`);
    return { flash: { tone: "success" as const, text: `“${jobNames[job].label}” kører om få sekunder.` } };
  },
});

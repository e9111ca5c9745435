import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { fromMoment, isoMoment } from "~/text/dates";
import { type JobName, jobNames } from "./job-names";
import { listJobRuns, scheduleRunNow } from "./job-store.server";

/**
 * Each job's last run and result. Jobs of former releases are left out, since their last run would raise an alarm for
 * ever.
 */
export const readJobMetrics = read({
  name: "readJobMetrics",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    const runs = await listJobRuns(db);
    return runs.flatMap(({ name, outcome, finished_at: finishedAt }) =>
      finishedAt === null || !(name in jobNames)
        ? []
        : [{ job: name as JobName, finishedAt: fromMoment(finishedAt), hasFailed: outcome === "failed" }],
    );
  },
});

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

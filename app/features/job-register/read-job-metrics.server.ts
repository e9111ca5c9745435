import { z } from "zod";
import { read } from "~/access/operation.server";
import { fromMoment } from "~/text/dates";
import { type JobName, jobNames } from "./job-names";
import { listJobRuns } from "./job-store.server";

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

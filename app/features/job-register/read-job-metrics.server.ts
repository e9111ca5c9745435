import { z } from "zod";
import { read } from "~/access/operation.server";
import { fromMoment } from "~/text/dates";
import { type JobName, jobNames } from "./job-names";
import { listJobRuns } from "./job-store.server";

/** When each job last finished, and whether it failed. A job of a former release is left out: its last run is its last for ever, and would alarm. */
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

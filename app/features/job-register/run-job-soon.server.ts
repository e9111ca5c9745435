import type { Tx } from "~db/connection.server";
import type { JobName } from "./job-names";
import { scheduleRunNow } from "./job-store.server";

/** Schedules a job now; false if no worker has run it yet. */
export const runJobSoon = (tx: Tx, job: JobName, now: Date): Promise<boolean> => scheduleRunNow(tx, job, now);

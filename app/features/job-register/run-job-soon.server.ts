import type { Tx } from "~db/connection.server";
import type { JobName } from "./job-names";
import { scheduleRunNow } from "./job-store.server";

/** A job's next run is due at once. Answers false where no worker has begun it yet. */
export const runJobSoon = (tx: Tx, job: JobName, now: Date): Promise<boolean> => scheduleRunNow(tx, job, now);

import type { Tx } from "~db/connection.server";
import type { JobName } from "./job-names";
import { hastenRun } from "./job-store.server";

/** A job's next run is due at once. Answers false where no worker has begun it yet. */
export const hastenJob = (tx: Tx, job: JobName, now: Date): Promise<boolean> => hastenRun(tx, job, now);

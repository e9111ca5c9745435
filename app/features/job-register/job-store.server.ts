import { addSeconds } from "date-fns";
import { type Db, type DbOrTx, insertUnlessThere, type Tx, changesAny } from "~db/connection.server";
import { toMoment } from "~/text/dates";

const later = (now: Date, seconds: number) => toMoment(addSeconds(now, seconds));

export async function registerJob(db: Db, name: string, now: Date): Promise<void> {
  await insertUnlessThere(db, "job_run", {
    name,
    next_run_at: toMoment(now),
    started_at: null,
    finished_at: null,
    outcome: null,
    lease_owner: null,
    lease_until: null,
  });
}

/**
 * Claims a due run for `owner` until its lease ends, unless another process has it. A run planned further away than the
 * interval is due, because the clock was set back.
 */
export async function claimRun(
  db: Db,
  name: string,
  { owner, leaseSeconds, everySeconds }: { owner: string; leaseSeconds: number; everySeconds: number },
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  return changesAny(
    db
      .updateTable("job_run")
      .set({ lease_owner: owner, lease_until: later(now, leaseSeconds), started_at: at })
      .where("name", "=", name)
      .where((eb) => eb.or([eb("next_run_at", "<=", at), eb("next_run_at", ">", later(now, everySeconds))]))
      .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", at)])),
  );
}

export async function renewRun(
  db: Db,
  name: string,
  { owner, leaseSeconds }: { owner: string; leaseSeconds: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable("job_run")
    .set({ lease_until: later(now, leaseSeconds) })
    .where("name", "=", name)
    .where("lease_owner", "=", owner)
    .execute();
}

export async function finishRun(
  db: Db,
  name: string,
  owner: string,
  run: { outcome: "done" | "failed"; nextInSeconds: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable("job_run")
    .set({
      outcome: run.outcome,
      finished_at: toMoment(now),
      next_run_at: later(now, run.nextInSeconds),
      lease_owner: null,
      lease_until: null,
    })
    .where("name", "=", name)
    .where("lease_owner", "=", owner)
    .execute();
}

export async function scheduleRunNow(tx: Tx, name: string, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("job_run")
      .set({ next_run_at: toMoment(now) })
      .where("name", "=", name),
  );
}

export async function listJobRuns(db: DbOrTx) {
  return db.selectFrom("job_run").selectAll().orderBy("name").execute();
}

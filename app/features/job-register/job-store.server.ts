import { addSeconds } from "date-fns";
import { type Db, type DbOrTx, insertUnlessThere, type Tx, changesAny } from "~db/connection.server";
import { toMoment } from "~/text/dates";

const later = (now: Date, seconds: number) => toMoment(addSeconds(now, seconds));

export async function registerJob(db: Db, name: string, now: Date): Promise<void> {
  await insertUnlessThere(db, "jobRun", {
    name,
    nextRunAt: toMoment(now),
    startedAt: null,
    finishedAt: null,
    outcome: null,
    leaseOwner: null,
    leaseUntil: null,
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
      .updateTable("jobRun")
      .set({ leaseOwner: owner, leaseUntil: later(now, leaseSeconds), startedAt: at })
      .where("name", "=", name)
      .where((eb) => eb.or([eb("nextRunAt", "<=", at), eb("nextRunAt", ">", later(now, everySeconds))]))
      .where((eb) => eb.or([eb("leaseUntil", "is", null), eb("leaseUntil", "<", at)])),
  );
}

export async function renewRun(
  db: Db,
  name: string,
  { owner, leaseSeconds }: { owner: string; leaseSeconds: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable("jobRun")
    .set({ leaseUntil: later(now, leaseSeconds) })
    .where("name", "=", name)
    .where("leaseOwner", "=", owner)
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
    .updateTable("jobRun")
    .set({
      outcome: run.outcome,
      finishedAt: toMoment(now),
      nextRunAt: later(now, run.nextInSeconds),
      leaseOwner: null,
      leaseUntil: null,
    })
    .where("name", "=", name)
    .where("leaseOwner", "=", owner)
    .execute();
}

export async function scheduleRunNow(tx: Tx, name: string, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("jobRun")
      .set({ nextRunAt: toMoment(now) })
      .where("name", "=", name),
  );
}

export async function listJobRuns(db: DbOrTx) {
  return db.selectFrom("jobRun").selectAll().orderBy("name").execute();
}

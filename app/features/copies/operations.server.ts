import type { Db } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { clearCopyMark, findCopyMoment } from "./copy-mark-store.server";
import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { countQueuedBefore } from "~/features/delivery/receipt-store.server";

/**
 * Whether this is a copy that has not resumed sending, so that nothing may run by itself. Asked before every message
 * and job, because a database can be restored under a running process.
 */
export const isPausedCopy = async (db: Db): Promise<boolean> => (await findCopyMoment(db)) !== null;

const COPY_MOMENT = "copy moment";

/** The moment of the copy (ISO, UTC), cached for a minute; null if this is none. */
export function readCopyMoment({ cache, db }: Pick<Portal, "cache" | "db">): Promise<string | null> {
  return cache.get(COPY_MOMENT, () => findCopyMoment(db));
}

/** Audits that a full backup was made; `by` is the operating-system account. */
export const recordBackup = change({
  name: "copies.noteBackup",
  permission: "system",
  input: z.object({ by: z.string(), files: z.number().int() }),
  async run({ auditChange }, { by, files }) {
    auditChange([], `backup with ${files} files, by ${by}`);
    return {};
  },
});

/** Audits a restore: `madeAt` is the moment of the copy, `by` the operating-system account. */
export const recordRestore = change({
  name: "copies.noteRestore",
  permission: "system",
  input: z.object({ by: z.string(), madeAt: z.string() }),
  async run({ auditChange }, { by, madeAt }) {
    auditChange([], `restored from the copy of ${madeAt}, by ${by}`);
    return {};
  },
});

/** The moment of a copy and the queued messages that it holds back per channel. Null if nothing is held back. */
export const readStandstill = read({
  name: "copies.readStandstill",
  permission: "system",
  async run({ db }) {
    const madeAt = await findCopyMoment(db);
    return madeAt === null ? null : { madeAt, queued: await countQueuedBefore(db, new Date(madeAt)) };
  },
});

/** Lets lanes and jobs run again. Throws `conflict` if this is no copy. */
export const resumeSending = change({
  name: "copies.resumeSending",
  permission: "system",
  input: z.object({ by: z.string(), queued: z.enum(["send", "hold"]), held: z.number().int() }),
  async run({ tx, portal, auditChange, afterCommit }, { by, queued, held }) {
    if (!(await clearCopyMark(tx)))
      throw new Refusal("conflict", { text: "Portalen er ikke en kopi: intet står stille." });
    afterCommit(() => portal.cache.invalidate(COPY_MOMENT));
    auditChange([], `sending resumed by ${by}, queued messages: ${queued}${queued === "hold" ? ` (${held})` : ""}`);
    return {};
  },
});

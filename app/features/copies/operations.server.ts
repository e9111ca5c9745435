import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { countQueued, type QueuedCount } from "~/features/delivery/hold-queued.server";
import { fromMoment } from "~/text/dates";
import { clearCopyMark, findCopyMoment } from "./copy-mark-store.server";
import { COPY_MOMENT } from "./copy-state.server";

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

export const recordRestore = change({
  name: "copies.noteRestore",
  permission: "system",
  input: z.object({ by: z.string(), madeAt: z.string() }),
  async run({ auditChange }, { by, madeAt }) {
    auditChange([], `restored from the copy of ${madeAt}, by ${by}`);
    return {};
  },
});

/** What a copy holds back: its moment and the queued messages per channel. Null if nothing is held back. */
export const readStandstill = read({
  name: "copies.readStandstill",
  permission: "system",
  input: z.object({}),
  async run({ db }): Promise<{ madeAt: string; queued: QueuedCount[] } | null> {
    const madeAt = await findCopyMoment(db);
    return madeAt === null ? null : { madeAt, queued: await countQueued(db, fromMoment(madeAt)) };
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

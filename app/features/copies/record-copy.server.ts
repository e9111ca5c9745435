import { z } from "zod";
import { change } from "~/access/operation.server";

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

import { z } from "zod";
import { change } from "~/access/operation.server";

/** Enters in the audit that a copy of everything was made; `by` is the account of the machine that asked for it. */
export const recordBackup = change({
  name: "copies.noteBackup",
  permission: "system",
  input: z.object({ by: z.string(), files: z.number().int() }),
  async run({ auditChange }, { by, files }) {
    auditChange([], `backup with ${files} files, by ${by}`);
    return {};
  },
});

/** Enters in the audit of what was restored that it was. */
export const recordRestore = change({
  name: "copies.noteRestore",
  permission: "system",
  input: z.object({ by: z.string(), madeAt: z.string() }),
  async run({ auditChange }, { by, madeAt }) {
    auditChange([], `restored from the copy of ${madeAt}, by ${by}`);
    return {};
  },
});

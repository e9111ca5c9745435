import type { LineOutcome } from "~/features/directory-import/import-columns";

/** What a line of the file would do, with its icon and colour. */
export const outcomes = {
  new: { label: "Oprettes", tone: "ok", icon: "plus" },
  there: { label: "Findes allerede", tone: "closed", icon: "done" },
  wrong: { label: "Fejl", tone: "err", icon: "failed" },
} as const satisfies Record<LineOutcome, object>;

export const outcomeOrder = ["new", "there", "wrong"] as const satisfies readonly LineOutcome[];

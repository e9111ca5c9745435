import type { LineOutcome } from "~/features/directory-import/import-columns";

/** Label, icon and colour of a line's effect. */
export const outcomes = {
  new: { label: "Oprettes", tone: "ok", icon: "plus" },
  there: { label: "Findes allerede", tone: "closed", icon: "done" },
  wrong: { label: "Fejl", tone: "err", icon: "failed" },
} as const satisfies Record<LineOutcome, object>;

export const outcomeOrder = ["new", "there", "wrong"] as const satisfies readonly LineOutcome[];

import type { SerializeFrom } from "@remix-run/node";
import { showDateTime } from "~/text/dates";
import type { loader } from "./route";

type File = SerializeFrom<typeof loader>["files"][number];
export type ShownFile = ReturnType<typeof presentFile>;

const states = {
  1: { label: "Importeret", tone: "ok", icon: "done" },
  2: { label: "Mislykkedes", tone: "err", icon: "failed" },
  3: { label: "Importeres", tone: "closed", icon: "hourglass" },
} as const;
const waiting = { label: "Afventer", tone: "closed", icon: "hourglass" } as const;

/** An uploaded file's row of the log, in words. */
export const presentFile = ({ createdAt, importedAt, status, ...file }: File) => ({
  ...file,
  createdAt: showDateTime(createdAt),
  importedAt: importedAt === null ? "–" : showDateTime(importedAt),
  state: states[status as keyof typeof states] ?? waiting,
});

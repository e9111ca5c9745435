import { showDateTime, showShortDateTime } from "~/text/dates";

export interface AppointmentFile {
  id: number;
  createdAt: string;
  importedAt: string | null;
  who: string;
  fileName: string;
  status: number;
}

export type ShownFile = ReturnType<typeof presentFile>;

const states = {
  1: { label: "Importeret", tone: "ok", icon: "done" },
  2: { label: "Mislykkedes", tone: "err", icon: "failed" },
  3: { label: "Importeres", tone: "closed", icon: "hourglass" },
} as const;
const waiting = { label: "Afventer", tone: "closed", icon: "hourglass" } as const;

export const presentFile = ({ createdAt, importedAt, status, ...file }: AppointmentFile) => ({
  ...file,
  createdAt: showShortDateTime(createdAt),
  importedAt: importedAt === null ? "–" : showShortDateTime(importedAt),
  state: states[status as keyof typeof states] ?? waiting,
});

/** 'Senest 22.11.2026 kl. 06.55'; null if never. */
export function lastImportText(files: readonly AppointmentFile[]): string | null {
  const moments = files.flatMap(({ importedAt }) => importedAt ?? []).sort();
  const last = moments[moments.length - 1];
  return last === undefined ? null : `Senest importeret ${showDateTime(last)}`;
}

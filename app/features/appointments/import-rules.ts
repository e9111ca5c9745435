import type { PlanLine } from "~/features/referrals/details/treatment-plan-lines.server";

/** What becomes of a row of the appointment file, each with its colour and icon. Pure: the dry run and the import ask the same. */
export const importStatuses = [
  { value: 0, label: "Tid importeret", tone: "ready", icon: "check" },
  { value: 1, label: "Patient ikke fundet", tone: "waiting", icon: "alert" },
  { value: 2, label: "Ugyldigt CPR", tone: "waiting", icon: "alert" },
  { value: 3, label: "Ukendt ekstern kode", tone: "warn", icon: "alert" },
  { value: 4, label: "Ugyldig dato", tone: "waiting", icon: "alert" },
  { value: 5, label: "Flere åbne henvisninger", tone: "waiting", icon: "alert" },
  { value: 6, label: "Tid opdateret", tone: "info", icon: "check" },
  { value: 7, label: "Uændret", tone: "ok", icon: "alert" },
  { value: 8, label: "Tid aflyst", tone: "treatment", icon: "alert" },
] as const;
export const IMPORTED = 0;
export const NOT_FOUND = 1;
export const UPDATED = 6;
export const UNCHANGED = 7;
export const CANCELLED = 8;

export interface Candidate {
  referralId: number;
  lines: readonly PlanLine[];
}

export interface ImportedAppointment {
  cpr: string | null;
  date: string | null;
  time: string | null;
  durationMinutes: number | null;
  code: string;
  isCancelled: boolean;
}

export interface Decision {
  status: number;
  referralId: number | null;
  /** The plan's line that is changed; null for a new one, or none. */
  lineId: number | null;
}

/**
 * `candidates` are the open referrals of the row's CPR; `knowsCode` whether some treatment type has the code; `today` is Copenhagen's
 * day. A line of the same code on the same day is the same appointment; else the one still to come has been moved. A cancelled row is about its own day
 * alone: the file names cancellations that are long over every day.
 */
export function decide(
  row: ImportedAppointment,
  candidates: readonly Candidate[],
  knowsCode: boolean,
  today: string,
): Decision {
  const only = (status: number, referralId: number | null = null, lineId: number | null = null): Decision => ({
    status,
    referralId,
    lineId,
  });
  if (row.cpr === null) return only(2);
  if (row.date === null || (row.time === null && !row.isCancelled)) return only(4);
  if (!knowsCode) return only(3);
  const [candidate, another] = candidates;
  if (!candidate) return only(NOT_FOUND);
  if (another) return only(5);
  const alive = candidate.lines.filter((line) => line.code === row.code && !line.isCancelled);
  const coming = alive.filter((line) => line.date >= today);
  const onItsDay = alive.find((line) => line.date === row.date);
  const { referralId } = candidate;
  if (row.isCancelled) return onItsDay ? only(CANCELLED, referralId, onItsDay.id) : only(UNCHANGED, referralId);
  const same = onItsDay ?? (coming.length === 1 ? coming[0] : undefined);
  if (!same) return only(IMPORTED, referralId);
  const isAsItWas =
    same.date === row.date &&
    same.time === row.time &&
    (row.durationMinutes === null || same.durationMinutes === row.durationMinutes);
  return only(isAsItWas ? UNCHANGED : UPDATED, referralId, same.id);
}

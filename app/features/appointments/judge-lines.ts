import type { PlanLine } from "~/features/referrals/details/treatment-plan-lines.server";
import { mapInSlices } from "~/files/reading/in-slices";
import type { AppointmentRow } from "./appointment-csv.server";
import * as outcomes from "./import-rules";
import { type PlannedTime, showPlanned } from "./import-rules";

/** Bounds the comparison of each line with every other of its patient. */
const MAX_LINES_EACH = 200;
const PATIENTS_PER_SLICE = 20;

export interface CoveredDays {
  from: string | null;
  to: string | null;
}

export interface OpenReferral {
  referralId: number;
  lines: readonly PlanLine[];
}

export interface KnownPortal {
  referralsOf(cpr: string): readonly OpenReferral[];
  knowsCode(code: string): boolean;
  surgeonsNamed(name: string): readonly number[];
  today: string;
}

export interface Decision {
  status: number;
  referralId: number | null;
  lineId: number | null;
  asks: PlannedTime[];
  /** Surgeons of the line's name; of several one must be chosen. */
  surgeons: readonly number[];
  note: string | null;
}

const decision = (status: number, rest: Partial<Decision> = {}): Decision => ({
  status,
  referralId: null,
  lineId: null,
  asks: [],
  surgeons: [],
  note: null,
  ...rest,
});

/** An unreadable line without a patient may belong to any day and anybody. */
export const isUnreadOfNobody = ({ refusal, cpr }: AppointmentRow) =>
  refusal?.status === outcomes.UNREADABLE && cpr === null;

export function coveredDays(rows: readonly AppointmentRow[]): CoveredDays {
  if (rows.some(isUnreadOfNobody)) return { from: null, to: null };
  const days = rows.flatMap(({ date, isCancelled }) => (date === null || isCancelled ? [] : [date])).sort();
  return { from: days[0] ?? null, to: days[days.length - 1] ?? null };
}

/** Decides the lines of a file in order, grouped by patient and code (docs/rules/appointment-import.md). Pure. */
export function judgeLines(
  rows: readonly AppointmentRow[],
  portal: KnownPortal,
  covered: CoveredDays,
): Map<AppointmentRow, Decision> {
  const decided = new Map<AppointmentRow, Decision>();
  const groups = new Map<string, AppointmentRow[]>();
  const refused = new Map<string, AppointmentRow[]>();
  for (const row of rows) {
    if (row.refusal !== null) {
      decided.set(row, decision(row.refusal.status, { note: row.refusal.text }));
      append(refused, row.cpr ?? "", row);
    } else if (!portal.knowsCode(row.code)) decided.set(row, decision(outcomes.UNKNOWN_CODE));
    else append(groups, `${row.cpr} ${row.code}`, row);
  }
  for (const group of groups.values()) {
    const { cpr } = group[0]!;
    if (group.length > MAX_LINES_EACH) {
      const note = `Filen har mere end ${MAX_LINES_EACH} linjer om denne patient og kode, og ingen af dem er importeret.`;
      for (const row of group) decided.set(row, decision(outcomes.UNREADABLE, { note }));
      continue;
    }
    const [referral, another] = portal.referralsOf(cpr!);
    if (referral === undefined || another !== undefined) {
      const status = another ? outcomes.SEVERAL_REFERRALS : outcomes.NOT_FOUND;
      for (const row of group) decided.set(row, decision(status));
      continue;
    }
    const unread = refused.get(cpr!) ?? [];
    for (const [row, found] of judgeGroup(group, referral, unread, portal.today, covered)) {
      const setsSurgeon = outcomes.changesPlan(found.status) && !row.isCancelled;
      decided.set(row, setsSurgeon ? { ...found, surgeons: portal.surgeonsNamed(row.surgeonName) } : found);
    }
  }
  return decided;
}

/** `judgeLines` in slices of patients, yielding to other requests between them. */
export async function judgeInSlices(
  rows: readonly AppointmentRow[],
  portal: KnownPortal,
  covered: CoveredDays,
): Promise<Map<AppointmentRow, Decision>> {
  const ofPatients = new Map<string, AppointmentRow[]>();
  for (const row of rows) append(ofPatients, row.cpr ?? "", row);
  const decided = await mapInSlices([...ofPatients.values()], PATIENTS_PER_SLICE, (slice) => [
    ...judgeLines(slice.flat(), portal, covered),
  ]);
  return new Map(decided);
}

function judgeGroup(
  rows: AppointmentRow[],
  { referralId, lines }: OpenReferral,
  unread: AppointmentRow[],
  today: string,
  covered: CoveredDays,
): Map<AppointmentRow, Decision> {
  const decided = new Map<AppointmentRow, Decision>();
  const decide = (row: AppointmentRow, status: number, rest: Partial<Decision> = {}) =>
    decided.set(row, decision(status, { referralId, ...rest }));
  for (const [row, first] of repeated(rows))
    decide(row, outcomes.UNCHANGED, { note: `Samme tid som linje ${first.line}.` });
  const ordered = rows.filter((row) => !decided.has(row)).sort(byTime);
  const cancelled = ordered.filter(({ isCancelled }) => isCancelled);
  const open = () => ordered.filter((row) => !row.isCancelled && !decided.has(row));
  const free = new Set(lines.filter((line) => line.code === rows[0]!.code && !line.isCancelled).sort(byTime));
  const take = (row: AppointmentRow, line: PlanLine) => {
    free.delete(line);
    const isAsItWas =
      line.date === row.date &&
      line.time === row.time &&
      (row.durationMinutes === null || row.durationMinutes === line.durationMinutes);
    decide(row, isAsItWas ? outcomes.UNCHANGED : outcomes.UPDATED, {
      lineId: line.id,
      note: line.date === row.date ? null : `Flyttet fra ${showPlanned(line)}.`,
    });
  };
  const match = (fits: (row: AppointmentRow, line: PlanLine) => boolean) => {
    for (const row of open()) {
      const line = [...free].find((each) => fits(row, each));
      if (line) take(row, line);
    }
  };

  match((row, line) => row.date === line.date && row.time === line.time);
  const ending = new Map<PlanLine, AppointmentRow>();
  const end = (fits: (row: AppointmentRow, line: PlanLine) => boolean) => {
    for (const row of cancelled.filter((each) => ![...ending.values()].includes(each))) {
      const line = [...free].find((each) => !ending.has(each) && row.date === each.date && fits(row, each));
      if (line) ending.set(line, row);
    }
  };
  end((row, line) => row.time === line.time);
  match((row, line) => row.date === line.date && !ending.has(line));
  end(() => true);

  const isUnread = ({ date }: PlanLine) => unread.some((row) => row.date === null || row.date === date);
  const isCovered = ({ date }: PlanLine) =>
    covered.from !== null && covered.to !== null && covered.from < date && date < covered.to;
  const isComing = ({ date }: PlanLine) => date >= today;
  match((_row, line) => isComing(line) && !ending.has(line) && isCovered(line) && !isUnread(line));
  match((_row, line) => isComing(line) && ending.has(line));

  const isNamed = (line: PlanLine) => unread.some((row) => row.date === line.date);
  const uncertain = [...free].filter((line) => isComing(line) && !ending.has(line) && !isNamed(line));
  for (const row of open()) {
    const asks = row.date! >= today ? uncertain.map(({ id, date, time }) => ({ id, date, time })) : [];
    decide(row, outcomes.IMPORTED, { asks });
  }
  for (const row of cancelled) {
    const line = [...ending].find(([, by]) => by === row)?.[0];
    if (line && free.has(line)) decide(row, outcomes.CANCELLED, { lineId: line.id });
    else decide(row, outcomes.UNCHANGED, { note: line ? "Tiden er flyttet af en anden linje i filen." : null });
  }
  return decided;
}

function repeated(rows: AppointmentRow[]): Map<AppointmentRow, AppointmentRow> {
  const first = new Map<string, AppointmentRow>();
  const again = new Map<AppointmentRow, AppointmentRow>();
  for (const row of rows) {
    const key = `${row.date} ${row.time} ${row.isCancelled}`;
    const before = first.get(key);
    if (before) again.set(row, before);
    else first.set(key, row);
  }
  return again;
}

/** Decides a line without asking: a possible move is a further appointment, and no surgeon is guessed. */
export function decideUnasked(asked: Decision): Decision {
  const { asks, surgeons } = asked;
  const unknown = [
    asks.length > 0 &&
      `Regnet som en ekstra tid: filen siger ikke, om den er flyttet fra ${asks.map(showPlanned).join(" eller ")}.`,
    surgeons.length > 1 && "Uden kirurg: der er flere kirurger med det navn.",
  ].filter(Boolean);
  if (unknown.length === 0) return asked;
  return { ...asked, asks: [], surgeons: surgeons.length > 1 ? [] : surgeons, note: unknown.join(" ") };
}

const timeKey = ({ date, time }: { date: string | null; time: string | null }) => `${date} ${time ?? ""}`;

const byTime = (one: Parameters<typeof timeKey>[0], other: Parameters<typeof timeKey>[0]) =>
  timeKey(one) < timeKey(other) ? -1 : timeKey(one) > timeKey(other) ? 1 : 0;

export function append<V>(groups: Map<string, V[]>, key: string, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

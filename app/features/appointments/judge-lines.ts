import type { PlanLine } from "~/features/referrals/details/treatment-plan-lines.server";
import { mapInSlices } from "~/files/reading/in-slices";
import { namesAgree } from "~/text/names-agree";
import { addMonths } from "~/text/calendar";
import type { AppointmentRow } from "./appointment-csv.server";
import * as outcomes from "./import-rules";
import { type Doubt, type PlannedTime, showPlanned } from "./import-rules";

/** Bounds the comparison of each line with every other of its patient. */
const MAX_LINES_EACH = 200;
const PATIENTS_PER_SLICE = 20;

export interface CoveredDays {
  from: string | null;
  to: string | null;
}

export interface OpenReferral {
  referralId: number;
  firstName: string;
  lastName: string;
  lines: readonly PlanLine[];
}

export interface KnownPortal {
  referralsOf(cpr: string): readonly OpenReferral[];
  /** The patient's newest closed referral, if none is open. */
  closedReferralOf(cpr: string): number | null;
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
  /** Why a person must say whether the line is imported. */
  doubts: readonly Doubt[];
  note: string | null;
}

const decision = (status: number, rest: Partial<Decision> = {}): Decision => ({
  status,
  referralId: null,
  lineId: null,
  asks: [],
  surgeons: [],
  doubts: [],
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
      for (const row of group) decided.set(row, another ? decision(outcomes.SEVERAL_REFERRALS) : unfound(portal, cpr!));
      continue;
    }
    const unread = refused.get(cpr!) ?? [];
    for (const [row, found] of judgeGroup(group, referral, unread, portal.today, covered)) {
      const setsSurgeon = outcomes.changesPlan(found.status) && !row.isCancelled;
      const surgeons = setsSurgeon ? portal.surgeonsNamed(row.surgeonName) : found.surgeons;
      decided.set(row, {
        ...found,
        surgeons,
        doubts: doubtsAbout(row, found, { referral, surgeons, today: portal.today }),
      });
    }
  }
  return decided;
}

function unfound(portal: KnownPortal, cpr: string): Decision {
  const closed = portal.closedReferralOf(cpr);
  return closed === null
    ? decision(outcomes.NOT_FOUND)
    : decision(outcomes.CLOSED_REFERRAL, { referralId: closed, note: `Henvisning nr. ${closed} er afsluttet.` });
}

const PAST_MONTHS = 1;
const COMING_MONTHS = 18;

/** A line that changes nothing is doubtful only in its status, whose word may mean that the known time is cancelled. */
function doubtsAbout(
  row: AppointmentRow,
  { status }: Decision,
  { referral, surgeons, today }: { referral: OpenReferral; surgeons: readonly number[]; today: string },
): Doubt[] {
  const changes = outcomes.changesPlan(status);
  const setsTime = changes && !row.isCancelled;
  const isFar = row.date! < addMonths(today, -PAST_MONTHS) || row.date! > addMonths(today, COMING_MONTHS);
  // The file has one name, so that its words are looked for among first names and surnames alike.
  const written = { firstName: row.name, lastName: row.name };
  const doubtful: Record<Doubt, boolean> = {
    status: row.unknownStatus !== undefined,
    surgeon: setsTime && row.surgeonName !== "" && surgeons.length === 0,
    day: setsTime && isFar,
    name: changes && row.name !== "" && !namesAgree(referral, written),
  };
  return outcomes.doubts.filter((doubt) => doubtful[doubt]);
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

/** Why a doubtful line is not imported. An unknown surgeon leaves the time without one. */
export const doubtNotes: Readonly<Record<Doubt, string>> = {
  status: "Ordet i kolonnen Status kendes ikke.",
  surgeon: "Uden kirurg: behandleren er ingen kirurg i portalen.",
  day: "Dagen er mere end en måned siden eller mere end 18 måneder fremme.",
  name: "Navnet er et andet end henvisningens.",
};

/**
 * Decides a line without asking: a possible move is a further appointment, no surgeon is guessed, and a line of an
 * unknown status, a far day or another name is not imported.
 */
export function decideUnasked(asked: Decision): Decision {
  const { asks, surgeons } = asked;
  const stopping = asked.doubts.filter((doubt) => doubt !== "surgeon");
  if (stopping.length > 0) return refuseDoubtful(asked, stopping);
  const unknown = [
    asks.length > 0 &&
      `Regnet som en ekstra tid: filen siger ikke, om den er flyttet fra ${asks.map(showPlanned).join(" eller ")}.`,
    surgeons.length > 1 && "Uden kirurg: der er flere kirurger med det navn.",
    asked.doubts.includes("surgeon") && doubtNotes.surgeon,
  ].filter(Boolean);
  if (unknown.length === 0) return asked;
  return { ...asked, asks: [], surgeons: surgeons.length > 1 ? [] : surgeons, doubts: [], note: unknown.join(" ") };
}

export const refuseDoubtful = (asked: Decision, because: readonly Doubt[]): Decision => ({
  ...asked,
  status: outcomes.NOT_IMPORTED,
  lineId: null,
  asks: [],
  surgeons: [],
  doubts: [],
  note: because.map((doubt) => doubtNotes[doubt]).join(" "),
});

const timeKey = ({ date, time }: { date: string | null; time: string | null }) => `${date} ${time ?? ""}`;

const byTime = (one: Parameters<typeof timeKey>[0], other: Parameters<typeof timeKey>[0]) =>
  timeKey(one) < timeKey(other) ? -1 : timeKey(one) > timeKey(other) ? 1 : 0;

export function append<V>(groups: Map<string, V[]>, key: string, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

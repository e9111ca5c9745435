import { describe, expect, test } from "vitest";
import type { AppointmentRow } from "./appointment-csv.server";
import { importStatuses } from "./import-rules";
import { type CoveredDays, coveredDays, judgeLines, type OpenReferral } from "./judge-lines";

const TODAY = "2026-12-01";
const CPR = "010190-1234";

type Row = Partial<AppointmentRow>;

let lines = 1;
const row = (changes: Row = {}): AppointmentRow => ({
  line: (lines += 1),
  cprText: CPR,
  cpr: CPR,
  name: "",
  date: "2026-12-09",
  time: "09:30",
  durationMinutes: null,
  code: "OP",
  surgeonName: "",
  isCancelled: false,
  refusal: null,
  ...changes,
});
const planned = (id: number, date: string, time = "09:30", more = {}) => ({
  id,
  date,
  time,
  durationMinutes: 45,
  code: "OP",
  isCancelled: false,
  ...more,
});
const WHOLE_YEAR: CoveredDays = { from: "2026-01-01", to: "2026-12-31" };
const NO_DAYS: CoveredDays = { from: null, to: null };

function judge(
  rows: AppointmentRow[],
  plan: OpenReferral["lines"],
  { covered = WHOLE_YEAR, referrals = 1, code = "OP" } = {},
) {
  const decided = judgeLines(
    rows,
    {
      referralsOf: () =>
        Array.from({ length: referrals }, (_, at) => ({
          referralId: 3 + at,
          firstName: "Bo",
          lastName: "Øst",
          lines: plan,
        })),
      knowsCode: (each) => each === code,
      surgeonsNamed: () => [],
      closedReferralOf: () => null,
      today: TODAY,
    },
    covered,
  );
  return rows.map((each) => {
    const { status, lineId, asks } = decided.get(each)!;
    return [importStatuses[status]!.label, lineId ?? (asks.length > 0 ? asks.map(({ id }) => id) : null)];
  });
}

describe("one line", () => {
  const onItsDay = planned(7, "2026-12-09");
  test.each<[string, Row, OpenReferral["lines"], string, unknown, object?]>([
    ["a new time", {}, [], "Tid importeret", null],
    ["nobody's", {}, [], "Patient ikke fundet", null, { referrals: 0 }],
    ["one of two referrals'", {}, [], "Flere åbne henvisninger", null, { referrals: 2 }],
    ["of an unknown code", {}, [], "Ukendt ekstern kode", null, { code: "OTHER" }],
    ["that was refused", { refusal: { status: 2, text: "x" } }, [], "Ugyldigt CPR", null],
    ["as it was", {}, [onItsDay], "Uændret", 7],
    ["of another duration", { durationMinutes: 30 }, [onItsDay], "Tid opdateret", 7],
    ["of another time on its day", { time: "10:00" }, [onItsDay], "Tid opdateret", 7],
    ["of another day, its own covered", { date: "2026-12-16" }, [onItsDay], "Tid opdateret", 7],
    [
      "of another day, its own not covered",
      { date: "2026-12-16" },
      [onItsDay],
      "Tid importeret",
      [7],
      { covered: NO_DAYS },
    ],
    [
      "of a day that is over, none covered",
      { date: "2026-11-16" },
      [onItsDay],
      "Tid importeret",
      null,
      { covered: NO_DAYS },
    ],
    ["after one that is over", {}, [planned(7, "2026-11-01")], "Tid importeret", null],
    [
      "of a cancelled appointment's day",
      {},
      [planned(7, "2026-12-09", "09:30", { isCancelled: true })],
      "Tid importeret",
      null,
    ],
    ["cancelled", { isCancelled: true }, [onItsDay], "Tid aflyst", 7],
    ["cancelled without a time", { isCancelled: true, time: null }, [onItsDay], "Tid aflyst", 7],
    ["cancelled, on no appointment's day", { isCancelled: true, date: "2026-12-20" }, [onItsDay], "Uændret", null],
  ])("%s", (_title, changes, plan, label, id, options = {}) => {
    expect(judge([row(changes)], plan, options)).toEqual([[label, id]]);
  });
});

describe("lines that concern each other, in any order", () => {
  const [first, second] = [row({ date: "2026-12-10" }), row({ date: "2026-12-17" })];
  const cancels = (date: string, time = "09:30") => row({ date, time, isCancelled: true });

  test.each<[string, AppointmentRow[], OpenReferral["lines"], unknown[]]>([
    [
      "two appointments of one code, both new",
      [first, second],
      [],
      [
        ["Tid importeret", null],
        ["Tid importeret", null],
      ],
    ],
    [
      "two appointments of one code, both known",
      [first, second],
      [planned(1, "2026-12-10"), planned(2, "2026-12-17")],
      [
        ["Uændret", 1],
        ["Uændret", 2],
      ],
    ],
    [
      "one of two moved",
      [first, row({ date: "2026-12-20" })],
      [planned(1, "2026-12-10"), planned(2, "2026-12-17")],
      [
        ["Uændret", 1],
        ["Tid opdateret", 2],
      ],
    ],
    [
      "a time, its new one, and the cancellation of the old",
      [first, cancels("2026-12-17")],
      [planned(2, "2026-12-17")],
      [
        ["Tid opdateret", 2],
        ["Uændret", null],
      ],
    ],
    [
      "an old cancellation beside a time of another day",
      [second, cancels("2026-11-02")],
      [planned(2, "2026-12-17")],
      [
        ["Uændret", 2],
        ["Uændret", null],
      ],
    ],
    [
      "two on one day, one of them cancelled",
      [row({ date: "2026-12-17", time: "08:00" }), cancels("2026-12-17", "10:00")],
      [planned(1, "2026-12-17", "08:00"), planned(2, "2026-12-17", "10:00")],
      [
        ["Uændret", 1],
        ["Tid aflyst", 2],
      ],
    ],
    [
      "one moved onto the day of one that is cancelled",
      [row({ date: "2026-12-17", time: "08:00" }), cancels("2026-12-17", "10:00")],
      [planned(1, "2026-12-10"), planned(2, "2026-12-17", "10:00")],
      [
        ["Tid opdateret", 1],
        ["Tid aflyst", 2],
      ],
    ],
  ])("%s", (_title, rows, plan, outcome) => {
    expect(judge(rows, plan)).toEqual(outcome);
    expect(judge(rows.toReversed(), plan)).toEqual(outcome.toReversed());
  });

  test("the same line twice is done once, and the second names the first", () => {
    const rows = [row(), row()];
    const decided = judgeLines(
      rows,
      {
        referralsOf: () => [{ referralId: 3, firstName: "Bo", lastName: "Øst", lines: [] }],
        knowsCode: () => true,
        surgeonsNamed: () => [],
        closedReferralOf: () => null,
        today: TODAY,
      },
      WHOLE_YEAR,
    );
    expect(rows.map((each) => decided.get(each)!.status)).toEqual([0, 7]);
    expect(decided.get(rows[1]!)!.note).toBe(`Samme tid som linje ${rows[0]!.line}.`);
  });

  test("a time that a line which cannot be read may hold is not taken for missing", () => {
    const broken = row({ cpr: CPR, date: null, code: "", refusal: { status: 9, text: "x" } });
    const moved = row({ date: "2026-12-20" });
    expect(judge([moved, broken], [planned(2, "2026-12-17")])[0]).toEqual(["Tid importeret", [2]]);
    const known = row({ date: "2026-12-17", time: null, refusal: { status: 4, text: "x" } });
    expect(judge([moved, known], [planned(2, "2026-12-17")])[0]).toEqual(["Tid importeret", null]);
  });
});

test("a file covers the days between its first and last, none with a line of nobody", () => {
  const days = [
    row({ date: "2026-12-10" }),
    row({ date: "2026-12-02" }),
    row({ date: "2026-01-01", isCancelled: true }),
  ];
  expect(coveredDays(days)).toEqual({ from: "2026-12-02", to: "2026-12-10" });
  const unread = row({ cpr: null, date: null, refusal: { status: 9, text: "x" } });
  expect(coveredDays([...days, unread])).toEqual(NO_DAYS);
});

test("more lines of one patient and code than are compared change nothing", () => {
  const many = Array.from({ length: 201 }, (_, at) => row({ time: `${7 + (at % 13)}:${10 + (at % 50)}` }));
  const decided = judge([...many, row({ code: "UK" })], [planned(1, "2026-12-09")]);
  expect(new Set(decided.slice(0, 201).map(([label]) => label))).toEqual(new Set(["Linjen kan ikke læses"]));
  expect(decided[201]).toEqual(["Ukendt ekstern kode", null]);
});

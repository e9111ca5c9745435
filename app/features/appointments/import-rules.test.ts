import { describe, expect, test } from "vitest";
import { type Candidate, decide } from "./import-rules";

describe("the decision for a row", () => {
  const today = "2026-12-01";
  const row = {
    cpr: "010190-1234",
    date: "2026-12-09",
    time: "09:30",
    durationMinutes: 45,
    code: "OP",
    isCancelled: false,
  };
  const line = { id: 7, date: "2026-12-09", time: "09:30", durationMinutes: 45, code: "OP", isCancelled: false };
  const referral = (...lines: Candidate["lines"]): Candidate[] => [{ referralId: 3, lines }];

  test.each<[string, Partial<Record<keyof typeof row, unknown>>, Candidate[], boolean, number, number | null]>([
    ["a new time", {}, referral(), true, 0, null],
    ["nobody's", {}, [], true, 1, null],
    ["no CPR number", { cpr: null }, referral(), true, 2, null],
    ["an unknown code", {}, referral(), false, 3, null],
    ["no date", { date: null }, referral(), true, 4, null],
    ["one of two", {}, [...referral(), { referralId: 4, lines: [] }], true, 5, null],
    ["moved on the day", { time: "10:00" }, referral(line), true, 6, 7],
    ["moved to another day", { date: "2026-12-16" }, referral(line), true, 6, 7],
    [
      "the second of two of a code",
      { date: "2026-12-23" },
      referral(line, { ...line, id: 8, date: "2026-12-16" }),
      true,
      0,
      null,
    ],
    ["as it was", {}, referral(line), true, 7, 7],
    ["cancelled", { isCancelled: true }, referral(line), true, 8, 7],
    ["cancelled, and not there", { isCancelled: true }, referral(), true, 7, null],
    ["cancelled, of a day that is over", { isCancelled: true, date: "2026-11-02" }, referral(line), true, 7, null],
    ["cancelled, of another day to come", { isCancelled: true, date: "2026-12-20" }, referral(line), true, 7, null],
    [
      "cancelled, of one of two days",
      { isCancelled: true, date: "2026-12-16" },
      referral(line, { ...line, id: 8, date: "2026-12-16" }),
      true,
      8,
      8,
    ],
    ["cancelled, without a date", { isCancelled: true, date: null }, referral(line), true, 4, null],
    ["long past, of the same code", {}, referral({ ...line, date: "2026-11-01" }), true, 0, null],
  ])("%s", (_, changes, candidates, knowsCode, status, lineId) => {
    expect(decide({ ...row, ...changes } as typeof row, candidates, knowsCode, today)).toMatchObject({
      status,
      lineId,
    });
  });
});

import { expect, test } from "vitest";
import { openStatuses, STANDARD_DEADLINES } from "./deadlines";
import { type DatedReferral, nextDateOf } from "./next-date.server";
import { NO_NEXT_DATE } from "./status";

const referral: DatedReferral = {
  status: 0,
  // Tuesday, an hour before midnight in Copenhagen.
  statusSince: "2026-12-01T22:00:00.000Z",
  createDate: "2026-11-01T09:00:00.000Z",
  sentAt: "2026-11-01T09:00:00.000Z",
  deletedAt: null,
  isTest: false,
  holdUntil: "",
  operationDate: null,
  cancellationDate: null,
  referenceType: 0,
  triageUrgency: null,
  triagedAt: null,
};
const next = (changes: Partial<DatedReferral> = {}) => nextDateOf({ ...referral, ...changes }, STANDARD_DEADLINES);

test.each<[string, Partial<DatedReferral>, string]>([
  ["three days after it came", {}, "2026-12-04"],
  ["after midnight in Copenhagen counted from the next day", { statusSince: "2026-12-01T23:30:00.000Z" }, "2026-12-07"],
  ["without a known start, from the day it was sent", { status: 1, statusSince: null }, "2026-11-02"],
  ["on a weekend moved to Monday", { status: 13 }, "2026-12-07"],
  [
    "over Christmas moved to the first working day",
    { status: 15, statusSince: "2026-12-19T09:00:00.000Z" },
    "2026-12-28",
  ],
  ["on hold, the day that the hold ends", { holdUntil: "2027-01-13" }, "2027-01-13"],
  ["on hold for less than the days, the later one", { holdUntil: "2026-12-02" }, "2026-12-04"],
  ["in treatment, thirty days after the operation", { status: 6, operationDate: "2026-12-10" }, "2027-01-11"],
  [
    "in treatment since after the operation, thirty days and New Year later",
    { status: 6, operationDate: "2026-11-10" },
    "2027-01-04",
  ],
  ["called up with a time, not before the time", { status: 5, operationDate: "2027-02-01" }, "2027-02-01"],
  ["with a cancelled time as without one", { status: 13, operationDate: "2027-02-01" }, "2026-12-07"],
  [
    "with a time that the patient cancelled too",
    { status: 5, operationDate: "2027-02-01", cancellationDate: "2026-12-01T10:00:00.000Z" },
    "2026-12-15",
  ],
  [
    "in TU-status with a time that the patient cancelled, as cancelled by SMS",
    { status: 10, operationDate: "2027-02-01", cancellationDate: "2026-12-01T10:00:00.000Z" },
    "2026-12-07",
  ],
  ["urgent and late in the day, the next working day", { referenceType: 1 }, "2026-12-02"],
  [
    "urgent and two hours before the clinic closes, that day",
    { referenceType: 1, statusSince: "2026-12-01T13:00:00.000Z" },
    "2026-12-01",
  ],
  [
    "urgent and on a Friday evening, Monday",
    { referenceType: 1, statusSince: "2026-12-04T20:00:00.000Z" },
    "2026-12-07",
  ],
  ["urgent and called up, two days later", { referenceType: 1, status: 5 }, "2026-12-03"],
  ["urgent as the clinic has judged", { triageUrgency: 1, status: 3 }, "2026-12-02"],
  ["not urgent as the clinic has judged", { referenceType: 1, triageUrgency: 0, status: 3 }, "2026-12-08"],
  ["untriaged with a time, as without one", { operationDate: "2027-02-01" }, "2026-12-04"],
  [
    "awaiting material since triage, not before the time",
    { status: 4, triagedAt: "2026-11-20T10:00:00.000Z", operationDate: "2027-02-01" },
    "2027-02-01",
  ],
])("the next date is %s", (_when, changes, day) => {
  expect(next(changes)).toBe(day);
});

test.each<Partial<DatedReferral>>([
  { status: 7 },
  { status: 8 },
  { status: 10 },
  { status: -1, sentAt: null },
  { isTest: true },
  { deletedAt: "2026-12-01T10:00:00.000Z" },
])("a referral with %j has none", (changes) => {
  expect(next(changes)).toBe(NO_NEXT_DATE);
});

test.each<[Partial<DatedReferral>, string]>([
  [{ referenceType: 1 }, "2026-12-04"],
  [{ operationDate: "2027-02-01" }, "2027-02-01"],
])("a status from before the upgrade has its former date: %j", (changes, day) => {
  const upgraded = { ...STANDARD_DEADLINES, urgencyCountsFrom: 20261201 };
  expect(nextDateOf({ ...referral, ...changes }, upgraded)).toBe(day);
});

test("every open status has days", () => {
  expect(openStatuses.map(({ value }) => value).sort()).toEqual(
    Object.keys(STANDARD_DEADLINES.ordinary).map(Number).sort(),
  );
});

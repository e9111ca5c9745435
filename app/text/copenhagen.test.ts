// @module-tag node
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendarDaysBetween, isWorkday, startOfDay } from "./copenhagen.server";
import { addDays } from "./calendar";
import { localDate } from "./dates";

describe("startOfDay", () => {
  test.each([
    ["2026-01-15", "2026-01-14T23:00:00.000Z"],
    ["2026-07-15", "2026-07-14T22:00:00.000Z"],
    ["2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["2026-03-30", "2026-03-29T22:00:00.000Z"],
    ["2026-10-25", "2026-10-24T22:00:00.000Z"],
    ["2026-10-26", "2026-10-25T23:00:00.000Z"],
  ])("%s begins at %s", (day, moment) => {
    expect(startOfDay(day)).toBe(moment);
  });

  test("is the first moment of its day, every day of 1980 to 2100", () => {
    const recent = fc
      .date({ min: new Date("1980-01-01"), max: new Date("2100-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(recent, (day) => {
        const start = new Date(startOfDay(day));
        expect(localDate(start)).toBe(day);
        expect(localDate(new Date(start.getTime() - 1))).toBe(addDays(day, -1));
      }),
    );
  });
});

describe("calendarDaysBetween", () => {
  test.each([
    ["2026-12-01T22:59:59Z", "2026-12-01T23:00:00Z", 1],
    ["2026-12-01T00:00:00Z", "2026-12-01T22:59:59Z", 0],
    // The night of 29 March is 23 hours long, that of 25 October 25.
    ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 1],
    ["2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", 0],
    ["2026-10-24T21:59:59Z", "2026-10-25T23:00:00Z", 2],
    ["2026-03-01T12:00:00Z", "2026-11-01T12:00:00Z", 245],
  ])("from %s to %s are %i", (from, to, days) => {
    expect(calendarDaysBetween(new Date(from), new Date(to))).toBe(days);
  });
});

test.each([
  ["2026-12-04T22:59:00Z", true],
  ["2026-12-04T23:00:00Z", false],
  ["2026-07-05T21:59:00Z", false],
  ["2026-07-05T22:00:00Z", true],
])("whether %s is on a working day in Copenhagen: %s", (moment, isWork) => {
  expect(isWorkday(new Date(moment))).toBe(isWork);
});

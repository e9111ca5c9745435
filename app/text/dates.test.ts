// @module-tag node
import { addDays as addCalendarDays, lightFormat, parseISO } from "date-fns";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, addYears, parseDay } from "./calendar";
import {
  atTime,
  localDate,
  localTime,
  showDate,
  showDateTime,
  showDay,
  showShortDateTime,
  showTime,
  toMoment,
  writeDateTime,
} from "./dates";

const anyDay = fc
  .date({ min: new Date("1850-01-01"), max: new Date("2200-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const anyDate = fc.date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });

test("round-trips a moment through its stored form", () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      expect(new Date(toMoment(date))).toEqual(date);
      expect(toMoment(date)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }),
  );
  expect(toMoment(new Date("2026-12-01T09:05:07.080Z"))).toBe("2026-12-01T09:05:07.080Z");
});

describe("shown in Copenhagen", () => {
  test.each([
    ["2026-01-15T22:59:59.999Z", "15.01.2026 kl.\u00a023.59"],
    ["2026-01-15T23:00:00.000Z", "16.01.2026 kl.\u00a000.00"],
    ["2026-07-15T22:00:00.000Z", "16.07.2026 kl.\u00a000.00"],
    // The clock goes forward 29 March 2026 and back 25 October 2026, both at 01:00 UTC.
    ["2026-03-29T00:59:00.000Z", "29.03.2026 kl.\u00a001.59"],
    ["2026-03-29T01:00:00.000Z", "29.03.2026 kl.\u00a003.00"],
    ["2026-10-25T00:30:00.000Z", "25.10.2026 kl.\u00a002.30"],
    ["2026-10-25T01:30:00.000Z", "25.10.2026 kl.\u00a002.30"],
    ["2026-12-31T23:30:00.000Z", "01.01.2027 kl.\u00a000.30"],
  ])("%s is %s", (moment, shown) => {
    expect(showDateTime(moment)).toBe(shown);
    expect(`${showDate(moment)} ${atTime(showTime(moment))}`).toBe(shown);
    expect(showShortDateTime(moment)).toBe(shown.replace("kl.\u00a0", ""));
    // In an SMS a no-break space would cost a part.
    expect(writeDateTime(moment)).toBe(shown.replace("\u00a0", " "));
    expect(localTime(new Date(moment)).replace(":", ".")).toBe(showTime(moment));
    expect(showDay(localDate(new Date(moment)))).toBe(shown.slice(0, 10));
  });
});

describe("parseDay", () => {
  test.each([
    ["01.12.2026", "2026-12-01"],
    ["1.2.2026", "2026-02-01"],
    ["1/12-26", "2026-12-01"],
    ["1-12-2026", "2026-12-01"],
    ["1 12 2026", "2026-12-01"],
    ["01122026", "2026-12-01"],
    [" 2026-12-01 ", "2026-12-01"],
    ["29.02.2028", "2028-02-29"],
    ["29.02.2027", null],
    ["31.04.2026", null],
    ["00.01.2026", null],
    ["01.13.2026", null],
    ["2026-13-01", null],
    ["01.01.1849", null],
    ["01.01.2201", null],
    ["1.1.202", null],
    ["i morgen", null],
    ["", null],
  ])("%j is %s", (typed, day) => {
    expect(parseDay(typed)).toBe(day);
  });

  test("parses every day as it is shown, and never throws", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(parseDay(showDay(day))).toBe(day);
        expect(parseDay(day)).toBe(day);
      }),
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9./ -]{1,12}$/)),
        (text) => void expect(parseDay(text) ?? "2026-01-01").toMatch(/^\d{4}-\d\d-\d\d$/),
      ),
    );
  });
});

test("days are added over months, years, leap days and the change of clocks", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-03-28", 2)).toBe("2026-03-30");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
});

test("days are added as date-fns adds them", () => {
  const days = fc.date({ min: new Date("1850-01-01"), max: new Date("2200-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.integer({ min: -20_000, max: 20_000 }), (from, count) => {
      const day = from.toISOString().slice(0, 10);
      expect(addDays(day, count)).toBe(lightFormat(addCalendarDays(parseISO(day), count), "yyyy-MM-dd"));
    }),
  );
});

test("years are added over leap days", () => {
  expect(addYears("2026-07-15", 1)).toBe("2027-07-15");
  expect(addYears("2028-02-29", 1)).toBe("2029-02-28");
  expect(addYears("2028-02-29", -1)).toBe("2027-02-28");
  expect(addYears("2024-02-29", 4)).toBe("2028-02-29");
});

import { describe, expect, test } from "vitest";
import { dueAt, dueRules, mayLeave } from "./reminder-settings.server";

const times = { quietFrom: 20, quietTo: 8, skipsHolidays: true };
const at = (moment: string, daysBefore: number, hour: number, more: Partial<typeof times> = {}) =>
  dueAt(moment, { daysBefore, hour }, { ...times, ...more })?.toISOString() ?? null;

describe("when a reminder is due", () => {
  test.each([
    ["a day before, in winter", "2026-12-03 10:15", 1, 10, "2026-12-02T09:00:00.000Z"],
    ["a day before, in summer", "2026-07-03 10:15", 1, 10, "2026-07-02T08:00:00.000Z"],
    ["across the change to summer time", "2026-03-30 10:15", 2, 10, "2026-03-28T09:00:00.000Z"],
    ["across the change to winter time", "2026-10-26 10:15", 2, 10, "2026-10-24T08:00:00.000Z"],
    ["Sunday: on Saturday", "2026-12-07 10:15", 1, 10, "2026-12-05T09:00:00.000Z"],
    ["Christmas: on the 23rd", "2026-12-28 10:15", 1, 10, "2026-12-23T09:00:00.000Z"],
    ["Easter: on the Saturday between", "2026-04-07 10:15", 1, 12, "2026-04-04T10:00:00.000Z"],
    ["a quiet evening: the next morning", "2026-12-04 10:15", 2, 21, "2026-12-03T07:00:00.000Z"],
    ["a quiet early morning: the same morning", "2026-12-04 10:15", 1, 6, "2026-12-03T07:00:00.000Z"],
    [
      "never after the appointment has begun: the evening before",
      "2026-12-04 07:30",
      1,
      22,
      "2026-12-03T18:00:00.000Z",
    ],
    ["a quiet evening before a holiday: after it", "2026-06-08 10:15", 4, 22, "2026-06-06T06:00:00.000Z"],
  ])("%s", (_, moment, days, hour, due) => {
    expect(at(moment, days, hour)).toBe(due);
  });

  test("holidays count only when the settings say so", () => {
    expect(at("2026-12-07 10:15", 1, 10, { skipsHolidays: false })).toBe("2026-12-06T09:00:00.000Z");
  });
  test("without quiet hours every hour is allowed, also across clock changes", () => {
    const never = { quietFrom: 0, quietTo: 0, skipsHolidays: false };
    expect(at("2026-03-30 10:15", 1, 2, never)).toBe("2026-03-29T01:00:00.000Z");
    expect(at("2026-10-26 10:15", 1, 2, never)).toBe("2026-10-25T01:00:00.000Z");
  });
  test("where every hour is quiet, none is due", () => {
    expect(at("2026-12-04 10:15", 1, 10, { quietFrom: 0, quietTo: 24 })).toBeNull();
  });
});

describe("which are due by now", () => {
  const settings = {
    ...times,
    isOn: true,
    excludedTypes: [],
    sendsCaseLink: false,
    tellsImportedTimes: false,
    rules: [
      { slot: 1, daysBefore: 2, hour: 18, text: "" },
      { slot: 2, daysBefore: 1, hour: 8, text: "" },
    ],
  };
  const slots = (now: string) => dueRules("2026-12-04 10:15", settings, new Date(now)).map(({ slot }) => slot);
  test.each([
    ["2026-12-02T16:59:59Z", []],
    ["2026-12-02T17:00:00Z", [1]],
    ["2026-12-03T07:00:00Z", [2, 1]],
    ["2026-12-03T17:00:00Z", [2]],
    ["2026-12-04T07:00:00Z", []],
    ["2026-12-05T09:15:00Z", []],
  ])("at %s: %j", (now, found) => {
    expect(slots(now)).toEqual(found);
  });
});

test.each([
  ["2026-12-02T06:59:00Z", false],
  ["2026-12-02T07:00:00Z", true],
  ["2026-12-02T18:59:00Z", true],
  ["2026-12-02T19:00:00Z", false],
  ["2026-12-06T11:00:00Z", false],
  ["2026-12-25T11:00:00Z", false],
])("at %s an SMS may leave by itself: %s", (now, may) => {
  expect(mayLeave(new Date(now), times)).toBe(may);
});

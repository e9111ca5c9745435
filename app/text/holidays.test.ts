import { expect, test } from "vitest";
import { easterSunday, isHoliday } from "./calendar";

test.each([
  [2024, "2024-03-31"],
  [2025, "2025-04-20"],
  [2026, "2026-04-05"],
  [2027, "2027-03-28"],
  [2028, "2028-04-16"],
  [2029, "2029-04-01"],
  [2030, "2030-04-21"],
  [2038, "2038-04-25"],
])("Easter of %i", (year, day) => {
  expect(easterSunday(year)).toBe(day);
});

test.each([
  "2026-01-01",
  "2026-04-02",
  "2026-04-03",
  "2026-04-06",
  "2026-05-14",
  "2026-05-24",
  "2026-05-25",
  "2026-06-05",
  "2026-12-24",
  "2026-12-26",
])("%s is a holiday", (day) => {
  expect(isHoliday(day)).toBe(true);
});

test.each(["2026-04-01", "2026-04-07", "2026-05-01", "2026-05-15", "2026-12-23", "2026-12-27"])("%s is none", (day) => {
  expect(isHoliday(day)).toBe(false);
});

import { expect, test } from "vitest";
import { isWorkingDay, openingAt, openingText } from "./opening-hours";
import { parseClosedDays, parseHours } from "./read-opening-hours.server";

const day = { from: "08:00", to: "16:00" };
const week = [day, day, day, day, day, null, null];

const said = (now: string, of: Partial<Parameters<typeof openingAt>[0]> = {}) => {
  const opening = openingAt({ week, closedDays: [], ...of }, new Date(now));
  return opening && openingText(opening).replace("Klinikken har åbent mandag til fredag kl. 8–16.", "").trim();
};

test.each([
  ["in the middle of a Monday", "2026-11-30T10:00:00Z", ""],
  ["in the first minute", "2026-11-30T07:00:00Z", ""],
  ["in the last minute", "2026-11-30T14:59:59Z", ""],
  ["before it opens", "2026-11-30T06:59:00Z", "i dag kl. 8"],
  ["when it has just closed", "2026-11-30T15:00:00Z", "tirsdag den 01.12. kl. 8"],
  ["on a Friday night", "2026-11-27T22:00:00Z", "mandag den 30.11. kl. 8"],
  ["in the first hour of a day that is not yet UTC's", "2026-11-29T23:30:00Z", "i dag kl. 8"],
  ["at seven UTC in summer time", "2026-06-15T06:00:00Z", ""],
  ["on the Friday before summer time begins", "2026-03-27T15:00:00Z", "mandag den 30.03. kl. 8"],
  ["on the night in which summer time ends", "2026-10-25T00:30:00Z", "mandag den 26.10. kl. 8"],
  ["before Christmas", "2026-12-23T15:00:00Z", "mandag den 28.12. kl. 8"],
  ["on New Year's Eve", "2026-12-31T10:00:00Z", "mandag den 04.01. kl. 8"],
  ["before Easter", "2026-04-01T14:00:00Z", "tirsdag den 07.04. kl. 8"],
])("says %s whether the clinic is open", (_, now, next) => {
  expect(said(now)).toBe(next && `Klinikken er lukket nu og åbner igen ${next}.`);
});

test("a closed day beside a weekend prolongs it", () => {
  const closedDays = ["2026-11-27", "2026-11-30"];
  expect(said("2026-11-26T15:00:00Z", { closedDays })).toContain("tirsdag den 01.12. kl. 8");
  expect(said("2026-11-30T10:00:00Z", { closedDays })).toContain("tirsdag den 01.12. kl. 8");
});

test("no hours, no sentence; closed all year, no day", () => {
  expect(said("2026-11-30T10:00:00Z", { week: week.map(() => null) })).toBe(null);
  const closedDays = Array.from({ length: 366 }, (_, ahead) =>
    new Date(Date.parse("2026-12-05") + ahead * 86_400_000).toISOString().slice(0, 10),
  );
  expect(said("2026-12-05T10:00:00Z", { closedDays })).toBe("Klinikken er lukket nu.");
});

test("days with other hours are named apart", () => {
  const late = { from: "08:30", to: "17:15" };
  const short = { from: "09:00", to: "12:00" };
  const opening = openingAt({ week: [day, late, late, null, short, null, null], closedDays: [] }, new Date(0))!;
  expect(openingText({ ...opening, isOpen: true })).toBe(
    "Klinikken har åbent mandag kl. 8–16, tirsdag og onsdag kl. 8.30–17.15 og fredag kl. 9–12.",
  );
});

test.each([
  ["", ""],
  ["8–16", "08:00-16:00"],
  ["8.30-15.30", "08:30-15:30"],
  ["08:00 - 16:00", "08:00-16:00"],
  ["0-24", "00:00-24:00"],
  ["16–8", null],
  ["8", null],
  ["8–16–18", null],
  ["8–25", null],
  ["8.60–16", null],
  ["lukket", null],
])("hours typed as '%s' are stored as %s", (typed, stored) => {
  expect(parseHours(typed)).toBe(stored);
});

test("closed days are kept once each and in order; a line without a date is named", () => {
  expect(parseClosedDays(" 02.01.2027  Juleferie \n\n23.12.2026\n2/1-2027 Fri\nuge 52\n31.02.2027 Ingen")).toEqual({
    days: ["2026-12-23", "2027-01-02"],
    lines: ["23.12.2026", "2/1-2027 Fri"],
    wrong: ["uge 52", "31.02.2027 Ingen"],
  });
});

test.each([
  ["2026-11-30", [], true],
  ["2026-11-30", ["2026-11-30"], false],
  ["2026-11-29", [], false],
  ["2026-12-24", [], false],
] as const)("deadlines end on %s with closed days %j: %s", (date, closedDays, ends) => {
  expect(isWorkingDay(date, closedDays)).toBe(ends);
});

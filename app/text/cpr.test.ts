import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ageOn, birthDate, joinCprBoxes, parseCpr } from "./cpr";

describe("parseCpr", () => {
  test.each([
    ["010180-1234", "010180-1234"],
    ["0101801234", "010180-1234"],
    ["010180 1234", "010180-1234"],
    [" 01 01 80 - 1234 ", "010180-1234"],
    ["010180–1234", "010180-1234"],
    ["\u202a010180\u22121234\u202c", "010180-1234"],
    ["\ufeff010180\u20111234", "010180-1234"],
    ["01\u00ad0180\u20141234", "010180-1234"],
    ["CPR: 010180-1234", "010180-1234"],
    ["cpr-nr. 010180 1234", "010180-1234"],
    ["0708601GH8", "070860-1GH8"],
    ["010180-12ab", "010180-12AB"],
    ["610180-1234", "610180-1234"],
    ["910180-1234", "910180-1234"],
    ["290299-1234", "290299-1234"],
    ["600180-1234", null],
    ["920180-1234", null],
    ["000180-1234", null],
    ["320180-1234", null],
    ["310480-1234", null],
    ["300280-1234", null],
    ["011380-1234", null],
    ["010080-1234", null],
    ["010180-123", null],
    ["010180-12345", null],
    ["01018A-1234", null],
    ["010180-12æ4", null],
    ["", null],
  ])("%j is %s", (typed, cpr) => {
    expect(parseCpr(typed)).toBe(cpr);
  });

  test("never throws, and parses its own output", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[0-9 -]{6,12}[0-9a-zA-Z]{4}$/)),
        (text) => {
          const cpr = parseCpr(text);
          if (cpr === null) return;
          expect(cpr).toMatch(/^\d{6}-[0-9A-Z]{4}$/);
          expect(parseCpr(cpr)).toBe(cpr);
          expect(parseCpr(cpr.replace("-", "").toLowerCase())).toBe(cpr);
        },
      ),
    );
  });

  test("round-trips every date of birth through a CPR number", () => {
    const born = fc
      .date({ min: new Date("1937-01-01"), max: new Date("1999-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(born, fc.constantFrom(0, 60), (day, added) => {
        const cpr = `${String(Number(day.slice(8)) + added).padStart(2, "0")}${day.slice(5, 7)}${day.slice(2, 4)}-1234`;
        expect(birthDate(parseCpr(cpr)!)).toBe(day);
      }),
    );
  });
});

test("joins the two boxes, and accepts a whole number pasted into the first", () => {
  expect(parseCpr(joinCprBoxes("010180", "1234"))).toBe("010180-1234");
  expect(parseCpr(joinCprBoxes("010180-1234", " "))).toBe("010180-1234");
  expect(parseCpr(joinCprBoxes("010180", ""))).toBeNull();
});

describe("birthDate", () => {
  // The CPR office's table: 7th digit, year, century.
  test.each([
    ["010100-0001", "1900-01-01"],
    ["010199-0001", "1999-01-01"],
    ["010199-3001", "1999-01-01"],
    ["010136-4001", "2036-01-01"],
    ["010137-4001", "1937-01-01"],
    ["010157-5001", "2057-01-01"],
    ["010158-5001", "1858-01-01"],
    ["010157-8001", "2057-01-01"],
    ["010199-8001", "1899-01-01"],
    ["010136-9001", "2036-01-01"],
    ["010137-9001", "1937-01-01"],
    ["610180-1001", "1980-01-01"],
    ["290200-4001", "2000-02-29"],
    ["290200-1001", null],
    ["290299-1001", null],
    ["010180-A001", null],
  ])("%s is %s", (cpr, date) => {
    expect(birthDate(cpr)).toBe(date);
  });
});

test.each([
  ["1980-06-15", "2026-06-14", 45],
  ["1980-06-15", "2026-06-15", 46],
  ["2000-02-29", "2026-02-28", 25],
  ["2000-02-29", "2026-03-01", 26],
  ["2026-06-15", "2026-06-15", 0],
  ["2026-06-16", "2026-06-15", null],
  [null, "2026-06-15", null],
])("born %s is on %s %s years old", (birth, today, age) => {
  expect(ageOn(birth, today)).toBe(age);
});

// @module-tag node
import { expect, test } from "vitest";
import { spreadsheetLines } from "./spreadsheet-lines.server";

test.each([
  "=SUM(A:A)",
  "+cmd|' /C calc'!A0",
  "-2+3",
  "-A1",
  "+45+1",
  "@SUM(1)",
  "＝1+1",
  "+1 A1",
  "-2 mm+1",
  "\t=1",
  "-",
])("%s begins with an apostrophe", (cell) => {
  expect(spreadsheetLines([[cell]])).toContain(`'${cell.slice(0, 1)}`);
});

test.each(["+4520123456", "+45 20 12 34 56", "-2 mm", "-2,5", "-0.5", "0999", "a=1", "'citat"])(
  "%s stays as it is",
  (cell) => {
    expect(spreadsheetLines([[cell]])).toBe(`${cell}\r\n`);
  },
);

import { expect, test } from "vitest";
import { toE164 } from "./phone";

test.each([
  ["40 12 34 56", "+4540123456"],
  ["40123456", "+4540123456"],
  ["+45 4012 3456", "+4540123456"],
  ["0045 40 12 34 56", "+4540123456"],
  ["+47 (900) 12-345", "+4790012345"],
])("%s is sent to %s", (typed, sent) => {
  expect(toE164(typed)).toBe(sent);
});

test.each([
  "",
  "4012345",
  "401234567",
  "00",
  "+0012345678",
  "01 12 34 56",
  "ring til mig",
  "40123456; 40123457",
  "+45",
  "12\n345678",
])("refuses %j as a number", (typed) => {
  expect(toE164(typed)).toBeNull();
});

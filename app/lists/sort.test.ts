// @module-tag node
import { expect, test } from "vitest";
import { directionOf, parseSort, sortByClick, sortParam } from "./list";

const columns = [{ key: 1 }, { key: 5 }, { key: 7 }] as const;
const standard = { key: 5, ascending: false } as const;

test.each([
  ["1", { key: 1, ascending: true }],
  ["-7", { key: 7, ascending: false }],
  ["6", standard],
  ["--7", standard],
  ["7-", standard],
  ["0x7", standard],
  ["", standard],
  [null, standard],
])("%s", (text, sort) => {
  expect(parseSort(text, { columns, defaultSort: standard })).toEqual(sort);
});

test("a click reverses its own column and starts another", () => {
  expect(sortByClick(standard, { key: 5 })).toEqual({ key: 5, ascending: true });
  expect(sortByClick(standard, { key: 1 })).toEqual({ key: 1, ascending: false });
  expect(sortParam(sortByClick(standard, { key: 7, ascendsFirst: true }))).toBe("7");
  expect([directionOf(standard, 5), directionOf(standard, 1)]).toEqual(["descending", undefined]);
});

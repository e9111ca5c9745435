import { expect, test } from "vitest";
import { pageOf } from "./page-of";

const all = Array.from({ length: 120 }, (_, at) => at);

test.each([
  [1, 0, 48, 1],
  [3, 96, 24, 3],
  [4, 96, 24, 3],
  [Infinity, 96, 24, 3],
  [0, 0, 48, 1],
  [-1, 0, 48, 1],
  [Number.NaN, 0, 48, 1],
])("page %d of 120 items begins with number %d and has %d", (asked, first, count, page) => {
  const { shown, ...rest } = pageOf(all, asked, 48);
  expect([shown[0], shown.length, rest]).toEqual([first, count, { page, pageCount: 3 }]);
});

test("a page's worth of items, and none, are one page", () => {
  expect(pageOf(all.slice(0, 48), 1, 48).pageCount).toBe(1);
  expect(pageOf([], 1, 48)).toEqual({ shown: [], page: 1, pageCount: 1 });
});

// @module-tag node
import { expect, test } from "vitest";
import { rangeOf } from "./download.server";

const partOf = (range: string, edition?: string) =>
  rangeOf(new Headers({ range, ...(edition === undefined ? {} : { "if-range": edition }) }), 100, "e1");

test.each([
  ["bytes=0-9", { start: 0, end: 9 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=50-999999999999999", { start: 50, end: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
])("%s is one part of the file, or none", (range, part) => {
  expect(partOf(range)).toEqual(part);
});

test.each([
  ["several parts", Array.from({ length: 3000 }, (_, at) => `${at}-${at}`).join()],
  ["the whole file a thousand times", Array(1000).fill("0-").join()],
  ["more digits than a number has", "0-99999999999999999999"],
  ["an end before its beginning", "10-5"],
  ["nothing", "-"],
  ["no numbers", "a-b"],
])("%s is answered with the whole file, once", (_what, parts) => {
  expect(partOf(`bytes=${parts}`)).toBeNull();
});

test("a part of another edition of the file is none of this one", () => {
  expect([partOf("bytes=0-9", '"e1"'), partOf("bytes=0-9", '"e2"')]).toEqual([{ start: 0, end: 9 }, null]);
});

// @module-tag node
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonRefusal } from "./api.server";

test("what a call may send is read", () => {
  for (const body of [
    { ids: Array.from({ length: 1000 }, (_, at) => at) },
    "",
    "x".repeat(400_000),
    { a: { b: [{ c: 1 }] } },
  ])
    expect(jsonRefusal(JSON.stringify(body))).toBeNull();
});

test("signs within texts are neither values nor layers, whatever stands before them", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 20 }), (texts) => {
      const body = Object.fromEntries(
        texts.map((text) => [text, `${text}${"[{,".repeat(3000)}\\"${"],".repeat(3000)}`]),
      );
      expect(jsonRefusal(JSON.stringify(body))).toBeNull();
    }),
  );
});

test.each([
  [JSON.stringify(Array(5001).fill(1)), /værdier/],
  [JSON.stringify(Array.from({ length: 5001 }, () => ({}))), /værdier/],
  [JSON.stringify(Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [at, at]))), /værdier/],
  [`${"[".repeat(21)}${"]".repeat(21)}`, /lag/],
  ['{"a":'.repeat(21), /lag/],
])("more values or layers than any call has are refused: %#", (text, refusal) => {
  expect(jsonRefusal(text)).toMatch(refusal);
});

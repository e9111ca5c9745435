import { describe, expect, test } from "vitest";
import { committed, sourceAt } from "./describe-rule";
import { exceptions, expressionsIn, slowExpressions } from "./regex-rules";

describe("regular expressions", () => {
  test("take a time that grows with the length of a text alone", async () => {
    const slow = await slowExpressions(committed);
    expect(slow.map(({ path, line, why }) => `${path}:${line} ${why}`)).toEqual([]);
  }, 180_000);

  test.each([
    ["a trimmed run", "app/a.ts", "x.replace(/[\\s.]+$/u, '')"],
    ["an address", "db/a.ts", "x.match(/[^\\s]+@[^\\s]+/g)"],
    ["nested repetitions", "scripts/a.mjs", "new RegExp('^(a+)+$')"],
    ["a constant template", "server.ts", "RegExp(`\\\\d+$`, 'g')"],
  ])("bites: %s", async (_of, place, text) => {
    expect(await slowExpressions([sourceAt(place, text)])).toHaveLength(1);
  });

  test("lets pass what is linear, a test, and what is made of other values", async () => {
    const sources = [
      sourceAt("app/a.tsx", "const a = <p>{x.replace(/\\s+/g, ' ')}</p>; new RegExp(`^${a}+$`)"),
      sourceAt("app/a.test.ts", "/(a+)+$/.test(x)"),
    ];
    expect(await slowExpressions(sources)).toEqual([]);
  });

  test("each exception names an expression that is there", () => {
    const sources = new Set(committed.flatMap(expressionsIn).map(({ source }) => source));
    for (const source of Object.keys(exceptions)) expect(sources).toContain(source);
  });
});

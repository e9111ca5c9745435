import { describe, expect, test } from "vitest";
import { committed, describeRule, sourceAt } from "./describe-rule";
import { exceptions, expressionsAreWrittenOut, expressionsIn, slowExpressions } from "./regex-rules";

describe("regular expressions", () => {
  test("take a time that grows with the length of a text alone", { tags: "matrix" }, async () => {
    const slow = await slowExpressions(committed);
    expect(slow.map(({ path, line, why }) => `${path}:${line} ${why}`)).toEqual([]);
  });

  test.each([
    ["a trimmed run", "app/a.ts", "x.replace(/[\\s.]+$/u, '')"],
    ["an address", "db/a.ts", "x.match(/[^\\s]+@[^\\s]+/g)"],
    ["nested repetitions", "scripts/a.mjs", "new RegExp('^(a+)+$')"],
    ["a constant template", "server.ts", "RegExp(`\\\\d+$`, 'g')"],
  ])("bites: %s", async (_of, place, text) => {
    expect(await slowExpressions([sourceAt(place, text)])).toHaveLength(1);
  });

  test("lets pass what is linear, and a test", async () => {
    const sources = [
      sourceAt("app/a.tsx", "const a = <p>{x.replace(/\\s+/g, ' ')}</p>"),
      sourceAt("app/a.test.ts", "/(a+)+$/.test(x)"),
    ];
    expect(await slowExpressions(sources)).toEqual([]);
  });

  test("each exception names an expression that is there", () => {
    const sources = new Set(committed.flatMap(expressionsIn).map(({ source }) => source));
    for (const source of Object.keys(exceptions)) expect(sources).toContain(source);
  });
});

describeRule("regular expressions are written out", expressionsAreWrittenOut, {
  bad: {
    "app/a.ts#template": "new RegExp(`^${name}+$`)",
    "app/a.ts#sum": "RegExp('^' + name)",
    "db/a.ts#variable": "const made = new RegExp(pattern, 'g')",
    "scripts/a.mjs#global": "new globalThis.RegExp(pattern)",
    "server.ts#other flags": "new RegExp(made.source, 'gi')",
  },
  good: {
    "app/a.ts": "const made = /^a+$/; new RegExp('^a$'); RegExp(`b`, 'g'); new RegExp(/c/, 'g');",
    "app/a.test.ts": "new RegExp(`^${name}$`)",
    "tests/support/a.ts": "new RegExp(`^${name}$`)",
  },
});

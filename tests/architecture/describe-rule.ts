import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Rule, SourceText } from "./source-text";

/** Architecture rules (docs/architecture.md): functions over source text that return breaches. */

const root = path.resolve(import.meta.dirname, "../..");
const isText = (file: string) =>
  /\.(ts|tsx|mts|js|mjs|cjs|json|jsonc|md|css|svg|html|txt|ya?ml|sh|csv)$|(^|\/)(Dockerfile|run|\.[a-z.]+)$/.test(file);

/** Every file that is or would be committed. */
export const committed: SourceText[] = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\0")
  .filter((file) => file !== "" && isText(file) && existsSync(path.join(root, file)))
  .map((file) => ({ path: file, text: readFileSync(path.join(root, file), "utf8") }));

/** Checks that a rule holds for the project, fails for `bad` and passes for `good`. */
export function describeRule(
  name: string,
  rule: Rule,
  cases: { bad: Record<string, string>; good: Record<string, string> },
) {
  describe(name, () => {
    test("holds", () => {
      expect(rule(committed).map(({ path: file, line, why }) => `${file}:${line} ${why}`)).toEqual([]);
    }, 120_000);
    test.each(Object.entries(cases.bad))("bites: %s", (place, text) => {
      expect(rule([sourceAt(place, text)])).toHaveLength(1);
    });
    test.each(Object.entries(cases.good))("lets pass: %s", (place, text) => {
      expect(rule([sourceAt(place, text)])).toEqual([]);
    });
  });
}

/** `path#remark` allows several cases for one path. */
export const sourceAt = (place: string, text: string): SourceText => ({ path: place.replace(/#.*$/, ""), text });

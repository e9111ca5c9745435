import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const text = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Paths of files named in backquotes by a document. */
const filesIn = (document: string) =>
  [...document.matchAll(/`([^`\s]+)`/g)]
    .map(([, name]) => name!)
    .filter((name) => /^[\w./-]+\.(ts|tsx|yaml|md)$/.test(name));

test.each([
  ["SECURITY.md", 40],
  ["docs/threat-model.md", 30],
])("every file and test that %s names exists", (file, least) => {
  const named = filesIn(text(file));
  expect(named.length).toBeGreaterThan(least);
  expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test("SECURITY.md has a row for each requirement, and a met one its proof", () => {
  const cells = text("SECURITY.md")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const rows = cells.filter(([, requirement]) => /^\d+\.\d+\.\d+$/.test(requirement ?? ""));
  expect(new Set(rows.map(([, requirement]) => requirement)).size).toBe(rows.length);
  const isOfOpenId = (requirement: string | undefined) => requirement!.startsWith("10.");
  expect(rows.filter(([, requirement]) => !isOfOpenId(requirement))).toHaveLength(33);
  expect(rows.filter(([, requirement]) => isOfOpenId(requirement))).toHaveLength(8);
  for (const [, requirement, state, how, where] of rows) {
    expect(state, requirement).toMatch(/^(met|open|open in part|the [a-z]+)$/);
    if (state === "met" && !/^written down (above|below)$/.test(how!))
      expect(
        filesIn(where!).some((name) => name.endsWith(".test.ts")),
        requirement,
      ).toBe(true);
  }
});

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");
const folders = [...new Set(files.flatMap((file) => parentsOf(file)))];

function parentsOf(file: string): string[] {
  const parent = path.posix.dirname(file);
  return parent === "." ? [] : [parent, ...parentsOf(parent)];
}

/** Rows of the table 'Where a change goes' of docs/architecture.md. */
const rows = readFileSync(path.join(root, "docs/architecture.md"), "utf8")
  .split("## Where a change goes")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| change |"))
  .map((line) => line.slice(2).split(" | ") as [string, string]);

const isPath = (code: string) => !/[\s<={(]/.test(code.replace("<part>", "")) && /\/|\.(tsx?|mjs|css|md)$/.test(code);

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** The end of a path; `x-`, `*` and `<part>` are any name. */
const endOf = (named: string) =>
  new RegExp(`(^|/)${literal(named.replace(/\/$/, "")).replace(/^x-|\\\*|<part>/g, "[\\w.$-]+")}$`);

/** The paths that a row names: a name without a folder is that of a folder named before it, or of one around it. */
function missingIn(cell: string): string[] {
  let known: string[] = [];
  const missing: string[] = [];
  for (const [, named] of cell.matchAll(/`([^`]+)`/g)) {
    if (!isPath(named!)) continue;
    const found = [...files, ...folders].filter((file) => endOf(named!).test(file));
    const isBare = !named!.includes("/");
    const near = isBare && known.length > 0 ? found.filter((file) => known.includes(path.posix.dirname(file))) : found;
    if (near.length === 0) missing.push(named!);
    if (!isBare) known = [...known, ...near.flatMap((file) => [file, ...parentsOf(file).slice(0, 2)])];
  }
  return missing;
}

test.each(rows)("%s: its files exist", (_change, cell) => {
  expect(missingIn(cell)).toEqual([]);
});

test("a path that is not there is found", () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(missingIn("`referrals/model/facts.ts`, `store/referral-columns.server.ts`")).toEqual([
    "store/referral-columns.server.ts",
  ]);
  expect(missingIn("`referrals/model/status.ts`, `route.tsx`")).toEqual(["route.tsx"]);
});

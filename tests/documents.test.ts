import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { settingNames } from "~/config/config.server";
import { usage } from "~/cli/run.server";

const root = path.resolve(import.meta.dirname, "..");
const text = (file: string) => readFileSync(path.join(root, file), "utf8");

const documents = [
  "README.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const withoutCode = (document: string) => document.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
/** Code in backquotes and fences. */
const codeOf = (document: string) => [...document.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].map(([code]) => code);

/** Anchors of a document as GitHub and the portal make them from headings. */
function anchorsOf(document: string): Set<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...document.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
      const slug = heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-");
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}

const linksOf = (document: string) =>
  [...withoutCode(document).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^(https?|mailto):/.test(target));

test("every link, anchor and picture of the documents exists", () => {
  const broken = documents.flatMap((file) =>
    linksOf(text(file)).flatMap((target) => {
      const [address = "", anchor] = target.split("#");
      const aim = address === "" ? file : path.posix.join(path.posix.dirname(file), decodeURI(address));
      const isThere = existsSync(path.join(root, aim));
      const isFound = isThere && (anchor === undefined || anchorsOf(text(aim)).has(decodeURI(anchor)));
      return isFound ? [] : [`${file}: ${target}`];
    }),
  );
  expect(documents.length).toBeGreaterThan(80);
  expect(broken).toEqual([]);
});

test("every command that the documents name exists", () => {
  const { scripts } = JSON.parse(text("package.json")) as { scripts: Record<string, string> };
  const commands = usage.replace(/^[^[]*\[|\]$/g, "").split(" | ");
  const known = new Set(commands.map((command) => command.split(" ")[0]!));
  const unknown = documents.flatMap((file) =>
    codeOf(text(file)).flatMap((code) =>
      [
        ...[...code.matchAll(/\bnpm run ([\w:-]+)/g)].filter(([, name = ""]) => scripts[name] === undefined),
        ...[...code.matchAll(/\bnode build\/server\.js ([a-z][\w-]*)/g)].filter(([, name]) => !known.has(name!)),
        ...[...code.matchAll(/\bnode (scripts\/[\w./-]+)/g)].filter(([, name]) => !existsSync(path.join(root, name!))),
      ].map(([command]) => `${file}: ${command}`),
    ),
  );
  expect(unknown).toEqual([]);
});

describe("settings", () => {
  const example = [...text(".env.example").matchAll(/^# ?([A-Z_]+)=|^#?([A-Z_]+)=/gm)].map(([, a, b]) => (a ?? b)!);
  const ofComposeFiles = new Set(
    [text("compose.yaml"), text("deploy/compose.two-machines.yaml")].flatMap((compose) =>
      [...compose.matchAll(/\$\{(\w+)|^ +([A-Z_]+): /gm)].map(([, named, given]) => (named ?? given)!),
    ),
  );

  test("every setting that the portal reads is explained in .env.example", () => {
    expect(settingNames.filter((name) => !example.includes(name))).toEqual([]);
  });

  test("every setting in .env.example is read by the portal or the compose files", () => {
    expect(example.filter((name) => !settingNames.includes(name) && !ofComposeFiles.has(name))).toEqual([]);
  });

  test("every variable that the documents name is a setting or one of the tests", () => {
    const ofTests = new Set(
      ["scripts", "tests", "db"].flatMap((folder) =>
        readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
          .filter((name) => /\.(ts|mjs)$/.test(name))
          .flatMap((name) =>
            [...text(`${folder}/${name}`).matchAll(/process\.env\.(\w+)/g)].map(([, variable]) => variable!),
          ),
      ),
    );
    const isKnown = (name: string) =>
      example.includes(name) ||
      ofTests.has(name) ||
      ofComposeFiles.has(name) ||
      // `OIDC_STAFF_…` names a group.
      example.some((each) => name.endsWith("_") && (each.startsWith(name) || each.includes(name)));
    const ofOperators = /^(README|SECURITY|docs\/operations|docs\/da\/)/;
    const unknown = documents
      .filter((file) => ofOperators.test(file))
      .flatMap((file) =>
        codeOf(text(file)).flatMap((code) =>
          [...code.matchAll(/(?<![\w./-])[A-Z][A-Z0-9]+_[A-Z0-9_]+(?![\w./-])/g)]
            .map(([name]) => name)
            .filter((name) => !isKnown(name))
            .map((name) => `${file}: ${name}`),
        ),
      );
    expect(unknown).toEqual([]);
  });
});

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

test("the release of package.json has its entry in CHANGELOG.md", () => {
  const { version } = JSON.parse(text("package.json")) as { version: string };
  expect(text("CHANGELOG.md")).toMatch(new RegExp(`^## ${version.replace(/\./g, "\\.")} - \\d{4}-\\d\\d-\\d\\d$`, "m"));
});

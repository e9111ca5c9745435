import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { faultsOf } from "../scripts/audit.mjs";
import { makeSbom } from "../scripts/sbom.mjs";

const root = path.resolve(import.meta.dirname, "..");
const text = (file: string) => readFileSync(path.join(root, file), "utf8");

interface Locked {
  version: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}
const locked = Object.entries((JSON.parse(text("package-lock.json")) as { packages: Record<string, Locked> }).packages)
  .filter(([folder]) => folder !== "")
  .map(([folder, entry]) => ({ name: folder.replace(/^.*node_modules\//, ""), ...entry }));

test("no package runs a script when it is installed, here and in the image", () => {
  expect(text(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  expect(text("Dockerfile")).toContain("COPY package.json package-lock.json .npmrc ./");
});

/** They work without their scripts: esbuild and sharp bring binaries, and ssh2 does without its optional addition. */
const WITH_SCRIPTS = ["core-js-pure", "cpu-features", "esbuild", "ssh2"];

test("a new package with an install script is looked at before it is taken in", () => {
  expect([...new Set(locked.filter((each) => each.hasInstallScript).map(({ name }) => name))].sort()).toEqual(
    WITH_SCRIPTS,
  );
});

/** Their package.json names no licence; MIT by the text they bring along. */
const WITHOUT_LICENCE = [
  "buildcheck",
  "busboy",
  "combine-errors",
  "cpu-features",
  "memorystream",
  "png-js",
  "ssh2",
  "streamsearch",
];

test("`npm run sbom` lists what runs in production, with its licence, and nothing else", () => {
  const bom = makeSbom() as {
    bomFormat: string;
    metadata: { component: { version: string } };
    components: { name: string; version: string; group?: string; licenses?: unknown[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const { version } = JSON.parse(text("package.json")) as { version: string };
  expect([bom.bomFormat, bom.metadata.component.version]).toEqual(["CycloneDX", version]);
  const refs = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  const needed = locked.filter(({ dev }) => !dev).map((each) => `${each.name}@${each.version}`);
  expect(needed.length).toBeGreaterThan(150);
  expect(needed.filter((each) => !refs.includes(each))).toEqual([]);
  expect(bom.components).toHaveLength(new Set(needed).size);
  const withoutLicence = bom.components.filter(({ licenses }) => !licenses?.length).map(({ name }) => name);
  expect(withoutLicence.filter((name) => !WITHOUT_LICENCE.includes(name))).toEqual([]);
});

const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    pdfkit: { via: ["crypto-js"] },
    "crypto-js": {
      via: [{ url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc", title: "Weak", severity: "high" }],
    },
  },
};
const exception = { id: "GHSA-aaaa-bbbb-cccc", reason: "only for encrypted PDF files, which nobody makes" };

test.each([
  ["a find fails", [], ["GHSA-aaaa-bbbb-cccc (crypto-js, high: Weak)"]],
  ["a find with an exception passes", [{ ...exception, until: "2026-11-27" }], []],
  [
    "a find whose exception has ended fails",
    [{ ...exception, until: "2026-11-26" }],
    ["GHSA-aaaa-bbbb-cccc (crypto-js, high: Weak); its exception ended on 2026-11-26"],
  ],
])("audit: %s", (_, exceptions, faults) => {
  expect(faultsOf(report, exceptions, "2026-11-27")).toEqual(faults);
});

test("audit: a registry without an answer is told from one without a find", () => {
  expect(faultsOf({ error: { code: "ENOAUDIT" } }, [], "2026-11-27")).toBeNull();
  expect(faultsOf({ auditReportVersion: 2, vulnerabilities: {} }, [], "2026-11-27")).toEqual([]);
});

test("each exception of the audit has a reason and ends within half a year", () => {
  const exceptions = JSON.parse(text("scripts/audit-exceptions.json")) as {
    id: string;
    reason: string;
    until: string;
  }[];
  const latest = new Date(Date.now() + 183 * 86_400_000).toISOString().slice(0, 10);
  for (const { id, reason, until } of exceptions) {
    expect(id).toMatch(/^GHSA-/);
    expect(reason.length, id).toBeGreaterThan(20);
    expect(until <= latest && /^\d{4}-\d\d-\d\d$/.test(until), id).toBe(true);
  }
});

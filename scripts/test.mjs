/**
 * `npm test`: everything this project holds itself to, from a fresh clone, ending with the line `N passed, N failed`.
 * Every part says its time and its counts; a part that ran nothing has failed.
 *
 * `npm test -- types lint` runs only the parts that are named, while working on one of them.
 * `npm test -- quick` is for every few minutes: types, lint, units and operations on SQLite, and ten main paths in the
 * browser without script.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { PreparationError, ensureInstalled, projectFolder, requireSupportedNode } from "./preparation.mjs";
import { auditPackages } from "./audit.mjs";
import { environment, useMemoryFolder } from "./test-environment.mjs";
import { ensureNode24 } from "./node-24.mjs";
import { countEndToEnd, countTests, countVitest, secondRunsOf } from "./test-reports.mjs";

const resultsFolder = path.join(projectFolder, "test-results");
const vitestResults = path.join(resultsFolder, "vitest.json");
const node24Results = path.join(resultsFolder, "node-24.json");
const e2eResults = path.join(resultsFolder, "e2e.json");

const QUICK = ["types", "scripts", "lint", "build", "units", "main-paths"];
const MAIN_PATHS = [
  "wizard-journey",
  "drafts",
  "overview-status",
  "overview-filter",
  "open-referral",
  "call-ups",
  "discharge-letters",
  "messages",
  "sms",
  "patient-links",
];

/**
 * Each part returns { passed, failed, skipped?, lines? }. One with `beside` runs on the other core and is awaited at
 * its place.
 */
const parts = [
  { name: "types", run: () => one(nodeProgram("typescript-native/bin/tsc", "--noEmit")) },
  { name: "scripts", run: () => one(nodeProgram("typescript-native/bin/tsc", "--noEmit", "-p", "scripts")) },
  { name: "lint", run: () => one(nodeProgram("oxlint/bin/oxlint", "--deny-warnings")) },
  { name: "build", run: () => one(script("build.mjs")) },
  {
    name: "format",
    beside: true,
    run: () => one(nodeProgram("prettier/bin/prettier.cjs", "--check", "--log-level=warn", ".")),
  },
  { name: "audit", run: auditPackages },
  { name: "vitest", run: runVitest },
  { name: "node-24", run: runOnNode24, needs: "build" },
  { name: "e2e", run: runEndToEnd, needs: "build" },
  { name: "sizes", run: () => one(script("sizes.mjs")), needs: "build" },
  { name: "units", quickOnly: true, run: runUnits },
  { name: "main-paths", quickOnly: true, run: runMainPaths, needs: "build" },
];

const children = new Set();
process.once("exit", () => children.forEach((child) => child.kill()));
// Without a listener these signals end the process before it has cleaned up.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

async function main() {
  const wanted = process.argv.slice(2).flatMap((name) => (name === "quick" ? QUICK : [name]));
  const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`No such part: ${unknown.join(", ")}. There are ${parts.map((part) => part.name).join(", ")}.`);
    return false;
  }
  const chosen = parts.filter((part) => (wanted.length === 0 ? !part.quickOnly : wanted.includes(part.name)));

  try {
    requireSupportedNode();
    process.chdir(projectFolder);
    ensureInstalled();
    // Imported here, since it needs the packages just installed.
    const { ensureTestTools } = await import("./debian-packages.mjs");
    if (chosen.some(({ name }) => ["vitest", "node-24", "e2e", "units", "main-paths"].includes(name))) {
      ensureTestTools();
      useMemoryFolder();
    }
  } catch (error) {
    console.error(error instanceof PreparationError ? `\n${error.message}` : error);
    return close([{ name: "preparation", passed: 0, failed: 1, seconds: 0, lines: [] }]);
  }

  rmSync(resultsFolder, { recursive: true, force: true });
  mkdirSync(resultsFolder, { recursive: true });
  const results = [];
  const begin = async (part) => {
    const started = Date.now();
    return { counted: await part.run(), seconds: (Date.now() - started) / 1000 };
  };
  const beside = new Map(chosen.filter((part) => part.beside).map((part) => [part, begin(part)]));
  for (const part of chosen) {
    console.log(`\n━━ ${part.name} ${"━".repeat(Math.max(0, 76 - part.name.length))}`);
    const blocked = results.find((result) => result.name === part.needs && result.failed > 0);
    const { counted, seconds } = blocked
      ? { counted: { passed: 0, failed: 1, lines: [`not run: ${blocked.name} failed`] }, seconds: 0 }
      : await (beside.get(part) ?? begin(part));
    const empty = counted.passed + counted.failed === 0;
    results.push({
      name: part.name,
      seconds,
      skipped: 0,
      lines: [],
      ...counted,
      ...(empty ? { failed: 1, lines: ["ran no test at all"] } : {}),
    });
  }
  return close(results);
}

function close(results) {
  console.log(`\n━━ in all ${"━".repeat(70)}`);
  for (const { name, passed, failed, skipped, seconds, lines } of results) {
    const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
    console.log(`${failed ? "✗" : "✓"} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s   ${counts}`);
    for (const line of lines) console.log(`    ${line}`);
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`\n${total("passed")} passed, ${total("failed")} failed`);
  return total("failed") === 0;
}

/** Runs the test files that match `files`, or all; vitest writes its results to `report`. */
async function runTests(report, files = [], program = process.execPath) {
  environment.SECOND_RUNS_FILE = secondRunsOf(report);
  const reporters = ["default", "json", "./scripts/second-runs.mjs"].map((name) => `--reporter=${name}`);
  const vitest = path.join(projectFolder, "node_modules", "vitest", "vitest.mjs");
  return run([vitest, "run", "--retry=1", ...reporters, `--outputFile.json=${report}`, ...files], program);
}

async function runVitest() {
  return countVitest(vitestResults, await runTests(vitestResults));
}

/** Parts that depend on Node: units and HTTP. */
const NODE_24 = ["app/text", "app/lists", "app/http", "tests/http", "--exclude=tests/http/other-browsers.test.ts"];

async function runOnNode24() {
  const program = ensureNode24();
  // Reported as not run, which CI counts as a failure.
  if (program === null)
    return { passed: process.env.CI ? 0 : 1, failed: process.env.CI ? 1 : 0, lines: ["not run: Linux on x64 only"] };
  return countTests(node24Results, await runTests(node24Results, NODE_24, program));
}

async function runUnits() {
  environment.QUICK = "1";
  return countTests(vitestResults, await runTests(vitestResults, ["app", "db"]));
}

async function runMainPaths() {
  const project = "uden-script-sqlite";
  const specs = MAIN_PATHS.map((name) => `tests/e2e/${name}.spec.ts`);
  const ok = await nodeProgram("@playwright/test/cli.js", "test", ...specs, `--project=${project}`);
  return countEndToEnd(e2eResults, ok, project);
}

async function runEndToEnd() {
  return countEndToEnd(e2eResults, await nodeProgram("@playwright/test/cli.js", "test"));
}

const one = async (/** @type {Promise<boolean>} */ running) => {
  const ok = await running;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
};
const script = (name, ...args) => run([path.join(projectFolder, "scripts", name), ...args]);
const nodeProgram = (file, ...args) => run([path.join(projectFolder, "node_modules", file), ...args]);

/** @returns {Promise<boolean>} whether it ended with 0 */
function run(args, program = process.execPath) {
  const child = spawn(program, args, {
    cwd: projectFolder,
    stdio: ["ignore", "inherit", "inherit"],
    env: environment,
  });
  children.add(child);
  return new Promise((resolve) => {
    const end = (ok) => {
      children.delete(child);
      resolve(ok);
    };
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0));
  });
}

process.exitCode = (await main()) ? 0 : 1;

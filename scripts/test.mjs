/**
 * `npm test`: everything this project holds itself to, from a fresh clone, ending with the line `N passed, N failed`.
 * Every part says its time and its counts; a part that ran nothing has failed.
 *
 * `npm test -- types lint` runs only the parts that are named, while working on one of them.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { PreparationError, ensureInstalled, projectFolder, requireSupportedNode } from "./preparation.mjs";

const resultsFolder = path.join(projectFolder, "test-results");
const vitestResults = path.join(resultsFolder, "vitest.json");
const e2eResults = path.join(resultsFolder, "e2e.json");

/** A part answers what it counted: { passed, failed, skipped?, lines? }. One that runs `beside` the others takes one core, and is waited for at its place. */
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
  { name: "vitest", run: runVitest },
  { name: "e2e", run: runEndToEnd, needs: "build" },
  { name: "sizes", run: () => one(script("sizes.mjs")), needs: "build" },
];

// The settings of a portal that this shell may be running have no place in its tests.
const settings = [
  "PORT",
  "HOST",
  "DATA_DIR",
  "DATABASE_URL",
  "APP_SECRET",
  "APP_SECRET_PREVIOUS",
  "ADMIN_ORIGIN",
  "PUBLIC_ORIGIN",
  "ADMIN_IP_ALLOW",
  "PARKING_IP_ALLOW",
  "TRUSTED_PROXIES",
  "SMTP_URL",
  "MAIL_FROM",
  "SMS_TOKEN",
  "SMS_URL",
  "SMS_SENDER",
  "SMS_WEBHOOK_SECRET",
  "METRICS_TOKEN",
  "MOTORAPI_TOKEN",
  "MOTORAPI_URL",
  "PRODUCT_NAME",
  "CLINIC_NAME",
  "CLINIC_LOGO",
  "SUPPORT_EMAIL",
  "SUPPORT_PHONE",
  "REGISTER_URL",
  "PATIENT_LINK_DAYS",
  "FILE_PURGE_DAYS",
  "NODE_ENV",
];
const environment = { ...process.env };
for (const name of settings) delete environment[name];

/** What a whole run writes at most at one time: databases, uploads and the browsers' profiles. */
const MEMORY_FOLDER_BYTES = 8 * 1024 ** 3;

/** Databases, uploads and profiles of the tests lie in memory where there is room: making and dropping a database on disk takes four times as long. */
function useMemoryFolder() {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < MEMORY_FOLDER_BYTES) return;
  const folder = mkdtempSync(path.join(memory, "portal-tests-"));
  environment.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** The programs that run; they end with this one. */
const children = new Set();
process.once("exit", () => children.forEach((child) => child.kill()));
// Without a listener these end the process before it has tidied.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

async function main() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`No such part: ${unknown.join(", ")}. There are ${parts.map((part) => part.name).join(", ")}.`);
    return false;
  }
  const chosen = parts.filter((part) => wanted.length === 0 || wanted.includes(part.name));

  try {
    requireSupportedNode();
    process.chdir(projectFolder);
    ensureInstalled();
    // Imported here: it needs the packages that were just installed.
    const { ensureTestTools } = await import("./debian-packages.mjs");
    if (chosen.some((part) => part.run === runVitest || part.run === runEndToEnd)) {
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

// ---- vitest ----

/** What vitest must have run, each part by where its files stand. */
const vitestGroups = [
  { name: "architecture", holds: (file) => file === "tests/architecture.test.ts" },
  { name: "http", holds: (file) => file.startsWith("tests/http/") },
  { name: "unit, stores and operations", holds: (file) => file.startsWith("app/") || file.startsWith("db/") },
];

async function runVitest() {
  const ok = await nodeProgram(
    "vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestResults}`,
  );
  const report = readJson(vitestResults);
  if (!report) return { passed: 0, failed: 1, lines: ["vitest wrote no results"] };

  const files = report.testResults.map((file) => ({
    ...file,
    name: path.relative(projectFolder, file.name).replaceAll("\\", "/"),
  }));
  const count = (of, ...states) =>
    of.flatMap((file) => file.assertionResults).filter((test) => states.includes(test.status)).length;
  // A file that cannot be loaded has failed without a single test.
  const broken = files.filter((file) => file.status === "failed" && count([file], "failed") === 0);
  const lines = broken.map((file) => `${file.name} could not be run`);
  const emptyGroups = vitestGroups.filter(
    ({ holds }) =>
      count(
        files.filter((file) => holds(file.name)),
        "passed",
        "failed",
      ) === 0,
  );
  for (const group of emptyGroups) lines.push(`no test ran in: ${group.name}`);
  for (const { name, holds } of vitestGroups) {
    const own = files.filter((file) => holds(file.name));
    lines.push(`${name}: ${count(own, "passed")} passed, ${count(own, "failed")} failed`);
  }
  const failed = count(files, "failed") + broken.length + emptyGroups.length;
  if (!ok && failed === 0) lines.push("vitest ended with an error outside any test");
  return {
    passed: count(files, "passed"),
    failed: failed || (ok ? 0 : 1),
    skipped: count(files, "pending", "skipped", "todo"),
    lines,
  };
}

// ---- Playwright ----

/** So many browser tests may pass only at their second run: on two busy cores a press can come before its page, and one such test of 264 must not hide what the others say. */
const MAX_FLAKY = 3;

async function runEndToEnd() {
  const ok = await nodeProgram("@playwright/test/cli.js", "test");
  const report = readJson(e2eResults);
  if (!report) return { passed: 0, failed: 1, lines: ["Playwright wrote no results"] };

  const specs = allSpecs(report);
  const tests = specs.flatMap((spec) => spec.tests);
  const count = (of, ...states) => of.filter((test) => states.includes(test.status)).length;
  const lines = [];
  let emptyProjects = 0;
  const flaky = specs.filter((spec) => spec.tests.some(({ status }) => status === "flaky"));
  for (const { file, line, title } of flaky) lines.push(`passed only at its second run: ${file}:${line} ${title}`);
  for (const { name } of report.config.projects) {
    const own = tests.filter((test) => test.projectName === name);
    const ran = count(own, "expected", "unexpected", "flaky");
    if (ran === 0) emptyProjects++;
    lines.push(
      ran === 0
        ? `no test ran in: ${name}`
        : `${name}: ${count(own, "expected", "flaky")} passed, ${count(own, "unexpected")} failed`,
    );
  }
  const isUnstable = flaky.length > MAX_FLAKY;
  if (isUnstable) lines.push(`more than ${MAX_FLAKY} tests passed only at their second run`);
  const failed = count(tests, "unexpected") + emptyProjects + (isUnstable ? 1 : 0);
  if (!ok && failed === 0) lines.push("Playwright ended with an error outside any test");
  return {
    passed: count(tests, "expected", "flaky"),
    failed: failed || (ok ? 0 : 1),
    skipped: count(tests, "skipped"),
    lines,
  };
}

const allSpecs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(allSpecs)];

// ---- running programs ----

const one = async (/** @type {Promise<boolean>} */ running) => {
  const ok = await running;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
};
const script = (name, ...args) => run([path.join(projectFolder, "scripts", name), ...args]);
const nodeProgram = (file, ...args) => run([path.join(projectFolder, "node_modules", file), ...args]);

/** @returns {Promise<boolean>} whether it ended with 0 */
function run(args) {
  const child = spawn(process.execPath, args, {
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

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

process.exitCode = (await main()) ? 0 : 1;

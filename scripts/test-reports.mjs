/** Counts the results of vitest and Playwright; a part that ran no test has failed. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

/** Groups of vitest files by location; each must have run. */
const vitestGroups = [
  { name: "architecture", holds: (file) => file.startsWith("tests/architecture/") },
  { name: "channels", holds: (file) => file.startsWith("tests/channels/") },
  { name: "http", holds: (file) => file.startsWith("tests/http/") },
  { name: "unit, stores and operations", holds: (file) => file.startsWith("app/") || file.startsWith("db/") },
];

/** Counts without groups, for a run of some files. @param {string} reportFile @param {boolean} ok */
export function countTests(reportFile, ok) {
  const report = readJson(reportFile);
  if (!report) return { passed: 0, failed: 1, lines: ["vitest wrote no results"] };
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = report;
  return { passed, failed: Math.max(numFailedTests, ok ? 0 : 1), skipped };
}

/** Counts of a vitest report. @param {string} reportFile its path @param {boolean} ok whether vitest ended with 0 */
export function countVitest(reportFile, ok) {
  const report = readJson(reportFile);
  if (!report) return { passed: 0, failed: 1, lines: ["vitest wrote no results"] };

  const files = report.testResults.map((file) => ({
    ...file,
    name: path.relative(projectFolder, file.name).replaceAll("\\", "/"),
  }));
  const count = (of, ...states) =>
    of.flatMap((file) => file.assertionResults).filter((test) => states.includes(test.status)).length;
  // A file that cannot be loaded has failed without a test.
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

/**
 * Browser tests that may pass at their second run only: on two busy cores a press can come before its page is ready.
 */
const MAX_FLAKY = 3;

/**
 * Counts of a Playwright report. @param {string} reportFile its path @param {boolean} ok whether Playwright ended with
 * 0 @param {string} [only] the requested project
 */
export function countEndToEnd(reportFile, ok, only) {
  const report = readJson(reportFile);
  if (!report) return { passed: 0, failed: 1, lines: ["Playwright wrote no results"] };

  const specs = allSpecs(report);
  const tests = specs.flatMap((spec) => spec.tests);
  const count = (of, ...states) => of.filter((test) => states.includes(test.status)).length;
  const lines = [];
  let emptyProjects = 0;
  const flaky = specs.filter((spec) => spec.tests.some(({ status }) => status === "flaky"));
  for (const { file, line, title } of flaky) lines.push(`passed only at its second run: ${file}:${line} ${title}`);
  for (const { name } of report.config.projects) {
    if (only !== undefined && name !== only) continue;
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

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

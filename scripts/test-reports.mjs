/** Counts the results of vitest and Playwright; a part that ran no test has failed. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { projectFolder } from "./preparation.mjs";

/** Tests of a part that may pass at their second run only, since servers and browsers share two busy cores. */
const MAX_FLAKY = 3;

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
  const second = secondRuns(reportFile);
  const failed = Math.max(numFailedTests, ok ? 0 : 1) + second.failed;
  return { passed, failed, skipped, lines: [...failedTests(report), ...second.lines] };
}

/** The file beside a vitest report that names what passed at its second run. @param {string} reportFile */
export const secondRunsOf = (reportFile) => reportFile.replace(/\.json$/, "-second-runs.json");

function secondRuns(reportFile) {
  const found = readJson(secondRunsOf(reportFile)) ?? [];
  const lines = found.map((test) => `passed only at its second run: ${test.file} › ${test.title}${reasonOf(test)}`);
  return unstable(lines);
}

/** Too many second runs are a failure of their own. @param {string[]} lines one for each of them */
function unstable(lines) {
  if (lines.length <= MAX_FLAKY) return { failed: 0, lines };
  return { failed: 1, lines: [...lines, `more than ${MAX_FLAKY} tests passed only at their second run`] };
}

/** A line for each failed test, since the end of a long output is all that may be kept of it. */
function failedTests(report) {
  return report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === "failed")
      .map(
        ({ fullName, failureMessages: [message = ""] }) =>
          `failed: ${path.relative(projectFolder, file.name)} › ${fullName}${reasonOf({ message })}`,
      ),
  );
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
  const second = secondRuns(reportFile);
  const unloaded = broken.map((file) => `${file.name} could not be run`);
  const lines = [...unloaded, ...failedTests(report), ...second.lines];
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
  const failed = count(files, "failed") + broken.length + emptyGroups.length + second.failed;
  if (!ok && failed === 0) lines.push("vitest ended with an error outside any test");
  return {
    passed: count(files, "passed"),
    failed: failed || (ok ? 0 : 1),
    skipped: count(files, "pending", "skipped", "todo"),
    lines,
  };
}

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
  const linesOf = (status, said) =>
    specs.flatMap(({ file, line, title, tests: runs }) =>
      runs
        .filter((run) => run.status === status)
        .map(
          ({ projectName, results: [first] }) =>
            `${said}: ${projectName} ${file}:${line} ${title}${reasonOf(first?.error)}`,
        ),
    );
  const second = unstable(linesOf("flaky", "passed only at its second run"));
  const lines = [...linesOf("unexpected", "failed"), ...second.lines];
  let emptyProjects = 0;
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
  const failed = count(tests, "unexpected") + emptyProjects + second.failed;
  if (!ok && failed === 0) lines.push("Playwright ended with an error outside any test");
  return {
    passed: count(tests, "expected", "flaky"),
    failed: failed || (ok ? 0 : 1),
    skipped: count(tests, "skipped"),
    lines,
  };
}

/** The first lines of an error, without colours, in one line of at most 300 characters. */
function reasonOf(error) {
  const lines = stripVTControlCharacters(error?.message ?? "").split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .reduce((text, line) => `${text} · ${line}`, "")
    .slice(0, 300);
}

const allSpecs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(allSpecs)];

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Counts the results of vitest and Playwright; a part that ran no test has failed. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { projectFolder } from "./preparation.mjs";

/** Tests of a part that may pass at their second run only, since servers and browsers share two busy cores. */
const MAX_FLAKY = 3;

/** Groups of vitest files by location, each a line of the report. */
const vitestGroups = [
  { name: "architecture", holds: (file) => file.startsWith("tests/architecture/") },
  { name: "http", holds: (file) => file.startsWith("tests/http/") },
  { name: "units, stores and operations", holds: (file) => file.startsWith("app/") || file.startsWith("db/") },
];

/**
 * Tags of vitest to run: `tags`, without the suites that need a missing tool.
 * @param {string} tags @param {string[]} missing
 */
export const tagsWithout = (tags, missing) => [tags, ...missing.map((tool) => `!${tool}`)].join(" && ");

/**
 * Counts of a vitest report.
 * @param {string} reportFile its path
 * @param {boolean} ok whether vitest ended with 0
 * @param {(files: any[]) => string[]} [titlesOf] takes the report's files
 */
export function countVitest(reportFile, ok, titlesOf = () => []) {
  const report = readJson(reportFile);
  if (!report) return { passed: 0, failed: 1, lines: ["vitest wrote no results"] };

  const files = report.testResults.map((file) => ({
    ...file,
    name: path.relative(projectFolder, file.name).replaceAll("\\", "/"),
  }));
  // A file that cannot be loaded has failed without a test.
  const broken = files.filter((file) => file.status === "failed" && countIn([file], "failed") === 0);
  const { secondRuns = [], errors = [] } = readJson(notesOf(reportFile)) ?? {};
  const second = unstable(
    secondRuns.map((test) => `passed only at its second run: ${test.file} › ${test.title}${reasonOf(test)}`),
  );
  const unloaded = broken.map((file) => `${file.name} could not be run`);
  const outside = errors.map((error) => `error outside any test: ${error.file}${reasonOf(error)}`);
  const lines = [...unloaded, ...failedTests(files), ...outside, ...second.lines];
  for (const { name, holds } of vitestGroups) {
    const own = files.filter((file) => holds(file.name));
    const skipped = countIn(own, ...SKIPPED);
    if (own.length > 0)
      lines.push(
        `${name}: ${countIn(own, "passed")} passed, ${countIn(own, "failed")} failed, ${skipped} left out, ${secondsOf(own)} s`,
      );
  }
  const failed = countIn(files, "failed") + broken.length + second.failed;
  if (!ok && failed + errors.length === 0) lines.push("vitest ended with an error that it did not name");
  return {
    passed: countIn(files, "passed"),
    failed: failed || (ok ? 0 : 1),
    skipped: countIn(files, ...SKIPPED),
    lines,
    titles: titlesOf(files),
  };
}

const SKIPPED = ["pending", "skipped", "todo"];

const countIn = (files, ...states) =>
  files.flatMap((file) => file.assertionResults).filter((test) => states.includes(test.status)).length;

const secondsOf = (files) =>
  (files.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) / 1000).toFixed(0);

/** The files and titles that passed here and that no other command runs on another database. @param {any[]} files */
export function titlesOnlyHere(files) {
  const plain = (file, { fullName }) => `${file.name} › ${fullName.replace(/ \((sqlite|mariadb)\)/, "")}`;
  const left = new Set(
    files.flatMap((file) =>
      file.assertionResults.filter(({ status }) => SKIPPED.includes(status)).map((test) => plain(file, test)),
    ),
  );
  const own = files.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === "passed")
      .map((test) => plain(file, test))
      .filter((title) => !left.has(title)),
  );
  return ["\nproven only here:", ...new Set(own)];
}

/** The file beside a vitest report that vitest-notes.mjs writes. @param {string} reportFile */
export const notesOf = (reportFile) => reportFile.replace(/\.json$/, "-notes.json");

/** Too many second runs are a failure of their own. @param {string[]} lines one for each of them */
function unstable(lines) {
  if (lines.length <= MAX_FLAKY) return { failed: 0, lines };
  return { failed: 1, lines: [...lines, `more than ${MAX_FLAKY} tests passed only at their second run`] };
}

/** A line for each failed test. */
function failedTests(files) {
  return files.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === "failed")
      .map(
        ({ fullName, failureMessages: [message = ""] }) => `failed: ${file.name} › ${fullName}${reasonOf({ message })}`,
      ),
  );
}

/**
 * Counts of a Playwright report. @param {string} reportFile its path @param {boolean} ok whether Playwright ended with
 * 0 @param {string[]} projects the requested projects, of which each must have run a test
 */
export function countEndToEnd(reportFile, ok, projects) {
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
  for (const name of projects) {
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

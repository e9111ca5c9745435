/** Runs the parts of a test command and prints what each ran, skipped and took, ending with `N passed, N failed`. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { PreparationError, ensureInstalled, projectFolder, requireSupportedNode } from "./preparation.mjs";
import { environment, useMemoryFolder } from "./test-environment.mjs";
import { countEndToEnd, countVitest, notesOf } from "./test-reports.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped?: number, lines?: string[], titles?: string[], notRun?: string[] }} Counted
 *   `lines` are printed below the part, `titles` above all parts; `notRun` names what this machine cannot run.
 * @typedef {{
 *   name: string,
 *   run: (context: { missing: string[], report: string }) => Counted | Promise<Counted>,
 *   beside?: boolean,
 *   needs?: string,
 *   tools?: string[],
 * }} Part
 *   One that is `beside` begins at once and is awaited at its place; `needs` names a part that must have passed;
 *   without one of its `tools` a part is not run.
 */

const children = new Set();
process.once("exit", () => children.forEach((child) => child.kill()));
// Without a listener these signals end the process before it has cleaned up.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/**
 * Runs all parts, or those named on the command line. Returns whether all passed; what this machine cannot run fails
 * in CI only.
 * @param {"gate" | "matrix"} command
 * @param {Part[]} parts
 */
export async function runParts(command, parts) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`No such part: ${unknown.join(", ")}. There are ${parts.map((part) => part.name).join(", ")}.`);
    return false;
  }
  const chosen = parts.filter((part) => wanted.length === 0 || wanted.includes(part.name));
  /** Tags of tools that this machine lacks. @type {string[]} */
  let missing = [];
  try {
    requireSupportedNode();
    process.chdir(projectFolder);
    ensureInstalled();
    if (chosen.some(({ tools }) => tools)) {
      // Imported here, since it needs the packages just installed.
      const { ensureTools } = await import("./test-tools.mjs");
      missing = await ensureTools(command);
      useMemoryFolder();
    }
  } catch (error) {
    console.error(error instanceof PreparationError ? `\n${error.message}` : error);
    return close([{ name: "preparation", passed: 0, failed: 1, seconds: 0, lines: [] }]);
  }

  const folder = path.join(projectFolder, "test-results", command);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const begin = async (/** @type {Part} */ part) => {
    const started = Date.now();
    const counted = await part.run({ missing, report: path.join(folder, `${part.name}.json`) });
    return { counted, seconds: (Date.now() - started) / 1000 };
  };
  const results = [];
  const beside = new Map(chosen.filter((part) => part.beside).map((part) => [part, begin(part)]));
  for (const part of chosen) {
    console.log(`\n━━ ${part.name} ${"━".repeat(Math.max(0, 76 - part.name.length))}`);
    results.push({ name: part.name, ...(await resultOf(part)) });
  }
  return close(results);

  async function resultOf(/** @type {Part} */ part) {
    const blocked = results.find((result) => result.name === part.needs && result.failed > 0);
    if (blocked) return { passed: 0, failed: 1, seconds: 0, lines: [`not run: ${blocked.name} failed`] };
    const lacking = (part.tools ?? []).filter((tool) => missing.includes(tool));
    if (lacking.length > 0)
      return { passed: 0, failed: 0, seconds: 0, notRun: [`${part.name} (${lacking.join(", ")})`] };
    const { counted, seconds } = await (beside.get(part) ?? begin(part));
    const isEmpty = counted.passed + counted.failed === 0 && !counted.notRun;
    return { ...counted, seconds, ...(isEmpty ? { failed: 1, lines: ["ran no test at all"] } : {}) };
  }
}

/** @param {(Counted & { name: string, seconds: number })[]} results */
function close(results) {
  // Failures come last, because CI may keep only the end of a long output.
  for (const title of results.flatMap(({ titles = [] }) => titles)) console.log(title);
  console.log(`\n━━ in all ${"━".repeat(70)}`);
  for (const { name, passed, failed, skipped, seconds, lines = [] } of results) {
    const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
    console.log(`${failed ? "✗" : "✓"} ${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s   ${counts}`);
    for (const line of lines) console.log(`    ${line}`);
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const notRun = results.flatMap((result) => result.notRun ?? []);
  console.log(`\n${total("passed")} passed, ${total("failed")} failed, ${total("seconds").toFixed(0)} s`);
  if (notRun.length > 0) console.log(`not run: ${notRun.join(", ")}`);
  return total("failed") === 0 && !(process.env.CI && notRun.length > 0);
}

/**
 * Runs vitest; its report and the notes beside it are counted.
 * @param {{ report: string, tags: string, files?: string[], program?: string, titles?: (files: any[]) => string[] }} options
 *   `tags` is an expression over the tags of vitest.config.ts, `titles` takes the report's files
 */
export async function runVitest({ report, tags, files = [], program, titles }) {
  environment.VITEST_NOTES_FILE = notesOf(report);
  const reporters = ["default", "json", "./scripts/vitest-notes.mjs"].map((name) => `--reporter=${name}`);
  const vitest = path.join(projectFolder, "node_modules", "vitest", "vitest.mjs");
  const chosen = ["--retry=1", `--tags-filter=${tags}`, ...files];
  return countVitest(
    report,
    await run([vitest, "run", ...chosen, ...reporters, `--outputFile.json=${report}`], program),
    titles,
  );
}

/** Test files of vitest that name a tag. The others are not loaded to find that they have none of it. @param {string} tag */
export function filesMarked(tag) {
  const marks = [`@module-tag ${tag}\n`, `"${tag}"`];
  return ["app", "db", "tests"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => path.join(folder, file))
      .filter((file) => marks.some((mark) => readFileSync(file, "utf8").includes(mark))),
  );
}

/**
 * Runs what Playwright's projects have of a command.
 * @param {{ report: string, projects: string[], command: "gate" | "matrix" }} options
 */
export async function runPlaywright({ report, projects, command }) {
  Object.assign(environment, { PLAYWRIGHT_JSON_OUTPUT_FILE: report, TEST_COMMAND: command });
  const ok = await nodeProgram("@playwright/test/cli.js", "test", ...projects.map((name) => `--project=${name}`));
  return countEndToEnd(report, ok, projects);
}

export const one = async (/** @type {Promise<boolean>} */ running) => {
  const ok = await running;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
};
export const script = (name, ...args) => run([path.join(projectFolder, "scripts", name), ...args]);
export const nodeProgram = (file, ...args) => run([path.join(projectFolder, "node_modules", file), ...args]);

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

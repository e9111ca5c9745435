/** The part `audit` of `npm test`: known weaknesses of the packages that run in production (SECURITY.md). */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

/** Known weaknesses accepted until a day: `{ id: "GHSA-…", reason: "…", until: "2027-01-31" }`. */
const exceptionsFile = path.join(projectFolder, "scripts", "audit-exceptions.json");

/**
 * Asks the registry. One that does not answer fails nothing, because `npm test` also runs without a network.
 * @returns {{ passed: number, failed: number, lines: string[] }}
 */
export function auditPackages() {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=20000"], {
    cwd: projectFolder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  const exceptions = JSON.parse(readFileSync(exceptionsFile, "utf8"));
  const faults = faultsOf(reportIn(stdout), exceptions, new Date().toISOString().slice(0, 10));
  if (faults === null) return { passed: 1, failed: 0, lines: ["not asked: the registry gives no answer to npm audit"] };
  return { passed: faults.length === 0 ? 1 : 0, failed: faults.length, lines: faults };
}

function reportIn(output) {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

/**
 * Known weaknesses without an exception, or with an expired one; null without an answer of the registry.
 * @param report of `npm audit --json`
 * @param {{ id: string, reason: string, until: string }[]} exceptions
 * @param {string} today such as 2026-11-27
 * @returns {string[] | null}
 */
export function faultsOf(report, exceptions, today) {
  if (report?.auditReportVersion !== 2) return null;
  const found = new Map();
  for (const [name, { via }] of Object.entries(report.vulnerabilities))
    for (const advisory of via.filter((each) => typeof each === "object"))
      found.set(advisory.url.split("/").at(-1), `${name}, ${advisory.severity}: ${advisory.title}`);
  return [...found].flatMap(([id, what]) => {
    const exception = exceptions.find((each) => each.id === id);
    if (exception && exception.until >= today) return [];
    return [`${id} (${what})${exception ? `; its exception ended on ${exception.until}` : ""}`];
  });
}

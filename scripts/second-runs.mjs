/** A reporter of vitest: writes which tests passed at their second run only, with what failed first, to SECOND_RUNS_FILE. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

export default class SecondRuns {
  /** @type {{ file: string, title: string, message: string }[]} */
  found = [];

  /** @param {import("vitest/node").TestCase} test */
  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const [first] = test.result().errors ?? [];
    const file = path.relative(projectFolder, test.module.moduleId);
    this.found.push({ file, title: test.fullName, message: first?.message ?? "" });
  }

  onTestRunEnd() {
    writeFileSync(/** @type {string} */ (process.env.SECOND_RUNS_FILE), JSON.stringify(this.found));
  }
}

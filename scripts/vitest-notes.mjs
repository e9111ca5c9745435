/**
 * A reporter of vitest: writes to VITEST_NOTES_FILE what its own report leaves out. Those are the tests that passed at
 * their second run only, with what failed first, and the errors outside any test.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

export default class VitestNotes {
  /** @type {{ file: string, title: string, message: string }[]} */
  secondRuns = [];

  /** @param {import("vitest/node").TestCase} test */
  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const [first] = test.result().errors ?? [];
    const file = path.relative(projectFolder, test.module.moduleId);
    this.secondRuns.push({ file, title: test.fullName, message: first?.message ?? "" });
  }

  /**
   * @param {unknown} _modules
   * @param {readonly import("vitest").SerializedError[]} unhandledErrors
   */
  onTestRunEnd(_modules, unhandledErrors) {
    const errors = unhandledErrors.map(({ name, message, stack, VITEST_TEST_PATH }) => {
      const from = typeof VITEST_TEST_PATH === "string" ? path.relative(projectFolder, VITEST_TEST_PATH) : "";
      return { file: from, message: stack ?? `${name}: ${message}` };
    });
    const notes = JSON.stringify({ secondRuns: this.secondRuns, errors });
    writeFileSync(/** @type {string} */ (process.env.VITEST_NOTES_FILE), notes);
  }
}

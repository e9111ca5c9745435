/** Setup of every vitest file: zod speaks Danish, console errors fail a test, and property tests get their number of runs. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { configureDanishErrors } from "~/text/fields.server";

configureDanishErrors();

beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  const { calls } = vi.mocked(console.error).mock;
  vi.mocked(console.error).mockRestore();
  // A test that expects an error asserts it and calls vi.mocked(console.error).mockClear().
  expect(calls, "console.error was called").toEqual([]);
});

const { testPath } = expect.getState();
if (testPath && readFileSync(testPath, "utf8").includes("fast-check")) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ numRuns: Number(process.env.FUZZ_RUNS || 200) });
}

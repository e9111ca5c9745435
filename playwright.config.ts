import { defineConfig } from "@playwright/test";
import type { WorkerOptions } from "./tests/e2e/portal";
import { chromiumFlags, findChromium } from "./tests/support/chromium.mjs";

/** Whole referrals from the first form to the last look, and forms that are refused. The rest is the browser's and the page's business; its operations are tested on both databases by vitest. */
const onMariadbToo = ["journey", "referral-round-trip", "two-people", "refused-forms"];

/**
 * The same tasks on both databases, the HTML alone and with scripts; `TEST_COMMAND` runs what the gate or the matrix
 * has of them (tests/e2e/portal.ts). The portal under test is started by the fixtures in tests/e2e.
 */
export default defineConfig<object, WorkerOptions>({
  testDir: "tests/e2e",
  outputDir: "test-results/e2e",
  globalSetup: "./tests/e2e/set-up.ts",
  fullyParallel: true,
  workers: 2,
  // A test that passes only at its second run is named at the end of `npm test`, and more than a few of them fail it.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  // A failure takes long, and a busy machine fails nothing.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  // The report is written where PLAYWRIGHT_JSON_OUTPUT_FILE names it (scripts/test-parts.mjs).
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }], ["./tests/e2e/effort-table.ts"]],
  use: {
    browserName: "chromium",
    locale: "da-DK",
    timezoneId: "Europe/Copenhagen",
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: { executablePath: findChromium(), args: chromiumFlags },
  },
  projects: (["sqlite", "mariadb"] as const).flatMap((database) => [
    { name: `uden-script-${database}`, use: { javaScriptEnabled: false, database }, testMatch: specsOn(database) },
    { name: `med-script-${database}`, use: { javaScriptEnabled: true, database }, testMatch: specsOn(database) },
  ]),
});

function specsOn(database: "sqlite" | "mariadb") {
  return database === "sqlite" ? "**/*.spec.ts" : onMariadbToo.map((name) => `**/${name}.spec.ts`);
}

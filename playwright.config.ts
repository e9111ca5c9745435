import { defineConfig } from "@playwright/test";
import { chromiumFlags, findChromium } from "./tests/support/chromium.mjs";

/** The same journeys twice: the HTML alone, and with scripts. The portal under test is started by the fixtures in tests/e2e. */
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/e2e",
  globalSetup: "./tests/support/database-servers.ts",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    locale: "da-DK",
    timezoneId: "Europe/Copenhagen",
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: { executablePath: findChromium(), args: chromiumFlags },
  },
  projects: [
    { name: "uden-script", use: { javaScriptEnabled: false } },
    { name: "med-script", use: { javaScriptEnabled: true } },
  ],
});

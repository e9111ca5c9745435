import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const toolTag = (name: string) => ({ name, description: `Needs ${name}.` });
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^~\//, replacement: here("./app/") },
      { find: /^~db\//, replacement: here("./db/") },
    ],
  },
  test: {
    include: ["app/**/*.test.{ts,tsx}", "db/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "tests/e2e/**", "build/**"],
    globalSetup: ["./tests/support/database-servers.ts", "./tests/support/reader-program.ts"],
    setupFiles: ["./tests/support/console-error.ts"],
    tags: [
      { name: "matrix", description: "Left to `npm run test:matrix`: another database or program, or robustness." },
      // Tools of the matrix that a machine may lack (scripts/test-tools.mjs).
      ...["mariadb", "dcmtk", "dicom3tools", "oathtool", "orthanc", "xmllint", "poppler"].map(toolTag),
      ...["firefox", "webkit", "w3m", "swift", "openssh", "chromium"].map(toolTag),
    ],
    // Native modules (SQLite, images, argon2) want processes of their own; the machine of record has two cores.
    pool: "forks",
    // Each worker reads the portal's modules once. No test replaces one, and what a portal keeps is its own (tests/support/test-portal.ts).
    isolate: false,
    maxWorkers: 2,
    // Only what hangs ends by time: a busy machine fails nothing.
    testTimeout: 300_000,
    // Its versions are pinned to those that this Node runs.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 600_000,
  },
});

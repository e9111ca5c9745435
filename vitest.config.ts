import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { tools } from "./scripts/test-tools.mjs";

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
      { name: "node", description: "Depends on Node's streams, sockets, cryptography or calendars: run on both." },
      ...tools.map(({ tag, name }) => ({ name: tag, description: `Needs ${name}.` })),
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

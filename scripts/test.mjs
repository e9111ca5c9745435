/**
 * `npm test` proves each behaviour once, from a fresh clone. A suite marks what it leaves to `npm run test:matrix`
 * (docs/code-style.md). `npm test -- types lint` runs only the parts that are named.
 */
import { auditPackages } from "./audit.mjs";
import { nodeProgram, one, runParts, runPlaywright, runVitest, script } from "./test-parts.mjs";
import { tagsWithout } from "./test-reports.mjs";

const passed = await runParts("gate", [
  { name: "types", beside: true, run: () => one(nodeProgram("typescript-native/bin/tsc", "--noEmit")) },
  {
    name: "format",
    beside: true,
    run: () => one(nodeProgram("prettier/bin/prettier.cjs", "--check", "--log-level=warn", ".")),
  },
  { name: "scripts", run: () => one(nodeProgram("typescript-native/bin/tsc", "--noEmit", "-p", "scripts")) },
  { name: "lint", run: () => one(nodeProgram("oxlint/bin/oxlint", "--deny-warnings")) },
  { name: "build", run: () => one(script("build.mjs")) },
  { name: "audit", run: auditPackages },
  {
    name: "vitest",
    tools: [],
    run: ({ missing, report }) => runVitest({ report, tags: tagsWithout("!matrix", missing) }),
  },
  {
    name: "e2e",
    needs: "build",
    tools: ["chromium"],
    run: ({ report }) =>
      runPlaywright({ report, projects: ["uden-script-sqlite", "med-script-sqlite"], command: "gate" }),
  },
  { name: "sizes", needs: "build", run: () => one(script("sizes.mjs")) },
]);
process.exitCode = passed ? 0 : 1;

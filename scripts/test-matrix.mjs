/**
 * `npm run test:matrix`: what `npm test` leaves out: the other database, the other Node, the browser in the other way and
 * on MariaDB, other browsers and programs, and robustness. Prints the titles that only it proves.
 */
import { ensureOtherNode } from "./other-node.mjs";
import { filesMarked, one, runParts, runPlaywright, runVitest, script } from "./test-parts.mjs";
import { tagsWithout, titlesOnlyHere } from "./test-reports.mjs";

const passed = await runParts("matrix", [
  { name: "build", run: () => one(script("build.mjs")) },
  {
    name: "vitest",
    tools: [],
    run: ({ missing, report }) =>
      runVitest({
        report,
        tags: tagsWithout("matrix", missing),
        files: filesMarked("matrix"),
        titles: titlesOnlyHere,
      }),
  },
  {
    name: "other-node",
    needs: "build",
    tools: [],
    run: ({ missing, report }) => {
      const { program, version } = ensureOtherNode();
      if (program === null) return { passed: 0, failed: 0, notRun: [`Node ${version} (Linux on x64 only)`] };
      const tags = tagsWithout("node && !matrix", missing);
      return runVitest({ report, tags, files: filesMarked("node"), program });
    },
  },
  {
    name: "e2e",
    needs: "build",
    tools: ["chromium"],
    run: ({ report }) =>
      runPlaywright({ report, projects: ["uden-script-sqlite", "med-script-sqlite"], command: "matrix" }),
  },
  {
    name: "e2e-mariadb",
    needs: "build",
    tools: ["chromium", "mariadb"],
    run: ({ report }) =>
      runPlaywright({ report, projects: ["uden-script-mariadb", "med-script-mariadb"], command: "matrix" }),
  },
]);
process.exitCode = passed ? 0 : 1;

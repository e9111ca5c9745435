/**
 * `npm run soak -- --fuzz 10000`, with what `npm run test:matrix` does of each in brackets: so many runs of every property
 * test (200), every fault of the channels and of the database under a running portal (one a channel and database), as
 * many random requests at it (500), two people at one browser, every form of every page refused in every way (48), and
 * everything at its allowed size and beyond (one of each kind). `FUZZ_SEED` repeats the requests and the steps of an
 * earlier run.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { PreparationError, projectFolder } from "./preparation.mjs";

/** Measured alone on the machine. */
const SIZES = path.join("tests", "http", "sizes.test.ts");

/** Steps of the property test in the browser; 120 in `npm run test:matrix`. */
const BROWSER_STEPS = 3_000;

/** Returns the exit status. @param {string} runs of each property, a whole number */
export function fuzz(runs) {
  if (!/^\d+$/.test(runs)) throw new PreparationError(`The number of runs must be a whole number, not '${runs}'.`);

  const files = ["app", "db", "tests"]
    .flatMap((folder) =>
      readdirSync(path.join(projectFolder, folder), { recursive: true }).map((name) => path.join(folder, String(name))),
    )
    .filter(
      (name) =>
        /\.test\.tsx?$/.test(name) &&
        name !== SIZES &&
        readFileSync(path.join(projectFolder, name), "utf8").match(/fast-check|FUZZ_RUNS/),
    );
  if (files.length === 0)
    throw new PreparationError("There is no property test: no *.test.ts imports fast-check or reads FUZZ_RUNS.");

  console.log(`${files.length} files, ${runs} runs a property`);
  const vitest = path.join(projectFolder, "node_modules", "vitest", "vitest.mjs");
  const seed = process.env.FUZZ_SEED ?? String(Math.floor(Math.random() * 1e9));
  const test = (...tested) =>
    spawnSync(process.execPath, [vitest, "run", "--testTimeout=1800000", "--disable-console-intercept", ...tested], {
      cwd: projectFolder,
      stdio: "inherit",
      env: { ...process.env, FUZZ_RUNS: runs },
    }).status;
  const status = test(...files);
  console.log("\nEverything at its allowed size and beyond, and how long others wait for it");
  const ofSizes = test(SIZES);

  console.log(
    `\nTwo people, two patients and two tabs: ${BROWSER_STEPS} steps, FUZZ_SEED=${seed}; and every form refused in every way`,
  );
  const playwright = path.join(projectFolder, "node_modules", "@playwright", "test", "cli.js");
  const specs = ["two-people", "refused-forms"].map((name) => `tests/e2e/${name}.spec.ts`);
  const inBrowser = spawnSync(process.execPath, [playwright, "test", ...specs, "--retries=0"], {
    cwd: projectFolder,
    stdio: "inherit",
    env: { ...process.env, FUZZ_SEED: seed, TWO_PEOPLE_STEPS: String(BROWSER_STEPS), REFUSED_FORMS: "all" },
  });
  return status || ofSizes || inBrowser.status || 0;
}

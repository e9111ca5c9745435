import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Value } from "../support/drawn-form";
import { subjects } from "../support/edited-forms";
import { importTime } from "../support/edited-portal";
import { twoPeople } from "../support/portals/two-people";
import { forEachDatabase } from "../support/test-portal";
import { anyStep, HttpSequence } from "../support/two-people-http";
import { anySubject, Model } from "../support/two-people-model";

const numRuns = Number(process.env.FUZZ_RUNS || 300);
/** `FUZZ_SEED` repeats the sequences of an earlier run; a soak draws its own, the gate always takes the same. */
const seed = Number(process.env.FUZZ_SEED || (process.env.FUZZ_RUNS ? Date.now() : 1));

forEachDatabase("two people at the same forms", { mariadb: "matrix" }, (dialect) => {
  const two = twoPeople(dialect);

  beforeAll(() => importTime(two));

  test("a form saves what its person changed and nothing else, in any order", async () => {
    // Nothing is reset: a sequence begins with what the one before it has stored, after a failure with what it reads.
    const stored = subjects.map(() => new Map<string, Value>());
    const anySteps = fc.array(anyStep, { minLength: 2, maxLength: 6 });
    const sequences = fc.asyncProperty(anySubject, anySteps, async (about, steps) => {
      await two.db.deleteFrom("throttle").execute();
      const model = new Model(two, subjects[about]!, stored[about]!);
      await expect(new HttpSequence(two, model).take(steps)).resolves.toBeUndefined();
    });
    await fc.assert(sequences, { numRuns, seed });
  });
});

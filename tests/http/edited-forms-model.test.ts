import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Value } from "../support/drawn-form";
import { subjects } from "../support/edited-forms";
import { twoPeople } from "../support/portals/two-people";
import { anyStep, Sequence } from "../support/two-people-edit";

const numRuns = Number(process.env.FUZZ_RUNS || 300);
/** `FUZZ_SEED` repeats the sequences of an earlier run; a soak draws its own, the gate always takes the same. */
const seed = Number(process.env.FUZZ_SEED || (process.env.FUZZ_RUNS ? Date.now() : 1));

const two = twoPeople();

beforeAll(async () => {
  // An imported time, which no page offers.
  const imported = { operationDate: "2027-03-05", operationHour: 6, operationMinute: 17 };
  await two.db.updateTable("referral").set(imported).where("id", "=", two.referralId).execute();
});

test("a form saves what its person changed and nothing else, in any order", async () => {
  // Nothing is reset: a sequence begins with what the one before it has stored, after a failure with what it reads.
  const stored = subjects.map(() => new Map<string, Value>());
  // The referral has more forms than the settings.
  const anySubject = fc.constantFrom(0, 0, 0, 1, 1);
  const anySteps = fc.array(anyStep, { minLength: 2, maxLength: 6 });
  const sequences = fc.asyncProperty(anySubject, anySteps, async (about, steps) => {
    await two.db.deleteFrom("throttle").execute();
    try {
      await expect(new Sequence(two, subjects[about]!, stored[about]!).take(steps)).resolves.toBeUndefined();
    } catch (error) {
      stored[about]!.clear();
      throw error;
    }
  });
  await fc.assert(sequences, { numRuns, seed });
});

import fc from "fast-check";
import { createCache } from "~/cache/cache.server";
import { SETTINGS } from "~/features/settings/settings.server";
import { openDatabase } from "~db/connection.server";
import type { Value } from "../support/drawn-form";
import { subjects } from "../support/edited-forms";
import { importTime, newSession } from "../support/edited-portal";
import { anySubject, Model } from "../support/two-people-model";
import { expect, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";
import { anyStep, BrowserSequence } from "./two-people-browser";

/** Other tests of the worker meet the settings as they were. */
async function keepSettings(portal: RunningPortal, work: () => Promise<void>): Promise<void> {
  const before = await portal.withDatabase((db) => db.selectFrom("setting").selectAll().execute());
  try {
    await work();
  } finally {
    await portal.withDatabase(async (db) => {
      await db.deleteFrom("setting").execute();
      if (before.length > 0) await db.insertInto("setting").values(before).execute();
      await createCache({ db, clock: { now: () => new Date() } }).invalidate(SETTINGS);
    });
  }
}

for (const [sequences, matrix] of [
  [20, null],
  [100, "all"],
] as const)
  test.describe(`over ${sequences} sequences`, () => {
    test.use({ matrix });

    test("two people's forms save and show what each typed and else what is stored", async ({
      portal,
      server,
      javaScriptEnabled,
    }) => {
      test.skip(!javaScriptEnabled, "without JavaScript it is tested by HTTP");
      const numRuns = Number(process.env.FUZZ_RUNS || sequences);
      test.setTimeout(60_000 + numRuns * 10_000);
      const seed = Number(process.env.FUZZ_SEED || (process.env.FUZZ_RUNS ? Date.now() : sequences));
      const { id: referralId } = await aReferral(await portal.pageFor("tandlaege"));
      const browsers = { admin: await portal.pageFor("admin"), kirurg: await portal.pageFor("kirurg") };
      const db = openDatabase(server);
      const cookies = { reader: await newSession(db, "admin") };
      const about = { origin: portal.origin, db, referralId, cookies };
      await importTime(about);
      const stored = subjects.map(() => new Map<string, Value>());
      const anySteps = fc.array(anyStep, { minLength: 2, maxLength: 5 });
      const property = fc.asyncProperty(anySubject, fc.nat(2), anySteps, async (subject, first, steps) => {
        const model = new Model(about, subjects[subject]!, stored[subject]!);
        await expect(
          new BrowserSequence(portal, browsers, referralId, model, first).take(steps),
        ).resolves.toBeUndefined();
      });
      await keepSettings(portal, () => fc.assert(property, { numRuns, seed, endOnFailure: true }));
      await db.destroy();
    });
  });

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { takeRowsBack } from "~/features/merging/moved-store.server";
import { smsVisitsOf } from "~/features/sms-threads/sms-list.server";
import { findCounted } from "~/features/statistics/sums/contribution-store.server";
import { findRows } from "~/lists/rows.server";
import { type Db, inTransaction } from "~db/connection.server";
import { makeBulkDemoData } from "~db/demo/bulk.server";
import { aPerson } from "./factories/people";
import { listOf } from "~/features/referrals/list/overview-list.server";
import { plansByNumbers, plansOf } from "./support/query-plans";
import { createTestPortal, type TestPortal } from "./support/test-portal";

let portal: TestPortal;
let admin: Person;
const ids = Array.from({ length: 60 }, (_, index) => index + 1);

beforeAll(async () => {
  portal = await createTestPortal("sqlite");
  await makeBulkDemoData(portal, ["--referrals", "60"]);
  admin = await aPerson(portal, { role: "Admin" });
}, 60_000);
afterAll(() => portal.close());

/** Of a list whose rows are found in two steps: their numbers, then themselves. */
const page = { cursor: null, direction: "forward", skip: 0, take: 20 } as const;

/** Beside many numbers SQLite takes an `=` on any indexed column for the rarer condition, and reads every row that meets it. */
test.each<[string, (db: Db) => Promise<unknown>]>([
  ["what referrals add to the statistics", (db) => inTransaction(db, (tx) => findCounted(tx, ids))],
  ["a page of SMS", (db) => findRows(db, smsVisitsOf(portal, admin, {}, null), page)],
  [
    "rows that a merge moved",
    async (db) => {
      const moved = { run_id: 1, place: "referral.referrer_id", from_id: 2, detail: null, outcome: "moved" as const };
      await db
        .insertInto("merge_moved")
        .values(ids.map((id) => ({ ...moved, row_id: id })))
        .execute();
      await inTransaction(db, (tx) => takeRowsBack(tx, { id: 1, kind: "user", winner_id: 3, state: "undoing" }));
    },
  ],
])("%s are found by their numbers alone", async (_, work) => {
  const plans = await plansByNumbers(portal.db, work);
  expect(plans).not.toEqual([]);
  for (const { sql, steps } of plans) {
    expect(steps[0], sql).toMatch(/\((.* AND )?(rowid|id|referral_id|row_id)=\?/);
  }
});

test.each(["-2", "3", "4"])(
  "an overview of many rows in order %s is walked by the order's own index, whatever its scope and statuses",
  async (sort) => {
    const clinics = await portal.db.selectFrom("clinic").select("id").execute();
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: clinics.map(({ id }) => id) });
    for (const person of [admin, secretary]) {
      const list = listOf(portal, person, { statuses: [0, 7] }, sort);
      const walked = { ...list, asked: { ...list.asked, walksOrder: true } };
      const plans = await plansOf(portal.db, (db) => findRows(db, walked, page));
      expect(plans.map(({ steps }) => steps.join(", "))).toEqual([
        expect.stringMatching(/^SCAN referral USING INDEX referral_by_(cpr6|name|birth)$/),
      ]);
      const rows = await findRows(portal.db, walked, page);
      expect(rows.length).toBeGreaterThan(5);
      expect(rows).toEqual(await findRows(portal.db, list, page));
    }
  },
);

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { findBookedByAnother, findWaiting } from "~/features/freed-times/store.server";
import { revertMovedRows } from "~/features/merging/moved-store.server";
import { smsList } from "~/features/sms-threads/sms-list.server";
import { countAttachedOf } from "~/files/archive/unpack-quota-store.server";
import { findCounted } from "~/features/statistics/sums/store.server";
import { nameSearch } from "~/features/referrals/list/filter-sql.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { type List, openList } from "~/lists/define-list.server";
import { accesses } from "~/features/audit-log/access-list.server";
import { callUps } from "~/features/call-ups/call-up-list.server";
import { clinics } from "~/features/clinics/clinic-list.server";
import { dischargeLetters } from "~/features/discharge-letters/discharge-letter-list.server";
import { drafts } from "~/features/drafts/draft-list.server";
import { users } from "~/features/people/user-list.server";
import { SURGEONS_WORK, UNTRIAGED } from "~/features/referrals/model/statuses";
import { isEmailTaken, removeUnusedPatient } from "~/features/referrals/store/patient-store.server";
import { countByStatus, countUrgent } from "~/features/referrals/store/sent-items-store.server";
import { countRows, findIds, findRows } from "~/lists/rows.server";
import { type Db, inTransaction, type Tx } from "~db/connection.server";
import { makeBulkDemoData } from "~/demo/bulk.server";
import { aPerson } from "./factories/people";
import { aDraft } from "./factories/referrals";
import { plansByNumbers, plansOf } from "./support/query-plans";
import { createTestPortal, type TestPortal } from "./support/test-portal";

let portal: TestPortal;
let admin: Person;
let surgeon: Person;
let secretary: Person;
const ids = Array.from({ length: 60 }, (_, index) => index + 1);

beforeAll(async () => {
  portal = await createTestPortal("sqlite");
  await makeBulkDemoData(portal, ["--referrals", "60"]);
  admin = await aPerson(portal, { role: "Admin" });
  surgeon = await aPerson(portal, { role: "Surgeon" });
  const all = await portal.db.selectFrom("clinic").select("id").execute();
  await aDraft(portal, admin);
  secretary = await aPerson(portal, { role: "Secretary", clinicIds: all.map(({ id }) => id) });
});
afterAll(() => portal.close());

/** A list read in two steps: ids, then rows. */
const page = { cursor: null, direction: "forward", skip: 0, take: 20 } as const;

test.each<[string, () => List]>([
  ["the overview", () => openList(overview, portal, admin, {}, null)],
  ["the overview of a clinic's secretary", () => openList(overview, portal, secretary, {}, null)],
  ["drafts", () => openList(drafts, portal, admin, {}, null)],
  ["call-ups", () => openList(callUps, portal, admin, { statuses: [0, 1, 3, 7] }, null)],
  ["SMS", () => openList(smsList, portal, admin, {}, null)],
  ["discharge letters", () => openList(dischargeLetters, portal, admin, {}, null)],
  ["users", () => openList(users, portal, admin, {}, null)],
  ["clinics", () => openList(clinics, portal, admin, {}, null)],
  ["accesses", () => openList(accesses, portal, admin, {}, null)],
])("a page of %s is read by its numbers alone", async (_, list) => {
  const plans = await plansOf(portal.db, (db) => findRows(db, list(), page));
  const rows = plans.at(-1)!;
  expect(rows.sql).toMatch(/ in \([?, ]+\)/);
  expect(rows.steps[0], rows.sql).toMatch(/\((.* AND )?(rowid|id)=\?/);
});

/** With many ids SQLite prefers an `=` on any indexed column and reads all its matches. */
test.each<[string, (db: Db) => Promise<unknown>]>([
  ["what referrals add to the statistics", (db) => inTransaction(db, (tx) => findCounted(tx, ids))],
  [
    "rows that a merge moved",
    async (db) => {
      const moved = { runId: 1, place: "referral.referrer_id", fromId: 2, detail: null, outcome: "moved" as const };
      await db
        .insertInto("mergeRun")
        .values({ id: 1, kind: "user", winnerId: 3, state: "undoing", valuesBefore: "", valuesAfter: "", at: "" })
        .execute();
      await db
        .insertInto("mergeMoved")
        .values(ids.map((id) => ({ ...moved, rowId: id })))
        .execute();
      await inTransaction(db, (tx) => revertMovedRows(tx, { id: 1, kind: "user", winnerId: 3, state: "undoing" }));
    },
  ],
])("%s are found by their numbers alone", async (_, work) => {
  const plans = await plansByNumbers(portal.db, work);
  expect(plans).not.toEqual([]);
  for (const { sql, steps } of plans) {
    expect(steps[0], sql).toMatch(/\((.* AND )?(rowid|id|referral_id|row_id)=\?/);
  }
});

test("what a person has attached within a day is found by the day alone", async () => {
  const [plan] = await plansOf(
    portal.db,
    (db) => countAttachedOf(db, admin.id, new Date()),
    (sql) => sql.includes("uploaded_at"),
  );
  expect(plan!.steps[0]).toContain("referral_file_by_day (uploader_id=? AND uploaded_at>?)");
});

test.each(["-2", "3", "4"])("an overview of many rows in order %s is scanned in its own index", async (sort) => {
  for (const person of [admin, secretary]) {
    const list = openList(overview, portal, person, { statuses: [0, 7] }, sort);
    const scanned = { ...list, filterContext: { ...list.filterContext, strategy: "scan" as const } };
    const plans = await plansOf(portal.db, (db) => findRows(db, scanned, page));
    expect(plans.map(({ steps }) => steps.join(", "))).toEqual([
      expect.stringMatching(/^SCAN referral USING COVERING INDEX referral_order_by_(cpr6|name|birth)$/),
      expect.stringMatching(/^SEARCH referral USING INTEGER PRIMARY KEY/),
    ]);
    const rows = await findRows(portal.db, scanned, page);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows).toEqual(await findRows(portal.db, list, page));
  }
});

const since = { dateFrom: "2026-11-01" };

test.each([
  ["fewer than 5,000 by name: the database chooses", {}, "3", 4999, undefined],
  ["5,000 and more by name: scanned", {}, "3", 5000, "scan"],
  ["by date: the database chooses", {}, "-5", 10_001, undefined],
  ["the oldest number since a day: sorted", since, "1", 300_000, "sort"],
  ["more of them than are sorted in time: the database chooses", since, "1", 300_001, undefined],
  ["the newest number since a day: the database chooses", since, "-1", 300_000, undefined],
  ["the newest number until a day: sorted", { dateTo: "2026-11-01" }, "-1", 5, "sort"],
] as const)("how an overview is read, %s", async (_, filter, order, count, strategy) => {
  const { sort } = openList(overview, portal, admin, filter, order);
  expect(await overview.strategy!(filter, sort, async (max) => Math.min(count, max))).toBe(strategy);
});

const today = "2026-12-01";
const URGENT_FIRST = "8";
const untriaged = { statuses: [0], notHeldOn: today };
const ownWork = { statuses: SURGEONS_WORK, mine: true as const, notHeldOn: today };

/** Each queue excludes referrals on hold, and a surgeon has their own. */
test.each<[string, string, (db: Db) => Promise<unknown>]>([
  [
    "a page of a queue",
    "referral_by_triage (status=?)",
    (db) => findIds(db, openList(overview, portal, admin, untriaged, URGENT_FIRST), page),
  ],
  [
    "a page of its urgent ones",
    "referral_by_triage (status=? AND triage_order<?)",
    (db) =>
      findIds(db, openList(overview, portal, admin, { statuses: UNTRIAGED, onlyUrgent: true }, URGENT_FIRST), page),
  ],
  [
    "how many are urgent",
    "referral_by_triage (status=? AND triage_order<?)",
    (db) => countUrgent(db, admin, UNTRIAGED),
  ],
  [
    "how many there are in each queue",
    "referral_by_hold (status=? AND hold_until<?)",
    (db) => countByStatus(db, admin, [0, 3, 7], today),
  ],
  [
    "a page of a surgeon's own work",
    "referral_by_surgeons_triage (surgeon_id=? AND status=?)",
    (db) => findIds(db, openList(overview, portal, surgeon, ownWork, URGENT_FIRST), page),
  ],
  [
    "how much work a surgeon has",
    "referral_by_surgeons_triage (surgeon_id=? AND status=?)",
    (db) => countRows(db, openList(overview, portal, surgeon, ownWork, URGENT_FIRST)),
  ],
])("%s: the index made for it is read, and no status is read whole to be sorted", async (_, index, work) => {
  const plans = await plansOf(portal.db, work);
  expect(plans).not.toEqual([]);
  for (const { sql, steps } of plans) {
    const reading = steps.flatMap((step, at) => (step.includes(" referral ") ? [{ step, next: steps[at + 1] }] : []));
    expect(new Set(reading.map(({ step }) => step)), sql).toEqual(new Set([`SEARCH referral USING INDEX ${index}`]));
    for (const { next } of reading) expect(next, sql).not.toBe("USE TEMP B-TREE FOR ORDER BY");
  }
});

test("of several words one is found by its beginning, its rows asked for others", async () => {
  const plans = await plansOf(portal.db, (db) => nameSearch.findMatch(db, "a aa aaa b c d e f g"));
  const asked = "SEARCH other USING INDEX referral_name_token_by_referral (referral_id=?)";
  const steps = plans.at(-1)!.steps.filter((step) => step.startsWith("S"));
  const begins = expect.stringMatching(
    /^SEARCH referral_name_token USING COVERING INDEX \S+ \(token>\? AND token<\?\)$/,
  );
  expect(steps).toEqual([begins, ...Array(5).fill(asked)]);
});

test("what is on hold is found first and sorted, then its page is read by number", async () => {
  const onHold = openList(overview, portal, admin, { heldAfter: today }, null);
  const found = [
    "SEARCH referral USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH held USING INDEX referral_on_hold (hold_until>?)",
  ];
  await portal.db
    .updateTable("referral")
    .set((eb) => ({ heldSince: eb.ref("statusSince"), heldUntil: "2027-01-01" }))
    .where("status", "=", 0)
    .execute();
  const [numbers, rows] = await plansOf(portal.db, (db) => findRows(db, onHold, page));
  expect(numbers!.steps.filter((step) => step.startsWith("S"))).toEqual(found);
  expect(rows!.steps.filter((step) => step.startsWith("S"))).toEqual([
    "SEARCH referral USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH partial_upload USING INDEX partial_upload_by_referral (referral_id=?)",
  ]);
  const [count] = await plansOf(portal.db, (db) => countRows(db, onHold));
  expect(count!.steps.filter((step) => step.startsWith("S"))).toEqual(found);
});

test("an e-mail's owner and a patient's referrals are found by an index", async () => {
  const plans = [
    ...(await plansOf(portal.db, (db) => removeUnusedPatient(db as Tx, 1))),
    ...(await plansOf(portal.db, (db) =>
      isEmailTaken(db, portal.secrets, { cpr: "010180-1234", email: "a@eksempel.dk" }),
    )),
  ];
  const steps = plans.flatMap((plan) => plan.steps.filter((step) => /^(SEARCH|SCAN)/.test(step)));
  expect(steps).toEqual([
    "SEARCH patient USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH referral USING COVERING INDEX referral_by_patient (patient_id=?)",
    // The foreign key's own check.
    "SEARCH referral USING COVERING INDEX referral_by_patient (patient_id=?)",
    "SEARCH patient USING INDEX patient_by_email (email_norm=?)",
  ]);
});

test("who waits for a freed time, and who is booked, are found by indexes", async () => {
  const asked = [
    { treatmentTypeId: 1, without: [1] },
    { treatmentTypeId: null, without: [2, 3] },
  ];
  const times = ["2026-12-10 10:00", "2026-12-11 10:00"].map((moment, index) => ({
    referralId: index,
    operationMoment: moment,
    surgeonId: 4,
  }));
  const plans = [
    ...(await plansOf(portal.db, (db) => findWaiting(db, asked, new Date(), 4))),
    ...(await plansOf(portal.db, (db) => findBookedByAnother(db, times))),
  ];
  const steps = plans.flatMap((plan) => plan.steps.filter((step) => /^(SEARCH|SCAN) referral\b/.test(step)));
  expect(steps.length).toBeGreaterThan(1);
  for (const step of steps) expect(step).toMatch(/\((status|operation_date)=\?\)$/);
});

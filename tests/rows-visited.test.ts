import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callUps } from "~/features/call-ups/call-up-list.server";
import { clinics } from "~/features/clinics/clinic-list.server";
import { dischargeLetters } from "~/features/discharge-letters/discharge-letter-list.server";
import { users } from "~/features/people/user-list.server";
import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import type { SmsFilter } from "~/features/sms-threads/sms-list";
import { smsList } from "~/features/sms-threads/sms-list.server";
import type { Person } from "~/access/actor";
import { type List, openList } from "~/lists/define-list.server";
import { findRows } from "~/lists/rows.server";
import { makeBulkDemoData } from "~/demo/bulk.server";
import { aPerson } from "./factories/people";
import { rowsVisited } from "./support/rows-visited";
import { createTestPortal, type TestPortal } from "./support/test-portal";

/** Twelve words with the same beginning, each looked up separately. */
const words = [..."bcdefghijklm"].map((letter) => `${"a".repeat(12)}${letter}`);
const WORST_NAME = words.join(" ");
const page = { cursor: null, direction: "forward", skip: 0, take: 20 } as const;

const overviewFilters: Required<OverviewFilter> = {
  patientName: "an",
  cpr: "010180",
  visitNumber: 7,
  dateFrom: "2026-11-01",
  dateTo: "2026-11-01",
  statuses: [3],
  referrerId: 5,
  clinicId: 2,
  surgeonId: 3,
  patientEmail: "an",
  newMessages: true,
  myNewMessages: true,
  onlyEdi: true,
  missingDentistId: true,
  onlyTest: true,
  onlyUrgent: true,
  untriaged: true,
  withoutSurgeon: true,
  mine: true,
  notHeldOn: "2026-12-01",
  heldAfter: "2026-12-01",
  inStatusSince: "2026-11-01",
  toTellOn: "2026-12-01",
  silentOn: "2026-11-01",
};

/** Without `confirmed`, which the page combines with a day: alone it scans the list for twenty matches. */
const smsFilters: Omit<Required<SmsFilter>, "confirmed"> = {
  patientName: "an",
  dateFrom: "2026-11-01",
  dateTo: "2026-11-01",
  visitNumber: 7,
  cpr: "010180",
  onlyCancelled: true,
  cancelledFrom: "2026-11-01",
  unanswered: true,
  possiblyCancelled: true,
  unread: true,
  alarming: true,
};

type Opened = (portal: TestPortal, person: Person) => List;
const each = <F extends object>(name: string, filters: F, open: (filter: Partial<F>) => Opened): [string, Opened][] => [
  [name, open({})],
  ...Object.entries(filters).map(([key, value]): [string, Opened] => [
    `${name} by ${key}`,
    open({ [key]: value } as Partial<F>),
  ]),
];
const overviewBy =
  (filter: OverviewFilter): Opened =>
  (portal, person) =>
    openList(overview, portal, person, filter, null);
const cases = [
  ...each("the overview", overviewFilters, overviewBy),
  ...each("SMS", smsFilters, (filter) => (portal, person) => openList(smsList, portal, person, filter, null)),
  [
    "SMS confirmed for a day",
    (portal: TestPortal, person: Person) =>
      openList(smsList, portal, person, { dateFrom: "2026-11-01", dateTo: "2026-11-01", confirmed: true }, null),
  ] as [string, Opened],
  ...each(
    "users",
    { status: 1, clinicId: 2, search: "an", onlyEmptyDentistId: true as const },
    (filter) => (portal, person) => openList(users, portal, person, filter, null),
  ),
  ...each(
    "clinics",
    { status: 1, search: "an" },
    (filter) => (portal, person) => openList(clinics, portal, person, filter, null),
  ),
  ...each(
    "call-ups",
    { patientName: "an" },
    (filter) => (portal, person) => openList(callUps, portal, person, filter, null),
  ),
  ...each(
    "discharge letters",
    { patientName: "an" },
    (filter) => (portal, person) => openList(dischargeLetters, portal, person, filter, null),
  ),
];

/** With 2,000 referrals a list read completely visits 4,000 rows and more. */
const MOST = 1000;

async function visitedBy({ portal, person }: { portal: TestPortal; person: Person }, opened: Opened): Promise<number> {
  const list = opened(portal, person);
  const text = list.of.nameSearch?.textOf(list.filter);
  return rowsVisited(portal.db, async (db) => {
    const nameMatch = text ? await list.of.nameSearch!.findMatch(db, text) : undefined;
    await findRows(db, { ...list, filterContext: { ...list.filterContext, nameMatch } }, page);
  });
}

/** Statistics that say every word is of the same referral. */
async function keepStatisticsOfOneRow({ db }: TestPortal, referralId: number): Promise<void> {
  await db.deleteFrom("referralNameToken").execute();
  const rows = Array.from({ length: 2000 }, (_, index) => ({ token: `old${index}`, referralId }));
  await db.insertInto("referralNameToken").values(rows).execute();
  await sql`alter table referral_name_token stats_auto_recalc = 0`.execute(db);
  await sql`analyze table referral_name_token`.execute(db);
  await db.deleteFrom("referralNameToken").execute();
}

describe("rows that a page of a list visits on MariaDB", () => {
  let portals: { portal: TestPortal; person: Person }[];
  beforeAll(async () => {
    portals = [];
    for (const count of ["500", "2000"]) {
      const portal = await createTestPortal("mariadb");
      await makeBulkDemoData(portal, ["--referrals", count]);
      portals.push({ portal, person: await aPerson(portal, { role: "Surgeon" }) });
    }
  });
  afterAll(() => Promise.all(portals.map(({ portal }) => portal.close())));

  test.each(cases)("%s: a page, however long the list", async (_, opened) => {
    const [few, many] = [await visitedBy(portals[0]!, opened), await visitedBy(portals[1]!, opened)];
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThan(MOST);
  });

  test("words in every row are looked up per row, with misleading statistics too", async () => {
    const visited = [];
    for (const { portal, person } of portals) {
      const referrals = await portal.db.selectFrom("referral").select("id").execute();
      await keepStatisticsOfOneRow(portal, referrals[0]!.id);
      for (const token of words)
        await portal.db
          .insertInto("referralNameToken")
          .values(referrals.map(({ id }) => ({ token, referralId: id })))
          .execute();
      visited.push((await visitedBy({ portal, person }, overviewBy({ patientName: WORST_NAME }))) / referrals.length);
    }
    // Per row: six words weighed, one read, five checked.
    for (const perRow of visited) expect(perRow).toBeLessThan(50);
    expect(visited[1]! / visited[0]!).toBeLessThan(1.5);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import type { Person } from "~/access/actor";
import type { ResultOf } from "~/access/operation.server";
import { applyFilter } from "./apply-filter.server";
import { closeCallUpStats } from "./call-up-stats.server";
import { findIds } from "~/lists/rows.server";
import { sealFilter } from "~/lists/seal-filter.server";
import type { NameMatch } from "~/lists/token-search.server";
import { findNameMatch } from "./filter-sql.server";
import type { FilterChoices } from "./filter-choices.server";
import type { OverviewFilter } from "./filters";
import { listReferrals } from "./list-referrals.server";
import { readListAround } from "./read-list-around.server";
import { moreFilters } from "./more-filters.server";
import { listOf, overview } from "./overview-list.server";

type List = Exclude<ResultOf<typeof listReferrals>, { redirectTo: string }>;

forEachDatabase("the overview", (dialect) => {
  let portal: TestPortal;
  let clinics: [number, number];
  const people = {} as Record<"admin" | "surgeon" | "secretary" | "dentist" | "other", Person>;
  /** Newest last; each a minute after the one before. */
  const ids: number[] = [];
  const names = [
    ["Søren", "Møller"],
    ["Anna Karin", "Krogh"],
    ["Åse", "Ærø"],
    ["Jørgen", "Moeller-Lund"],
    ["Gülşen", "Şahin"],
  ] as const;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    clinics = [await aClinic(portal, "Klinik A"), await aClinic(portal, "Nordhavn")];
    people.admin = await aPerson(portal, { role: "Admin" });
    people.surgeon = await aPerson(portal, { role: "Surgeon" });
    people.secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinics[0]] });
    people.dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinics[0]] });
    people.other = await aPerson(portal, { role: "Dentist", clinicIds: [clinics[1]], dentistExternalId: null });
    for (let index = 0; index < 45; index += 1) {
      const [firstName, lastName] = names[index % names.length]!;
      ids.push(await aReferral(portal, index % 3 === 0 ? people.other : people.dentist, { firstName, lastName }));
      portal.clock.advance({ minutes: 1 });
    }
  }, 120_000);
  afterAll(() => portal.close());

  const set = (id: number, values: Record<string, unknown>) =>
    portal.db.updateTable("referral").set(values).where("id", "=", id).execute();
  async function list(
    person: Person,
    filter: OverviewFilter | null = null,
    more: Record<string, unknown> = {},
  ): Promise<List> {
    portal.cache.invalidate("count of");
    const f = filter === null ? undefined : sealFilter(overview, portal.secrets, person, filter);
    return (await portal.as(person, listReferrals, { f, ...more })) as List;
  }
  const shown = async (person: Person, filter: OverviewFilter | null, more: Record<string, unknown> = {}) =>
    (await list(person, filter, more)).rows.map(({ id }) => id);

  test("newest first, 20 a page, in the reader's scope", async () => {
    const first = await list(people.admin);
    expect([first.total, first.pageCount, first.rows.map(({ id }) => id)]).toEqual([
      45,
      3,
      ids.toReversed().slice(0, 20),
    ]);
    expect([
      (await list(people.dentist)).total,
      (await list(people.other)).total,
      (await list(people.secretary)).total,
    ]).toEqual([30, 15, 30]);
  });

  test("a page beyond the last shows the last", async () => {
    const last = await list(people.admin, null, { page: 99 });
    expect([last.page, last.rows.map(({ id }) => id)]).toEqual([3, ids.slice(0, 5).toReversed()]);
    expect((await list(people.admin, { visitNumber: 999_999 }, { page: 7 })).page).toBe(1);
  });

  test.each(["1", "-1", "2", "3", "-3", "4", "-4", "5", "7", "-7"])(
    "stepping from page to page gives the same rows as page numbers, sorted by %s",
    async (sort) => {
      const one = await list(people.admin, null, { sort });
      const two = await list(people.admin, null, { sort, page: 2, cursor: one.end });
      const three = await list(people.admin, null, { sort, page: 3, cursor: two.end });
      const idsOf = ({ rows }: List) => rows.map(({ id }) => id);
      const counted = [
        ...idsOf(one),
        ...(await shown(people.admin, null, { sort, page: 2 })),
        ...(await shown(people.admin, null, { sort, page: 3 })),
      ];
      expect(new Set(counted).size).toBe(45);
      expect([...idsOf(one), ...idsOf(two), ...idsOf(three)]).toEqual(counted);
      expect(await shown(people.admin, null, { sort, page: 3, cursor: one.end })).toEqual(counted.slice(40));
      expect(await shown(people.admin, null, { sort, page: 1, cursor: three.start })).toEqual(counted.slice(0, 20));
      expect(await shown(people.admin, null, { sort, page: 2, cursor: three.start })).toEqual(counted.slice(20, 40));
      expect(await shown(people.admin, null, { sort, page: 2, cursor: two.start })).toEqual(counted.slice(20, 40));
    },
  );

  test.each(["7", "-7"])("sorted by %s, orders the rows of a status by date, however they are found", async (sort) => {
    const before = await portal.db.selectFrom("referral").select(["id", "create_date"]).execute();
    // Neither statuses nor dates follow the numbers.
    const mixed = before.map(({ id }, index) => ({
      id,
      status: (index * 7) % 4,
      create_date: before[(index * 11) % before.length]!.create_date,
    }));
    for (const { id, ...values } of mixed) await set(id, values);
    const expected = mixed
      .toSorted((a, b) => a.status - b.status || a.create_date.localeCompare(b.create_date))
      .map(({ id }) => id);
    if (sort === "-7") expected.reverse();
    for (const filter of [{}, { dateFrom: "2020-01-01" }, { dateTo: "2040-01-01", dateFrom: "2020-01-01" }]) {
      const one = await list(people.admin, { statuses: [3, 1, 0, 2], ...filter }, { sort });
      const filtered = { statuses: [0, 1, 2, 3], ...filter };
      const two = await list(people.admin, filtered, { sort, page: 2, cursor: one.end });
      const three = await list(people.admin, filtered, { sort, page: 3, cursor: two.end });
      const backFromThree = await list(people.admin, filtered, { sort, page: 2, cursor: three.start });
      expect([...one.rows, ...two.rows, ...three.rows].map(({ id }) => id)).toEqual(expected);
      expect(backFromThree.rows).toEqual(two.rows);
      expect(await shown(people.admin, filtered, { sort, page: 3 })).toEqual(expected.slice(40));
    }
    for (const { id, create_date } of before) await set(id, { status: 0, create_date });
  });

  test.each([
    ["1", { dateFrom: "2020-01-01" }],
    ["-1", { dateTo: "2040-01-01" }],
  ])("in order %s of %j, where the numbers begin far away, has the same pages", async (sort, days) => {
    const expected = sort === "1" ? ids : ids.toReversed();
    const one = await list(people.admin, days, { sort });
    const two = await list(people.admin, days, { sort, page: 2, cursor: one.end });
    const three = await list(people.admin, days, { sort, page: 3, cursor: two.end });
    expect([...one.rows, ...two.rows, ...three.rows].map(({ id }) => id)).toEqual(expected);
    expect(await shown(people.admin, days, { sort, page: 2 })).toEqual(expected.slice(20, 40));
    expect(await shown(people.admin, days, { sort, page: 1, cursor: two.start })).toEqual(expected.slice(0, 20));
    const found = { ...listOf(portal, people.admin, days, sort) };
    const sorted = { ...found, filterContext: { ...found.filterContext, sortsFound: true } };
    const first = { cursor: null, direction: "forward", skip: 0, take: 50 } as const;
    expect(await findIds(portal.db, sorted, first)).toEqual(await findIds(portal.db, found, first));
  });

  test.each(["Søren", "sø møl", "krogh anna kar", "Anna Møller", "a"])(
    "finds the same rows of the name '%s', whichever way it is looked for",
    async (patientName) => {
      const asked = listOf(portal, people.admin, { patientName }, null);
      const found = (nameMatch: NameMatch | undefined) => {
        const filterContext = { ...asked.filterContext, nameMatch };
        return findIds(
          portal.db,
          { ...asked, filterContext },
          { cursor: null, direction: "forward", skip: 0, take: 50 },
        );
      };
      const each = await found(undefined);
      expect(each.length > 0).toBe(patientName !== "Anna Møller");
      const match = await findNameMatch(portal.db, { patientName });
      expect(match).toHaveLength(each.length);
      expect([await found("scanInOrder"), await found(match)]).toEqual([each, each]);
    },
  );

  test("sorts by age, the youngest first or last", async () => {
    await set(ids[10]!, { birth_date: "1930-05-01" });
    await set(ids[20]!, { birth_date: "2020-05-01" });
    const ages = async (sort: string) => (await list(people.admin, null, { sort })).rows.map((row) => row.age);
    expect((await ages("4"))[0]).toBe(6);
    expect((await ages("-4"))[0]).toBe(96);
    await set(ids[10]!, { birth_date: null });
    await set(ids[20]!, { birth_date: null });
  });

  describe("a list that changes while somebody pages through it", () => {
    const rest = ({ rows }: List) => rows.map(({ id }) => id);

    test("skips no referral when rows of a page get another status", async () => {
      const sort = "7";
      const one = await list(people.admin, null, { sort });
      const unseen = (await shown(people.admin, null, { sort, page: 2 })).concat(
        await shown(people.admin, null, { sort, page: 3 }),
      );
      for (const id of [rest(one)[0]!, rest(one)[19]!, rest(one)[7]!]) await set(id, { status: 6 });
      const two = await list(people.admin, null, { sort, page: 2, cursor: one.end });
      const three = await list(people.admin, null, { sort, page: 3, cursor: two.end });
      expect([...rest(two), ...rest(three)].filter((id) => unseen.includes(id))).toEqual(unseen);
      await portal.db.updateTable("referral").set({ status: 0 }).execute();
    });

    test("skips no referral when rows of a page leave the filter, forwards and backwards", async () => {
      const filter = { statuses: [0] };
      const one = await list(people.admin, filter);
      const two = await list(people.admin, filter, { page: 2, cursor: one.end });
      for (const id of rest(one).slice(0, 5)) await set(id, { status: 2 });
      expect(rest(await list(people.admin, filter, { page: 2, cursor: one.end }))).toEqual(rest(two));
      const three = await list(people.admin, filter, { page: 2, cursor: two.end });
      expect(three.rows.length).toBeGreaterThan(0);
      const back = await list(people.admin, filter, { page: 1, cursor: two.start });
      expect(rest(back)).toEqual(expect.arrayContaining(rest(one).slice(5)));
      await portal.db.updateTable("referral").set({ status: 0 }).execute();
    });

    test("has no empty page while it holds referrals", async () => {
      const filter = { statuses: [0] };
      const two = await list(people.admin, filter, { page: 2 });
      for (const id of ids.slice(0, 10)) await set(id, { status: 2 });
      const last = await list(people.admin, filter, { page: 2, cursor: two.end });
      expect([last.total, last.rows.length]).toEqual([35, 15]);
      await portal.db.updateTable("referral").set({ status: 0 }).execute();
    });

    test.each(["-5", "7", "-7", "3"])(
      "keeps the open referral where it stood after a status that the filter leaves out, sorted by %s",
      async (sort) => {
        const filter = { statuses: [0] };
        const before = await list(people.admin, filter, { sort });
        for (const place of [0, 7, 19]) {
          const openId = rest(before)[place]!;
          await set(openId, { status: 2 });
          const after = await list(people.admin, filter, { sort, openId, openStatus: 0 });
          expect(rest(after)).toEqual(expect.arrayContaining(rest(before)));
          expect([rest(after)[place], after.rows[place]!.hasLeft, after.total]).toEqual([openId, true, 44]);
          await set(openId, { status: 0 });
        }
      },
    );

    test("keeps the open referral on a distant page, as its first row and its last", async () => {
      const one = await list(people.admin, { statuses: [0] });
      const two = await list(people.admin, { statuses: [0] }, { page: 2, cursor: one.end });
      for (const place of [0, 19]) {
        const openId = rest(two)[place]!;
        await set(openId, { status: 2 });
        const after = await list(people.admin, { statuses: [0] }, { page: 2, cursor: two.start, openId });
        expect(rest(after)[place]).toBe(openId);
        await set(openId, { status: 0 });
      }
    });

    test("does not add a referral that belongs on another page or outside the scope", async () => {
      const [theirs] = (await list(people.other)).rows;
      await set(theirs!.id, { status: 2 });
      for (const [person, openId] of [
        [people.admin, ids[0]!],
        [people.dentist, theirs!.id],
      ] as const) {
        expect(rest(await list(person, { statuses: [0] }, { openId }))).not.toContain(openId);
      }
      await set(theirs!.id, { status: 0 });
    });
  });

  test.each([
    ["møller", 9 + 9],
    ["Moeller", 9 + 9],
    ["MØLLER SØR", 9],
    ["anna k", 9],
    ["kro ann", 9],
    ["aerø", 9],
    ["sahin", 9],
    ["lund", 9],
    ["oeller", 0],
  ])("finds a name as people type it: %s", async (patientName, total) => {
    expect((await list(people.admin, { patientName })).total).toBe(total);
  });

  test.each(["%", "???", "…", "😀", " - "])("refuses a name without letters and digits: %s", async (patientName) => {
    const typed = applyFilter.input.safeParse({ patientName });
    expect(typed.error?.issues).toMatchObject([
      { path: ["patientName"], message: "Skriv et navn med bogstaver eller tal." },
    ]);
    const seen = await list(people.admin, { patientName });
    expect([seen.wasReset, seen.active]).toEqual([true, []]);
  });

  describe("TU-status to people who are not staff", () => {
    test("is shown as another status in the list, its filter, its chips and the API", async () => {
      await set(ids[1]!, { status: 10 });
      await set(ids[2]!, { status: 6 });
      const theirs = await list(people.dentist, { statuses: [6] });
      // A date on one of the two would tell them apart.
      expect(theirs.rows.map(({ statusSince }) => statusSince)).toEqual([null, null]);
      expect((await list(people.dentist)).rows.filter(({ statusSince }) => statusSince)).not.toEqual([]);
      expect(theirs.rows.map((row) => [row.id, row.status])).toEqual([
        [ids[2], 6],
        [ids[1], 6],
      ]);
      expect((await list(people.dentist)).total).toBe(30);
      for (const f of ["s10", "s10-7"]) {
        const seen = (await portal.as(people.dentist, listReferrals, { f })) as List;
        // A seal is random letters, these two among them now and then.
        const chips = JSON.stringify(seen.active.map(({ without: _seal, ...chip }) => chip));
        expect([seen.total, seen.statuses.includes(10), chips]).toEqual([0, false, expect.not.stringContaining("TU")]);
      }
      const plain = async (statuses: number[]) =>
        (await portal.as(people.dentist, listReferrals, { filter: { statuses } })) as List;
      expect((await plain([6, 10])).rows.map(({ status }) => status)).toEqual([6, 6]);
      expect((await plain([10])).total).toBe(0);
      expect(await shown(people.admin, { statuses: [10] })).toEqual([ids[1]]);
      expect(await shown(people.admin, { statuses: [6] })).toEqual([ids[2]]);
      await set(ids[1]!, { status: 0 });
      await set(ids[2]!, { status: 0 });
    });
  });

  describe("each filter", () => {
    test("by number, CPR, day, status, referrer and clinic", async () => {
      const [row] = (await list(people.admin, { visitNumber: ids[7]! })).rows;
      const { id, cpr } = row!;
      expect(id).toBe(ids[7]);
      expect(await shown(people.admin, { cpr: cpr! })).toEqual([ids[7]]);
      expect((await list(people.admin, { cpr: cpr!.slice(0, 6) })).total).toBe(45);
      expect((await list(people.admin, { dateFrom: "2026-12-01", dateTo: "2026-12-01" })).total).toBe(45);
      expect((await list(people.admin, { dateTo: "2026-11-30" })).total).toBe(0);
      expect((await list(people.admin, { statuses: [2] })).total).toBe(0);
      expect((await list(people.admin, { statuses: [] })).total).toBe(0);
      expect((await list(people.admin, { referrerId: people.other.id })).total).toBe(15);
      expect((await list(people.admin, { clinicId: clinics[0] })).total).toBe(30);
      expect((await list(people.dentist, { clinicId: clinics[1] })).total).toBe(0);
    });

    test("by surgeon, e-mail, messages, EDI, dentist id and test", async () => {
      await set(ids[0]!, { surgeon_id: people.surgeon.id, surgeon_has_unread_messages: 1, has_unanswered_message: 1 });
      await set(ids[1]!, {
        surgeon_id: people.admin.id,
        surgeon_has_unread_messages: 1,
        referrer_has_unread_messages: 1,
        visit_type: "edi",
        external_id: "900123",
      });
      await set(ids[2]!, { email_norm: "åse@eksempel.dk", is_test: 1 });
      expect(await shown(people.admin, { surgeonId: people.surgeon.id })).toEqual([ids[0]]);
      expect(await shown(people.surgeon, { myNewMessages: true })).toEqual([ids[0]]);
      expect(await shown(people.surgeon, { newMessages: true })).toEqual([ids[0]]);
      expect(await shown(people.dentist, { newMessages: true })).toEqual([ids[1]]);
      expect(await shown(people.admin, { onlyEdi: true })).toEqual([ids[1]]);
      expect(await shown(people.admin, { onlyTest: true })).toEqual([ids[2]]);
      expect(await shown(people.admin, { patientEmail: "åse@" })).toEqual([ids[2]]);
      expect((await list(people.admin, { missingDentistId: true })).total).toBe(15);
    });

    test("is ignored for a role that may not use it, however it is sent", async () => {
      const theirs: OverviewFilter = {
        referrerId: people.other.id,
        surgeonId: people.surgeon.id,
        onlyEdi: true,
        onlyTest: true,
        missingDentistId: true,
        myNewMessages: true,
      };
      const seen = await list(people.dentist, theirs);
      expect([seen.total, seen.active]).toEqual([30, []]);
      expect(
        (await list(people.secretary, { referrerId: people.dentist.id, onlyTest: true })).active.map(({ key }) => key),
      ).toEqual(["referrerId"]);
      const { to } = await portal.as(people.dentist, applyFilter, {
        onlyTest: "on",
        patientName: "anna",
        statuses: seen.statuses.map(String),
      });
      const applied = (await portal.as(people.dentist, listReferrals, {
        f: new URL(to!, "http://x").searchParams.get("f"),
      })) as List;
      expect(applied.active).toMatchObject([{ key: "patientName", value: "anna" }]);
    });
  });

  test("a filter by a referrer outside the scope reveals no name", async () => {
    const nameOf = async (person: Person, referrerId: number) =>
      (await list(person, { referrerId })).active.map(({ name }) => name)[0];
    const [theirs, nobody] = [people.other.id, 999_999];
    expect(await nameOf(people.secretary, theirs)).toBeNull();
    expect(await nameOf(people.secretary, nobody)).toBeNull();
    expect(await nameOf(people.secretary, people.dentist.id)).toContain("(klinik: Klinik A)");
    expect(await nameOf(people.admin, theirs)).toContain("(klinik: Nordhavn)");
  });

  test("the default statuses of a role have no chip; other filters have, each with the address of the list without it", async () => {
    await set(ids[3]!, { status: 7 });
    await set(ids[4]!, { status: 10 });
    expect([(await list(people.admin)).total, (await list(people.dentist)).total]).toEqual([43, 30]);
    const { statuses } = await list(people.admin);
    expect((await list(people.admin, { statuses })).active).toEqual([]);
    const closed = await list(people.admin, { statuses: [7], patientName: "møller" });
    expect(closed.active).toMatchObject([
      { key: "patientName", value: "møller" },
      { key: "statuses", value: [7] },
    ]);
    const without = (await portal.as(people.admin, listReferrals, { f: closed.active[0]!.without })) as List;
    expect(without.rows.map(({ id }) => id)).toEqual([ids[3]]);
    await set(ids[3]!, { status: 0 });
    await set(ids[4]!, { status: 0 });
  });

  test("a seal that is broken or another person's resets the filter and reports it", async () => {
    const f = sealFilter(overview, portal.secrets, people.admin, { visitNumber: 1 });
    expect((await list(people.admin, { visitNumber: 1 })).wasReset).toBe(false);
    for (const [person, seal] of [
      [people.dentist, f],
      [people.admin, `${f.slice(0, -6)}AAAAAA`],
      [people.admin, "vrøvl"],
    ] as const) {
      const seen = (await portal.as(person, listReferrals, { f: seal })) as List;
      expect([seen.wasReset, seen.f, seen.active]).toEqual([true, null, []]);
    }
  });

  test("steps to the next referral in the list's order, also from one that no longer matches", async () => {
    const step = async (open: string, person = people.admin) =>
      portal.as(person, listReferrals, {
        open,
        f: sealFilter(overview, portal.secrets, person, { patientName: "møller" }),
      });
    const order = await shown(people.admin, { patientName: "møller" });
    expect(await step(`after-${order[3]}`)).toMatchObject({
      redirectTo: expect.stringMatching(new RegExp(`^/management/overview/${order[4]}\\?.*#r${order[4]}$`)),
    });
    expect(await step(`before-${order[3]}`)).toMatchObject({
      redirectTo: expect.stringContaining(`/overview/${order[2]}?`),
    });
    await set(order[3]!, { status: 7 });
    expect(await step(`after-${order[3]}`)).toMatchObject({
      redirectTo: expect.stringContaining(`/overview/${order[4]}?`),
    });
    await set(order[3]!, { status: 0 });
    expect(await step("first")).toMatchObject({ redirectTo: expect.stringContaining(`/overview/${order[0]}?`) });
    expect(await step(`after-${order.at(-1)}`)).toMatchObject({ isAtEnd: true });
    const foreign = ids.find((_, index) => index % 3 !== 0)!;
    expect(await step(`after-${foreign}`, people.other)).toMatchObject({ isAtEnd: true });
  });

  test("answers the list around a referral without patients, and audits no read", async () => {
    const input = { page: 2, cursor: (await list(people.admin)).end, openId: ids[20] };
    const whole = await list(people.admin, null, input);
    const around = await portal.as(people.admin, readListAround, input);
    expect(around).toMatchObject({ total: 45, page: 2, pageCount: 3, start: expect.any(String) });
    expect(around.rows).toEqual(whole.rows.map(({ id, status, hasLeft }) => ({ id, status, hasLeft })));
    const other = await portal.as(people.other, readListAround, { openId: ids[1] });
    expect([other.total, other.rows.some(({ id }) => id === ids[1])]).toEqual([15, false]);
    const read = await portal.db
      .selectFrom("audit_event")
      .leftJoin("audit_referral", "audit_event_id", "audit_event.id")
      .select("audit_referral.referral_id")
      .where("operation", "=", "readListAround")
      .execute();
    expect(read.filter(({ referral_id }) => referral_id !== null)).toEqual([]);
  });

  test("shows the triage queue with urgent referrals first, oldest first within each kind, and counts the urgent separately", async () => {
    const urgent = [ids[30]!, ids[7]!];
    for (const id of urgent) await set(id, { reference_type: 1 });
    portal.cache.invalidate("queues of");
    const [first, triage] = (await list(people.admin)).queues;
    expect([first, triage]).toMatchObject([
      { kind: "untriagedUrgent", count: 2 },
      { kind: "awaitingTriage", count: 45 },
    ]);
    const order = [ids[7]!, ids[30]!, ...ids.filter((id) => !urgent.includes(id))];
    const open = async (input: Record<string, unknown>) =>
      (await portal.as(people.admin, listReferrals, input)) as List;
    const one = await open({ f: triage!.f, sort: triage!.sort });
    const two = await open({ f: triage!.f, sort: triage!.sort, page: 2, cursor: one.end });
    expect([...one.rows, ...two.rows].map(({ id }) => id)).toEqual(order.slice(0, 40));
    expect((await open({ f: first!.f, sort: first!.sort })).rows.map(({ id }) => id)).toEqual(order.slice(0, 2));
    // A referral that is open keeps its place in this order too, and the next one is the next of it.
    await set(ids[7]!, { status: 2 });
    const after = await open({ f: triage!.f, sort: triage!.sort, openId: ids[7] });
    expect([after.rows[0]!.id, after.rows[0]!.hasLeft, after.rows[1]!.id]).toEqual([ids[7], true, ids[30]]);
    // All statuses together, as staff and as others see them.
    expect((await list(people.other, null, { sort: "8" })).rows.map(({ id }) => id)).toEqual(
      [ids[30]!, ...ids.filter((id, index) => index % 3 === 0 && id !== ids[30])].slice(0, 20),
    );
    await set(ids[7]!, { status: 0 });
    for (const id of urgent) await set(id, { reference_type: 0 });
    portal.cache.invalidate("queues of");
  });

  test("counts the queues in the reader's scope, with the age of the oldest in calendar days", async () => {
    portal.clock.advance({ days: 3 });
    portal.cache.invalidate("queues of");
    const [triage, messages] = (await list(people.admin)).queues;
    expect([triage, messages]).toMatchObject([
      { kind: "awaitingTriage", count: 45, oldestDays: 3 },
      { kind: "newMessages", count: 1, oldestDays: null },
    ]);
    const behind = (await portal.as(people.admin, listReferrals, { f: triage!.f })) as List;
    expect(behind.total).toBe(45);
    expect((await list(people.other)).queues).toMatchObject([{ count: 15 }]);
  });

  test("a surgeon has a queue of their own referrals that need them, urgent first", async () => {
    const surgeon = await aPerson(portal, { role: "Surgeon" });
    const own = ids.slice(10, 13);
    for (const id of own) await set(id, { surgeon_id: surgeon.id });
    await set(own[1]!, { reference_type: 1 });
    await set(own[2]!, { status: 2 });
    portal.cache.invalidate("queues of");
    const mine = (await list(surgeon)).queues.find(({ kind }) => kind === "mine");
    expect(mine).toMatchObject({ count: 2, oldestDays: null, f: "s0-16-6e" });
    const behind = (await portal.as(surgeon, listReferrals, { f: mine!.f, sort: mine!.sort })) as List;
    expect(behind.rows.map(({ id }) => id)).toEqual([own[1], own[0]]);
    expect((await list(people.admin)).queues.map(({ kind }) => kind)).not.toContain("mine");
    for (const id of own) await set(id, { surgeon_id: null, reference_type: 0, status: 0 });
    portal.cache.invalidate("queues of");
  });

  test("shows overdue call-ups in a banner, each number with a link to its list, until it is closed", async () => {
    const since = "2026-11-01 09:00:00.000";
    await set(ids[5]!, { status: 5, status_since: since });
    await set(ids[6]!, { status: 5, status_since: "2026-12-02 09:00:00.000" });
    await set(ids[8]!, { status: 9, status_since: since });
    await set(ids[9]!, { status: 11, status_since: since });
    portal.cache.invalidate("call-up stats");
    const once = { messages: [], pendingForm: null, infoPopupSeen: true, showCallUpStats: true };
    const seen = async (person: Person, more = {}) =>
      ((await portal.as(person, listReferrals, {}, { flash: { ...once, ...more } })) as List).callUps;
    const banner = await seen(people.admin);
    expect(banner).toMatchObject({
      days: 14,
      counts: [
        { kind: "called", count: 1 },
        { kind: "calledTwice", count: 1 },
        { kind: "notReached", count: 1 },
      ],
    });
    for (const [index, id] of [ids[5], ids[8], ids[9]].entries()) {
      expect(
        ((await portal.as(people.admin, listReferrals, { f: banner!.counts[index]!.f })) as List).rows.map(
          (row) => row.id,
        ),
      ).toEqual([id]);
    }
    expect(await seen(people.admin, { showCallUpStats: false })).toBeNull();
    expect(await seen(people.dentist)).toBeNull();
    await portal.db
      .insertInto("setting")
      .values({ name: "statusActiveDays", value: "1", modified_at: since, modifier_id: null })
      .execute();
    portal.cache.invalidate("call-up stats");
    expect(await seen(people.admin)).toMatchObject({ days: 1, counts: [{ count: 2 }, { count: 1 }, { count: 1 }] });
    expect(await portal.as(people.admin, closeCallUpStats, {})).toEqual({});
  });

  test("loads the choices of 'Flere filtre' on request; lists the referrers unless there are more than 50", async () => {
    const ask = async (person: Person, input = {}) =>
      (await portal.as(person, moreFilters, input)).data as { choices: FilterChoices; referrers?: { value: number }[] };
    expect((await list(people.secretary)).choices).toBeNull();
    expect((await ask(people.secretary)).choices).toMatchObject({
      clinics: [{ value: clinics[0], label: "Klinik A" }],
      surgeons: [],
      referrers: [{ value: people.dentist.id }],
    });
    expect((await ask(people.dentist)).choices).toMatchObject({
      clinics: [{ value: clinics[0] }],
      surgeons: [],
      referrers: [],
    });
    for (let index = 0; index < 50; index += 1) await aPerson(portal, { role: "Dentist", clinicIds: [clinics[0]] });
    portal.cache.invalidate("choices of");
    const { choices } = await list(people.admin, { referrerId: people.other.id });
    expect([choices?.referrers, choices?.chosenReferrer?.value]).toEqual([null, people.other.id]);
    expect((await ask(people.admin, { search: "nordh" })).referrers).toMatchObject([{ value: people.other.id }]);
  });
});

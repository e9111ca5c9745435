import { describe, expect, test } from "vitest";
import { idsOf, overviewPortal } from "../../../../tests/support/portals/overview-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { findIds } from "~/lists/rows.server";
import { sealFilter } from "~/lists/filter.server";
import { listReferrals, readListAround } from "./list-referrals.server";
import { overview } from "./overview-list.server";
import { openList } from "~/lists/define-list.server";

forEachDatabase("the overview", (dialect) => {
  let portal: TestPortal;
  const { people, ids, set, list, shown } = overviewPortal(dialect, (opened) => {
    portal = opened;
  });

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
    const before = await portal.db.selectFrom("referral").select(["id", "createDate"]).execute();
    // Statuses and dates that do not follow the ids.
    const mixed = before.map(({ id }, index) => ({
      id,
      status: (index * 7) % 4,
      createDate: before[(index * 11) % before.length]!.createDate,
    }));
    for (const { id, ...values } of mixed) await set(id, values);
    const expected = mixed
      .toSorted((a, b) => a.status - b.status || a.createDate.localeCompare(b.createDate))
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
    for (const { id, createDate } of before) await set(id, { status: 0, createDate });
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
    const found = { ...openList(overview, portal, people.admin, days, sort) };
    const sorted = { ...found, filterContext: { ...found.filterContext, strategy: "sort" as const } };
    const first = { cursor: null, direction: "forward", skip: 0, take: 50 } as const;
    expect(await findIds(portal.db, sorted, first)).toEqual(await findIds(portal.db, found, first));
  });

  test("sorts by age, the youngest first or last", async () => {
    await set(ids[10]!, { birthDate: "1930-05-01" });
    await set(ids[20]!, { birthDate: "2020-05-01" });
    const ages = async (sort: string) => (await list(people.admin, null, { sort })).rows.map((row) => row.age);
    expect((await ages("4"))[0]).toBe(6);
    expect((await ages("-4"))[0]).toBe(96);
    await set(ids[10]!, { birthDate: null });
    await set(ids[20]!, { birthDate: null });
  });

  describe("a list that changes while somebody pages through it", () => {
    test("skips no referral when rows of a page get another status", async () => {
      const sort = "7";
      const one = await list(people.admin, null, { sort });
      const unseen = (await shown(people.admin, null, { sort, page: 2 })).concat(
        await shown(people.admin, null, { sort, page: 3 }),
      );
      for (const id of [idsOf(one)[0]!, idsOf(one)[19]!, idsOf(one)[7]!]) await set(id, { status: 6 });
      const two = await list(people.admin, null, { sort, page: 2, cursor: one.end });
      const three = await list(people.admin, null, { sort, page: 3, cursor: two.end });
      expect([...idsOf(two), ...idsOf(three)].filter((id) => unseen.includes(id))).toEqual(unseen);
      await portal.db.updateTable("referral").set({ status: 0 }).execute();
    });

    test("skips no referral when rows of a page leave the filter, forwards and backwards", async () => {
      const filter = { statuses: [0] };
      const one = await list(people.admin, filter);
      const two = await list(people.admin, filter, { page: 2, cursor: one.end });
      for (const id of idsOf(one).slice(0, 5)) await set(id, { status: 2 });
      expect(idsOf(await list(people.admin, filter, { page: 2, cursor: one.end }))).toEqual(idsOf(two));
      const three = await list(people.admin, filter, { page: 2, cursor: two.end });
      expect(three.rows.length).toBeGreaterThan(0);
      const back = await list(people.admin, filter, { page: 1, cursor: two.start });
      expect(idsOf(back)).toEqual(expect.arrayContaining(idsOf(one).slice(5)));
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

    test.each(["-5", "7", "-7", "3"])("keeps the open referral in place after a status, sorted by %s", async (sort) => {
      const filter = { statuses: [0] };
      const before = await list(people.admin, filter, { sort });
      for (const place of [0, 7, 19]) {
        const openId = idsOf(before)[place]!;
        await set(openId, { status: 2 });
        const after = await list(people.admin, filter, { sort, openId, openStatus: 0 });
        expect(idsOf(after)).toEqual(expect.arrayContaining(idsOf(before)));
        expect([idsOf(after)[place], after.rows[place]!.hasLeft, after.total]).toEqual([openId, true, 44]);
        await set(openId, { status: 0 });
      }
    });

    test("keeps the open referral on a distant page, as its first row and its last", async () => {
      const one = await list(people.admin, { statuses: [0] });
      const two = await list(people.admin, { statuses: [0] }, { page: 2, cursor: one.end });
      for (const place of [0, 19]) {
        const openId = idsOf(two)[place]!;
        await set(openId, { status: 2 });
        const after = await list(people.admin, { statuses: [0] }, { page: 2, cursor: two.start, openId });
        expect(idsOf(after)[place]).toBe(openId);
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
        expect(idsOf(await list(person, { statuses: [0] }, { openId }))).not.toContain(openId);
      }
      await set(theirs!.id, { status: 0 });
    });
  });

  test("steps to the next referral of the list, also from one that left it", async () => {
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
    const none = sealFilter(overview, portal.secrets, people.admin, { patientName: "ingen hedder det" });
    expect(await portal.as(people.admin, listReferrals, { open: "first", f: none })).toMatchObject({ isAtEnd: false });
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
      .selectFrom("auditEvent")
      .leftJoin("auditReferral", "auditEventId", "auditEvent.id")
      .select("auditReferral.referralId")
      .where("operation", "=", "readListAround")
      .execute();
    expect(read.filter(({ referralId }) => referralId !== null)).toEqual([]);
  });
});

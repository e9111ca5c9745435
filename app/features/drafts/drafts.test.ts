import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { deleteDraft, restoreDraft } from "./operations.server";
import { draftColumns } from "./draft-list";
import { filterDrafts, listDrafts } from "./draft-list.server";

forEachDatabase("drafts", (dialect) => {
  let portal: TestPortal;
  let secretary: Person;
  let dentist: Person;
  let colleague: Person;
  let ids: [number, number, number];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinicId = await aClinic(portal);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId], userName: "aagaard" });
    colleague = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId], userName: "bech" });
    secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinicId], userName: "carlsen" });
    const first = await aDraft(portal, dentist, { cpr6: "610181", cpr4: "1111", firstName: "Øjvind", lastName: "Ærø" });
    portal.clock.advance({ days: 2 });
    const second = await aDraft(portal, colleague, {
      cpr6: "620180",
      cpr4: "2222",
      firstName: "Anna",
      lastName: "Øst",
    });
    portal.clock.advance({ days: 2 });
    const third = await aDraft(portal, secretary, { cpr6: "610182", cpr4: "3333", firstName: "Bo", lastName: "Ærø" });
    await portal.as(secretary, saveReferrer, { referralId: third, referrerId: colleague.id });
    await aReferral(portal, dentist, { lastName: "Ærø" });
    ids = [first, second, third];
  });
  afterAll(() => portal.close());

  async function filtered(who: Person, typed: Record<string, string>) {
    const { to } = await portal.as(who, filterDrafts, typed);
    const query = new URLSearchParams(to!.split("?")[1]);
    return { address: to!, list: await portal.as(who, listDrafts, { f: query.get("f"), sort: query.get("sort") }) };
  }
  const found = (numbers: { id: number }[]) => numbers.map(({ id }) => ids.indexOf(id) + 1);

  test.each([
    [{ patientName: "ærø" }, { patientName: "ærø" }, [3, 1]],
    [{ patientName: "bo ær" }, { patientName: "bo ær" }, [3]],
    [{ cpr6: "620180" }, { cpr: "620180" }, [2]],
    [{ cpr6: "610181", cpr4: "1111" }, { cpr: "610181-1111" }, [1]],
    [{ dateFrom: "02.12.2026", dateTo: "03.12.2026" }, { dateFrom: "2026-12-02", dateTo: "2026-12-03" }, [2]],
    [{ dateTo: "03.12.2026" }, { dateTo: "2026-12-03" }, [2, 1]],
    [{}, {}, [3, 2, 1]],
  ] as const)("filtered by %o on the page, %o in the API", async (typed, filter, expected) => {
    expect(found((await filtered(secretary, typed)).list.rows)).toEqual(expected);
    expect(found((await portal.as(secretary, listDrafts, { filter })).rows)).toEqual(expected);
  });

  test("by number and by referrer; a draft whose referrer is not chosen is its creator's", async () => {
    expect(found((await filtered(secretary, { visitNumber: String(ids[1]) })).list.rows)).toEqual([2]);
    const { list } = await filtered(secretary, { referrerId: String(colleague.id) });
    expect(found(list.rows)).toEqual([3, 2]);
    expect(list.active).toMatchObject([
      { key: "referrerId", value: colleague.id, name: expect.stringMatching(/^Åse Kjær bech/) },
    ]);
    expect((await portal.as(secretary, listDrafts, { f: list.active[0]!.without })).active).toEqual([]);
    expect(list.referrers?.map(({ value }) => value).sort()).toEqual([dentist.id, colleague.id].sort());
    expect(found((await portal.as(secretary, listDrafts, { filter: { referrerId: dentist.id } })).rows)).toEqual([1]);
  });

  test("a dentist cannot filter by referrer: the filter is ignored", async () => {
    const { list } = await filtered(dentist, { referrerId: String(colleague.id) });
    expect([list.referrers, found(list.rows)]).toEqual([null, [1]]);
    expect(found((await portal.as(dentist, listDrafts, { filter: { referrerId: colleague.id } })).rows)).toEqual([1]);
  });

  test("puts no patient in the address, and reports a foreign seal as reset", async () => {
    const { address } = await filtered(secretary, { patientName: "Ærø", cpr6: "610181", cpr4: "1111" });
    expect(decodeURIComponent(address)).not.toMatch(/Ærø|610181/);
    const f = new URLSearchParams(address.split("?")[1]).get("f");
    expect(await portal.as(dentist, listDrafts, { f })).toMatchObject({ wasReset: true, total: 1 });
    expect(await portal.as(secretary, listDrafts, { f: "forkert.segl" })).toMatchObject({ wasReset: true, total: 3 });
  });

  test("sorts every column both ways, Aa as Å, last changed first by default", async () => {
    const orders = { 1: [1, 2, 3], 2: [1, 3, 2], 3: [2, 3, 1], 4: [1, 2, 3], 5: [1, 2, 3], 6: [2, 3, 1] };
    for (const { key } of draftColumns) {
      expect(found((await portal.as(secretary, listDrafts, { sort: String(key) })).rows), `ascending ${key}`).toEqual(
        orders[key],
      );
      expect(found((await portal.as(secretary, listDrafts, { sort: `-${key}` })).rows), `descending ${key}`).toEqual(
        orders[key].toReversed(),
      );
    }
    expect(found((await portal.as(secretary, listDrafts, {})).rows)).toEqual([3, 2, 1]);
  });

  test("20 a page; a page beyond the last shows the last", async () => {
    const writer = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    for (let n = 0; n < 21; n += 1) await aDraft(portal, writer);
    expect(await portal.as(writer, listDrafts, {})).toMatchObject({
      total: 21,
      page: 1,
      pageCount: 2,
      rows: { length: 20 },
    });
    expect(await portal.as(writer, listDrafts, { page: 9 })).toMatchObject({ page: 2, rows: { length: 1 } });
    expect(await portal.as(writer, listDrafts, { page: 3, pageSize: 10 })).toMatchObject({
      total: 21,
      pageCount: 3,
      rows: { length: 1 },
    });
    expect(await portal.as(writer, listDrafts, { page: 2, pageSize: 20, countsAll: true })).toMatchObject({
      total: 21,
      rows: { length: 1 },
    });
  });

  test("a deleted draft is hidden from everybody and can be restored within the scope", async () => {
    const referralId = await aDraft(portal, dentist);
    await expect(portal.as(colleague, deleteDraft, { referralId })).rejects.toMatchObject({ name: "notInScope" });
    await portal.as(dentist, deleteDraft, { referralId });
    const offered = async () => (await portal.as(dentist, listDrafts, { deleted: String(referralId) })).deleted;
    expect(await offered()).toBe(referralId);
    await expect(portal.as(dentist, deleteDraft, { referralId })).rejects.toMatchObject({ name: "notInScope" });
    expect((await portal.as(dentist, listDrafts, {})).total).toBe(1);
    await expect(portal.as(colleague, restoreDraft, { referralId })).rejects.toMatchObject({ name: "notInScope" });
    const restored = () => portal.as(secretary, restoreDraft, { referralId }, { formNonce: "one page" });
    const first = await restored();
    expect(await offered(), "it is back").toBeNull();
    expect((await portal.as(dentist, listDrafts, {})).total).toBe(2);
    await portal.as(dentist, deleteDraft, { referralId });
    expect(await restored(), "the second press of one button").toEqual(first);
    expect((await portal.as(dentist, listDrafts, {})).total).toBe(1);
  });
});

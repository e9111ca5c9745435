import { describe, expect, test } from "vitest";
import { aPerson } from "../../../../tests/factories/people";
import { type List, overviewPortal } from "../../../../tests/support/portals/overview-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import type { Person } from "~/access/actor";
import { findIds } from "~/lists/rows.server";
import { sealFilter } from "~/lists/filter.server";
import { type NameMatch, openList } from "~/lists/define-list.server";
import { applyFilter, moreFilters, listReferrals } from "./list-referrals.server";
import { type FilterChoices, chosenReferrer } from "./filter-choices.server";
import { nameSearch, type OverviewFilter } from "./filter-sql.server";
import { overview } from "./overview-list.server";

forEachDatabase("the overview", (dialect) => {
  let portal: TestPortal;
  const { clinics, people, ids, set, list, shown } = overviewPortal(dialect, (opened) => {
    portal = opened;
  });

  test("a patient of another status is offered, other empty lists offer nothing", async () => {
    await set(ids[0]!, { status: 7 });
    const offered = await list(people.admin, { visitNumber: ids[0]! });
    expect([offered.total, offered.otherStatuses?.count]).toEqual([0, 1]);
    const { total } = (await portal.as(people.admin, listReferrals, { f: offered.otherStatuses!.f })) as List;
    expect(total).toBe(1);
    expect((await list(people.dentist, { visitNumber: ids[0]! })).otherStatuses).toBeNull();
    expect((await list(people.admin, { statuses: [12] })).otherStatuses).toBeNull();
    await set(ids[0]!, { status: 0 });
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

  test.each(["Søren", "sø møl", "krogh anna kar", "Anna Møller", "a"])(
    "finds the same rows of the name '%s', whichever way it is looked for",
    async (patientName) => {
      const asked = openList(overview, portal, people.admin, { patientName }, null);
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
      const match = await nameSearch.findMatch(portal.db, patientName);
      expect(match).toHaveLength(each.length);
      expect([await found("scanInOrder"), await found(match)]).toEqual([each, each]);
    },
  );

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
      // A sort value on only one of the two would reveal which is which.
      expect(theirs.rows.map(({ statusSince }) => statusSince)).toEqual([null, null]);
      expect((await list(people.dentist)).rows.filter(({ statusSince }) => statusSince)).not.toEqual([]);
      expect(theirs.rows.map((row) => [row.id, row.status])).toEqual([
        [ids[2], 6],
        [ids[1], 6],
      ]);
      expect((await list(people.dentist)).total).toBe(30);
      for (const f of ["s10", "s10-7"]) {
        const seen = (await portal.as(people.dentist, listReferrals, { f })) as List;
        // The seal is random text, which may contain these letters by chance.
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
      await set(ids[0]!, { surgeonId: people.surgeon.id, surgeonHasUnreadMessages: true, hasUnansweredMessage: true });
      await set(ids[1]!, {
        surgeonId: people.admin.id,
        surgeonHasUnreadMessages: true,
        referrerHasUnreadMessages: true,
        visitType: "edi",
        externalId: "900123",
      });
      await set(ids[2]!, { emailNorm: "åse@eksempel.dk", isTest: true });
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

  test("a referrer's filter is refused while another text stands in its field", async () => {
    const { admin, other } = people;
    const filtered = { onlyTest: "on", referrerId: String(other.id) };
    const { label } = (await chosenReferrer(portal, admin, other.id))!;
    await portal.as(admin, applyFilter, { ...filtered, referrerIdText: label });
    for (const form of [
      { ...filtered, referrerIdText: "zzzz" },
      { onlyTest: "on", referrerIdText: "zzzz" },
    ])
      await expect(portal.as(admin, applyFilter, form)).rejects.toMatchObject({ name: "invalid" });
    expect(applyFilter.input.safeParse({ referrerId: "", referrerIdText: "12" })).toMatchObject({
      error: { issues: [{ path: ["referrerId"], message: "Vælg en henviser fra listen." }] },
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

  test("default statuses have no chip; other filters have, with a way without them", async () => {
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

  test("loads 'Flere filtre' on request; lists up to 50 referrers", async () => {
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

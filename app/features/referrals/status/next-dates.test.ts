import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { pagesOfPdf } from "../../../../tests/support/pdf-text";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import type { Person } from "~/access/actor";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { type ListedReferrals, listReferrals } from "~/features/referrals/list/list-referrals.server";
import {
  readNamesAndDeadlines,
  saveNamesAndDeadlines,
} from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { finishRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { systemCaller } from "~/access/system-caller";
import { downloadReferralPdf } from "../details/referral-pdf.server";
import { holdReferral } from "./operations.server";
import { countSilentReferrals, listSilentReferrals, readNextDate } from "./next-dates.server";
import { setStatus } from "./set-status.server";
import { setStatuses, undoStatuses } from "./set-statuses.server";

forEachDatabase("the next date of a referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let id: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    id = await aReferral(portal, dentist);
  });

  const read = (person = admin) => portal.as(person, readReferral, { referralId: id });
  const nextDate = async () => (await read()).nextDate;
  const to = async (status: number) =>
    portal.as(admin, setStatus, { referralId: id, status, seenVersion: (await read()).statusVersion });
  async function list(person: Person, input: object = {}) {
    portal.cache.invalidate("count of");
    portal.cache.invalidate("queues of");
    return (await portal.as(person, listReferrals, input)) as ListedReferrals;
  }
  const silent = async () => (await list(admin)).queues.find(({ kind }) => kind === "silent");

  test("follows its status, a mass change, and what undoes one", async () => {
    expect(await nextDate()).toBe("2026-12-04");
    await to(3);
    expect(await nextDate()).toBe("2026-12-08");
    const { to: shown } = await portal.as(admin, setStatuses, { status: 13, pick: [String(id)] });
    expect(await nextDate()).toBe("2026-12-07");
    const massChangeId = new URL(shown!, "https://klinik.eksempel.dk").searchParams.get("skiftet");
    await portal.as(admin, undoStatuses, { massChangeId });
    expect(await nextDate()).toBe("2026-12-08");
    await to(7);
    expect(await nextDate()).toBeNull();
  });

  test("is not before the end of a hold or a planned operation", async () => {
    await portal.as(admin, holdReferral, {
      referralId: id,
      seenVersion: (await read()).statusVersion,
      until: "14.01.2027",
    });
    expect(await nextDate()).toBe("2027-01-14");
    portal.clock.advance({ minutes: 1 });
    await to(5);
    expect(await nextDate()).toBe("2026-12-15");
    const { version } = await read();
    await portal.as(admin, editPlan, { referralId: id, seenVersion: version, operationDate: "04.02.2027" });
    expect(await nextDate()).toBe("2027-02-04");
  });

  test("is told to the dentist, but not where it would tell TU-status from treatment", async () => {
    const told = async () => {
      const open = await portal.as(dentist, readOpenReferral, { referralId: id });
      return presentReferral(open).followUp;
    };
    expect(await told()).toBe("Klinikken følger op senest 04.12.2026.");
    portal.clock.set("2026-12-05T09:00:00.000Z");
    expect(await told()).toBe("Klinikken skulle have fulgt op senest 04.12.2026, og er mindet om det.");
    for (const status of [6, 10, 7]) {
      await to(status);
      expect(await told()).toBeNull();
    }
  });

  test("once past, puts it first in the queues of staff alone, the longest silent first", async () => {
    portal.clock.set("2026-12-04T09:00:00.000Z");
    const later = id;
    id = await aReferral(portal, dentist);
    await to(1);
    const before = (await silent())?.count ?? 0;
    portal.clock.set("2026-12-08T09:00:00.000Z");
    const queue = (await silent())!;
    expect((await list(admin)).queues[0]).toEqual(queue);
    expect(queue.count).toBeGreaterThanOrEqual(before + 2);
    const { rows } = await list(admin, { f: queue.f, sort: queue.sort });
    const due = rows.map((row) => row.dueOn!);
    expect(due).toEqual([...due].sort());
    expect(rows.filter((row) => [later, id].includes(row.id))).toMatchObject([
      { id: later, dueOn: "2026-12-04" },
      { id, dueOn: "2026-12-07" },
    ]);
    const seen = await list(dentist, { f: queue.f, sort: queue.sort });
    expect([seen.queues.map(({ kind }) => kind), seen.rows[0], seen.sort]).toEqual([
      expect.not.arrayContaining(["silent"]),
      expect.not.objectContaining({ dueOn: expect.anything() }),
      "-5",
    ]);
  });

  test("is in the referral's PDF for staff alone", async () => {
    const written = async (person: Person) => {
      const { open } = await portal.as(person, downloadReferralPdf, { referralId: id });
      return (await pagesOfPdf(await buffer(await open()))).join("\n");
    };
    expect(await written(admin)).toContain("Næste dato 04.12.2026");
    portal.clock.set("2026-12-05T09:00:00.000Z");
    expect(await written(admin)).toContain("Tavs siden 04.12.2026");
    expect(await written(dentist)).not.toMatch(/Næste dato|Tavs siden/);
  });

  test("lists silent ones to their readers, but not those whose date they may not know", async () => {
    portal.clock.set("2027-02-01T09:00:00.000Z");
    const later = id;
    id = await aReferral(portal, dentist);
    portal.clock.advance({ minutes: 1 });
    await to(6);
    portal.clock.set("2027-06-01T09:00:00.000Z");
    const ids = async (person: Person) => {
      const { total, rows } = await portal.as(person, listSilentReferrals, { pageSize: 100 });
      expect(await portal.as(person, countSilentReferrals, {})).toEqual({ count: total });
      expect(rows.map(({ silentSince }) => silentSince)).toEqual(rows.map((row) => row.silentSince).sort());
      return rows.map((row) => row.id);
    };
    expect(await ids(admin)).toEqual(expect.arrayContaining([later, id]));
    expect(await ids(dentist)).toContain(later);
    expect(await ids(dentist)).not.toContain(id);
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    expect(await ids(stranger)).toEqual([]);
    const told = async (person: Person) => portal.as(person, readNextDate, { referralId: id });
    const since = { nextDate: "2027-03-03", silentSince: "2027-03-03" };
    expect(await told(admin)).toMatchObject({ id, status: 6, ...since, lastSign: { what: "status" } });
    expect(await told(dentist)).toMatchObject({
      id,
      nextDate: null,
      silentSince: null,
      lastSign: { what: "status" },
    });
    await expect(told(stranger)).rejects.toMatchObject({ name: "notInScope" });
  });

  test("changed days reach every referral", async () => {
    const { names } = await portal.as(admin, readNamesAndDeadlines, {});
    expect(names).toMatchObject({ daysInStatus0: "" });
    await portal.as(admin, saveNamesAndDeadlines, { daysInStatus0: "10" });
    await finishRecount(portal, systemCaller("job"));
    expect(await nextDate()).toBe("2026-12-11");
    await expect(portal.as(admin, saveNamesAndDeadlines, { daysInStatus0: "0" })).rejects.toMatchObject({
      name: "invalid",
      fields: { daysInStatus0: ["Skriv et helt antal dage fra 1 til 999."] },
    });
    await portal.as(admin, saveNamesAndDeadlines, {});
    await finishRecount(portal, systemCaller("job"));
    expect(await nextDate()).toBe("2026-12-04");
  });
});

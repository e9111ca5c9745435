import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "~/demo/content/seeded-random.server";
import type { Person } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { editReferralDetails } from "~/features/referrals/details/edit-referral.server";
import { askForMaterial } from "~/features/referrals/material/ask-for-material.server";
import { openStatuses } from "~/features/referrals/model/deadlines";
import { holdReferral } from "~/features/referrals/status/operations.server";
import { countSilentReferrals } from "~/features/referrals/status/next-dates.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { systemCaller } from "~/access/system-caller";
import { addDays, mondayOf } from "~/text/calendar";
import { showDay } from "~/text/dates";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { listMissingMaterial, listSilentWeeks } from "./operations.server";
import { finishRecount } from "./sums/rebuild-sums.server";

/** A Monday. */
const BEGINS = "2026-11-30";
const DAYS = 75;

forEachDatabase("statistics of what is never to be silent", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let clinicId: number;
  let ids: number[];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    clinicId = await aClinic(portal, "Tandhuset");
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    portal.clock.set(`${BEGINS}T08:00:00.000Z`);
    ids = await Promise.all(Array.from({ length: 10 }, () => aReferral(portal, dentist)));
  });
  afterAll(() => portal.close());

  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const refusedAtMost = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  const setDays = async (days: () => number) => {
    const fields = openStatuses.map(({ value }) => [`daysInStatus${value}`, String(days())]);
    await portal.as(admin, saveNamesAndDeadlines, Object.fromEntries(fields));
    await finishRecount(portal, systemCaller("test"));
  };

  test("equal what was seen at the end of each day, whatever happened", async () => {
    const { integer, pick, chance } = createRandom(20_261_130);
    /** Days at whose end a referral was silent. */
    const seen = new Map(ids.map((id) => [id, [] as string[]]));
    await setDays(() => integer(1, 9));
    for (let at = 0; at < DAYS; at += 1) {
      const day = addDays(BEGINS, at);
      portal.clock.set(`${day}T09:00:00.000Z`);
      if (at % 20 === 19) await setDays(() => integer(1, 12));
      for (const referralId of ids.filter(() => chance(0.2))) {
        const { statusVersion: seenVersion, version } = await rowOf(referralId);
        const what = integer(0, 6);
        const until = showDay(addDays(day, integer(1, 9)));
        if (what === 0) await refusedAtMost(portal.as(admin, holdReferral, { referralId, seenVersion, until }));
        else if (what === 1)
          await refusedAtMost(portal.as(admin, holdReferral, { referralId, seenVersion, period: "ended" }));
        else if (what === 2)
          await refusedAtMost(
            portal.as(admin, editReferralDetails, {
              referralId,
              seenVersion: version,
              visitType: "simple",
              ...(chance(0.3) ? { makeTest: "on" } : {}),
            }),
          );
        else await portal.as(admin, setStatus, { referralId, seenVersion, status: pick([0, 1, 2, 3, 4, 7]) });
      }
      portal.clock.set(`${day}T22:00:00.000Z`);
      for (const id of ids) if ((await rowOf(id)).nextDueOn < day) seen.get(id)!.push(day);
    }
    const tests = await portal.db.selectFrom("referral").select("id").where("isTest", "=", true).execute();
    const counting = ids.filter((id) => !tests.some((row) => row.id === id));
    const last = addDays(BEGINS, DAYS - 1);
    const wanted = [];
    for (let monday = BEGINS; monday <= last; monday = addDays(monday, 7)) {
      const end = addDays(monday, 6) < last ? addDays(monday, 6) : last;
      wanted.push({
        monday,
        silent: counting.filter((id) => seen.get(id)!.some((day) => mondayOf(day) === monday)).length,
        stillSilent: counting.filter((id) => seen.get(id)!.includes(end)).length,
      });
    }
    const weeks = () => portal.as(admin, listSilentWeeks, { dateFrom: BEGINS, dateTo: last });
    expect((await weeks()).map(({ monday, silent, stillSilent }) => ({ monday, silent, stillSilent }))).toEqual(wanted);
    expect(Math.max(...wanted.map(({ silent }) => silent))).toBeGreaterThan(2);
    const known = (await weeks()).at(-1)!;
    expect(await portal.as(admin, countSilentReferrals, {})).toEqual({ count: known.stillSilent });
    const later = await portal.as(admin, listSilentWeeks, { dateFrom: addDays(BEGINS, 24), dateTo: last });
    expect(later).toEqual((await weeks()).slice(3));
    expect(await portal.as(admin, listSilentWeeks, { dateFrom: "1990-01-01", dateTo: "1990-02-01" })).toMatchObject([
      { week: 1, silent: 0 },
      { week: 2 },
      { week: 3 },
      { week: 4 },
      { week: 5, stillSilent: 0 },
    ]);
  });

  test("are unknown for weeks before the portal kept silences", async () => {
    const state = portal.db.updateTable("statisticsState").where("name", "=", "silenceKnownFrom");
    await state.set({ value: 20_261_216 }).execute();
    const weeks = await portal.as(admin, listSilentWeeks, { dateFrom: BEGINS, dateTo: "2026-12-20" });
    expect(weeks.map(({ week, silent }) => [week, silent === null])).toEqual([
      [49, true],
      [50, true],
      [51, false],
    ]);
    await state.set({ value: 0 }).execute();
  });

  test("count what was asked for by clinic and item, without what was withdrawn", async () => {
    const other = await aClinic(portal, "Smilet");
    const colleague = await aPerson(portal, { role: "Dentist", clinicIds: [other] });
    portal.clock.set("2027-06-01T09:00:00.000Z");
    const [first, second] = [await aReferral(portal, colleague), await aReferral(portal, colleague)];
    const ask = async (referralId: number, kinds: string[]) =>
      portal.as(admin, askForMaterial, { referralId, seenVersion: (await rowOf(referralId)).statusVersion, kinds });
    await ask(first, ["panorama", "cbct"]);
    await ask(second, ["panorama"]);
    await ask(await aReferral(portal, dentist), ["journal"]);
    await ask(first, ["panorama", "journal"]);
    const period = { dateFrom: "2027-06-01", dateTo: "2027-06-30" };
    expect(await portal.as(admin, listMissingMaterial, period)).toEqual([
      { clinicId: other, clinic: "Smilet", byKind: { panorama: 2, journal: 1 }, total: 3, referrals: 2 },
      { clinicId, clinic: "Tandhuset", byKind: { journal: 1 }, total: 1, referrals: 1 },
    ]);
    expect(await portal.as(admin, listMissingMaterial, { ...period, dateFrom: "2027-06-02" })).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { drawAccessSample, readAccessSample, signAccessSample } from "./access-sample.server";

forEachDatabase("the monthly sample of look-ups", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let dentist: Person;
  let referralId = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin", userName: "admin" });
    surgeon = await aPerson(portal, { role: "Surgeon", userName: "kirurg" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)], userName: "tandlaege" });
    referralId = await aReferral(portal, dentist, { cpr6: "610190", cpr4: "1009" });
    await look(surgeon, "2026-09-30T21:59:00.000Z");
    await look(surgeon, "2026-09-30T22:01:00.000Z");
    for (let day = 10; day < 23; day += 1) await look(dentist, `2026-10-${day}T09:00:00.000Z`);
    await look(surgeon, "2026-10-31T23:01:00.000Z");
  });
  afterAll(() => portal.close());

  async function look(person: Person, at: string) {
    portal.clock.set(at);
    await portal.as(person, readReferral, { referralId });
    await portal.audit.flush();
  }
  const draw = () => portal.as(admin, drawAccessSample, {});
  const sign = (month: string, sampleNote: string) => portal.as(admin, signAccessSample, { month, sampleNote });

  test("ten look-ups of last month in Copenhagen are drawn once", async () => {
    portal.clock.set("2026-11-02T08:00:00.000Z");
    expect(await portal.as(admin, readAccessSample, {})).toMatchObject({ due: "2026-10", isDrawn: false, earlier: [] });
    expect((await draw()).flash?.text).toBe("Stikprøven er trukket.");
    expect((await draw()).flash?.text).toBe("Stikprøven var allerede trukket.");

    const { shown, isDrawn } = await portal.as(admin, readAccessSample, {});
    expect(isDrawn).toBe(true);
    expect(shown!.lookUps).toHaveLength(10);
    expect(shown!.lookUps.every(({ at }) => at >= "2026-09-30T22:00" && at < "2026-10-31T23:00")).toBe(true);
    expect(new Set(shown!.lookUps.map(({ id }) => id)).size).toBe(10);
    expect(shown!.lookUps.filter(({ userName }) => userName === "tandlaege").map(({ relation }) => relation)).toEqual(
      expect.arrayContaining(["referrer"]),
    );
  });

  test("a look-up by somebody whom nothing connects with the patient says so", async () => {
    portal.clock.set("2026-10-02T08:00:00.000Z");
    expect((await draw()).flash?.text).toBe("Stikprøven er trukket.");
    const { shown } = await portal.as(admin, readAccessSample, { month: "2026-09" });
    expect(shown!.lookUps).toMatchObject([{ userName: "kirurg", referralId, relation: "none" }]);
  });

  test("a sample is signed once, with a note, and kept", async () => {
    portal.clock.set("2026-11-03T08:00:00.000Z");
    await expect(sign("2026-10", " ")).rejects.toMatchObject({ name: "invalid" });
    await sign("2026-10", "Alle havde en grund.");
    await expect(sign("2026-10", "En anden note")).rejects.toMatchObject({ name: "conflict" });
    await expect(sign("2026-08", "Ingen prøve")).rejects.toMatchObject({ name: "conflict" });
    const { shown, earlier } = await portal.as(admin, readAccessSample, {});
    expect(shown!.month).toBe("2026-09");
    expect(earlier).toMatchObject([{ month: "2026-10", note: "Alle havde en grund.", signedAt: expect.any(String) }]);
  });

  test("nobody signs a sample with a look-up of their own", async () => {
    const signs = (person: Person) =>
      portal.as(person, signAccessSample, { month: "2026-09", sampleNote: "Gennemgået." });
    await expect(signs(surgeon)).rejects.toMatchObject({ name: "conflict", text: expect.stringContaining("dit eget") });
    await signs(admin);
  });

  test("of a list any of its referrals is drawn, not the first alone", async () => {
    const ids = [];
    for (let nth = 0; nth < 6; nth += 1)
      ids.push(await aReferral(portal, dentist, { cpr6: "610190", cpr4: `20${nth}${dialect === "sqlite" ? 1 : 2}` }));
    for (let day = 10; day < 22; day += 1) {
      portal.clock.set(`2026-03-${day}T09:00:00.000Z`);
      await portal.as(dentist, listReferrals, {});
    }
    await portal.audit.flush();
    portal.clock.set("2026-04-02T08:00:00.000Z");
    await draw();
    const { shown } = await portal.as(admin, readAccessSample, { month: "2026-03" });
    expect(shown!.lookUps).toHaveLength(10);
    // All ten being the same one of seven referrals has a chance of one in forty million.
    expect(new Set(shown!.lookUps.map((each) => each.referralId)).size).toBeGreaterThan(1);
  });

  test("a month without look-ups has an empty sample, and referrers have none", async () => {
    portal.clock.set("2026-07-02T08:00:00.000Z");
    await draw();
    const { shown } = await portal.as(admin, readAccessSample, { month: "2026-06" });
    expect(shown!.lookUps).toEqual([]);
    await expect(sign("2026-06", "Ingen opslag.")).rejects.toMatchObject({
      name: "conflict",
      text: expect.stringContaining("tom"),
    });
    await expect(portal.as(dentist, readAccessSample, {})).rejects.toMatchObject({ name: "notAllowed" });
  });

  test("a sample stays when the events of its look-ups have been deleted by age", async () => {
    await portal.db.deleteFrom("auditReferral").execute();
    await portal.db.deleteFrom("auditEvent").execute();
    const { shown } = await portal.as(admin, readAccessSample, { month: "2026-10" });
    expect(shown).toMatchObject({ month: "2026-10", note: "Alle havde en grund.", lookUps: [] });
  });
});

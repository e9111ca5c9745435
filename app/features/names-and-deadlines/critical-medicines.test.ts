import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { listCallUps } from "~/features/call-ups/call-up-list.server";
import { cachedCriticalMedicines } from "~/features/referrals/model/critical-medicines.server";
import { standardMedicines } from "~/features/referrals/model/critical-medicines";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { aReferral } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { recordStatements } from "../../../tests/support/record-statements";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readNamesAndDeadlines, saveCriticalMedicines } from "./save-names-and-deadlines.server";

forEachDatabase("the clinic's list of critical medicines", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId = 0;

  beforeAll(async () => {
    ({ portal, admin, dentist } = await portalWithPeople(dialect));
    referralId = await aReferral(portal, dentist, { withPrompts: "on", medication: "Eliquis, insulin Novorapid" });
    await portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", referralId).execute();
  });
  afterAll(() => portal.close());

  const save = (criticalMedicines: string) => portal.as(admin, saveCriticalMedicines, { criticalMedicines });
  const stored = async () => (await portal.as(admin, readNamesAndDeadlines, {})).medicines.criticalMedicines;
  const marks = async () => {
    const opened = (await portal.as(admin, readOpenReferral, { referralId })).cave;
    const { rows } = await portal.as(admin, listCallUps, {});
    expect(rows.find(({ id }) => id === referralId)?.cave).toEqual(opened);
    return opened.map(({ text }) => text);
  };

  test("is the portal's own until it is saved, and may be emptied", async () => {
    expect(await stored()).toBe(standardMedicines.join("\n"));
    expect(await marks()).toEqual(["Eliquis"]);
    await save(" Insulin \n\nmarevan\ninsulin");
    expect(await stored()).toBe("insulin\nmarevan");
    expect(await marks()).toEqual(["insulin Novorapid"]);
    await save("");
    expect(await stored()).toBe("");
    expect(await marks()).toEqual([]);
  });

  test.each([
    ["two words", "Eliquis\nHjertemagnyl 75", "»Hjertemagnyl 75« kan ikke stå på listen."],
    ["two letters", "AK", "»AK« kan ikke stå på listen."],
    ["a long word", "x".repeat(41), `»${"x".repeat(40)}…« kan ikke stå på listen.`],
  ])("%s in a line are refused, and named", async (_, typed, error) => {
    const before = await stored();
    const text = `${error} Skriv ét ord på hver linje, kun med bogstaver, mindst 3 og højst 40.`;
    await expect(save(typed)).rejects.toMatchObject({ name: "invalid", fields: { criticalMedicines: [text] } });
    expect(await stored()).toBe(before);
  });

  test("at most 300 words are taken", async () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    const words = Array.from({ length: 301 }, (_, nth) => `ord${letters[nth % 26]}${letters[Math.floor(nth / 26)]}`);
    await expect(save(words.join("\n"))).rejects.toMatchObject({
      fields: { criticalMedicines: ["Højst 300 ord, og her er 301."] },
    });
  });

  test("words of other texts are named once, and not where a mark has them", async () => {
    await save("Eliquis\nMagnyl");
    const id = await aReferral(portal, dentist, {
      withPrompts: "on",
      medication: "Eliquis",
      desiredTreatment: "38, pt. får Eliquis og <b>Magnyl</b>",
      illnesses: "Penicillinallergi",
      comment: "Ingen Magnyl siden maj",
    });
    const said = async (who: Person) => (await portal.as(who, readOpenReferral, { referralId: id })).mentions;
    expect(await said(admin)).toEqual(["Magnyl", "Penicillinallergi"]);
    expect(await said(dentist)).toEqual(["Magnyl", "Penicillinallergi"]);
    await save("");
    expect(await said(admin)).toEqual(["Penicillinallergi"]);
  });

  test("is read from the cache", async () => {
    await cachedCriticalMedicines(portal);
    const { db, recorded } = recordStatements(portal.db);
    await cachedCriticalMedicines({ ...portal, db });
    expect(recorded).toEqual([]);
  });
});

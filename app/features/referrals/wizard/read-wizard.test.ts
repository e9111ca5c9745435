import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readReceipt, readWizard } from "./read-wizard.server";

forEachDatabase("the wizard of a draft", (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  test.each([
    ["5001", 151],
    ["4001", null],
  ])("warns of an age above 120: 010175-%s", async (cpr4, oldAge) => {
    const referralId = await aDraft(portal, dentist, { cpr6: "010175", cpr4 });
    for (const step of [1, 2])
      expect(await portal.as(dentist, readWizard, { referralId, step })).toMatchObject({ step, oldAge });
  });

  test("the receipt follows the scope: a secretary who has left the clinic is shown nothing", async () => {
    const clinicId = await aClinic(portal);
    const referrer = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinicId] });
    const referralId = await aReferral(portal, secretary, { referrer });
    for (const who of [secretary, referrer])
      expect(await portal.as(who, readReceipt, { referralId })).toMatchObject({ receipt: { id: referralId } });
    const moved = { ...secretary, clinicIds: [await aClinic(portal)] };
    for (const who of [moved, dentist])
      expect(await portal.as(who, readReceipt, { referralId })).toEqual({ receipt: null });
  });
});

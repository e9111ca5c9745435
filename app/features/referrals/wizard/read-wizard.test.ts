import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, aReferral, patientForm } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readReceipt } from "./operations.server";
import { readWizard } from "./read-wizard.server";
import { savePatient } from "./save-patient.server";

forEachDatabase("the wizard of a draft", { mariadb: "matrix" }, (dialect) => {
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

  test("proposes the clinic's only referrer, then the last; to staff nobody", async () => {
    const clinicId = await aClinic(portal);
    const only = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinicId] });
    const referrerOf = async (who: Person) => {
      const wizard = await portal.as(who, readWizard, { referralId: await aDraft(portal, who), step: 2 });
      return wizard.redirectTo === undefined ? [wizard.referrer?.chosen?.value, wizard.referrer?.isProposed] : [];
    };
    expect(await referrerOf(secretary)).toEqual([only.id, true]);
    const second = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    expect(await referrerOf(secretary), "neither was chosen before").toEqual([undefined, false]);
    await aReferral(portal, secretary, { referrer: second });
    expect(await referrerOf(secretary)).toEqual([second.id, true]);
    await aReferral(portal, { ...secretary, clinicIds: [clinicId, await aClinic(portal)] }, { referrer: only });
    expect(await referrerOf(secretary)).toEqual([only.id, true]);
    expect(await referrerOf(await aPerson(portal, { role: "Admin" }))).toEqual([undefined, false]);
    expect(await referrerOf(only), "a dentist is the referrer").toEqual([only.id, false]);
  });

  test("step 1 of a dentist saves step 2 too; for other roles it does not", async () => {
    const save = { withReferrer: "on", sendNotification: "on" };
    const own = await portal.as(dentist, savePatient, patientForm(save));
    expect(own.to).toMatch(/trin=3$/);
    const referralId = Number(/kladde=(\d+)/.exec(own.to!)![1]);
    expect(await portal.as(dentist, readWizard, { referralId, step: 3 })).toMatchObject({ step: 3 });
    expect(await portal.as(dentist, readWizard, { referralId, step: 2 })).toMatchObject({
      referrer: { chosen: { value: dentist.id }, sendNotification: true },
    });
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [await aClinic(portal)] });
    expect((await portal.as(secretary, savePatient, patientForm(save))).to).toMatch(/trin=2$/);
  });

  test("another referral of a patient starts with their identity, in scope only", async () => {
    const samePatientAs = await aReferral(portal, dentist, { firstName: "Åse", mobilePhone: "20123456" });
    const wizard = await portal.as(dentist, readWizard, { formKey: "same-patient", step: 1, samePatientAs });
    expect(wizard).toMatchObject({ referralId: null, patient: { firstName: "Åse", mobilePhone: "20123456" } });
    expect(wizard).not.toMatchObject({ patient: { desiredTreatment: expect.anything() } });
    const other = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await expect(
      portal.as(other, readWizard, { formKey: "same-patient", step: 1, samePatientAs }),
    ).rejects.toMatchObject({
      name: "notInScope",
    });
  });

  test("the receipt follows the scope: who has left the clinic sees nothing", async () => {
    const clinicId = await aClinic(portal);
    const referrer = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinicId] });
    const referralId = await aReferral(portal, secretary, { referrer });
    for (const who of [secretary, referrer])
      expect(await portal.as(who, readReceipt, { referralId })).toMatchObject({ receipt: { id: referralId } });
    const moved = { ...secretary, clinicIds: [await aClinic(portal)] };
    for (const who of [moved, dentist])
      expect(await portal.as(who, readReceipt, { referralId })).toMatchObject({ receipt: null, draft: null });
  });

  test("a draft has no receipt, and whoever may change it is told that it is not sent", async () => {
    const referralId = await aDraft(portal, dentist);
    expect(await portal.as(dentist, readReceipt, { referralId })).toMatchObject({
      receipt: null,
      awaiting: null,
      draft: { id: referralId },
    });
    const other = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    expect(await portal.as(other, readReceipt, { referralId })).toMatchObject({ receipt: null, draft: null });
  });
});

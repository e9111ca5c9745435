import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { readClinicalFacts } from "~/features/referrals/details/operations.server";
import { describeForm } from "~/features/referrals/details/describe-referral";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { URGENT } from "~/features/referrals/model/referral";
import { aDraft, aReferral, patientForm } from "../../../../tests/factories/referrals";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { saveClinicalFacts } from "./operations.server";
import { savePatient } from "./save-patient.server";

forEachDatabase("why a referral is urgent", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  const urgent = { withPrompts: "on", referenceType: URGENT, urgentReason: 3 };
  const reasonOf = async (referralId: number) =>
    (await portal.as(dentist, readClinicalFacts, { referralId })).urgentReason;

  test("is shown beside the urgency to staff and to the referrer", async () => {
    const read = async (person: Person, referralId: number) => {
      const { referral } = await portal.as(person, readReferral, { referralId });
      return describeForm(referral, { hasApproval: false, hasRadiographs: false });
    };
    const referralId = await aReferral(portal, dentist, urgent);
    for (const person of [admin, dentist])
      expect(await read(person, referralId)).toMatchObject({
        urgentReason: "Trismus eller synkebesvær",
        referralLines: [{ label: "Hvorfor haster det?", value: "Trismus eller synkebesvær" }],
      });
    const without = await aReferral(portal, dentist, { ...urgent, urgentReason: 0 });
    expect(await read(dentist, without)).toMatchObject({ urgentReason: null, referralLines: [] });
  });

  test("is kept by a caller who does not know it, and ends with the urgency", async () => {
    const { withPrompts: _, urgentReason: __, ...known } = patientForm(urgent);
    const referralId = await aDraft(portal, dentist, urgent);
    await portal.as(dentist, savePatient, { ...known, referralId });
    expect(await reasonOf(referralId)).toBe(3);
    await portal.as(dentist, savePatient, { ...known, referralId, referenceType: 0 });
    expect(await reasonOf(referralId)).toBe(0);
    await portal.as(dentist, saveClinicalFacts, { referralId, urgentReason: 2 });
    expect(await reasonOf(referralId)).toBe(0);
  });

  test("chosen without the urgency is asked about once", async () => {
    const form = { ...patientForm({ ...urgent, referenceType: 0 }), wasAsked: "nothing" };
    const refusal = await portal.as(dentist, savePatient, form).then(
      () => null,
      (error: Refusal) => error,
    );
    const [question] = refusal!.fields.referenceType!;
    expect(question).toContain("Trismus eller synkebesvær gemmes kun som årsag til en haste henvisning.");
    await portal.as(dentist, savePatient, { ...form, wasAsked: question });
  });
});

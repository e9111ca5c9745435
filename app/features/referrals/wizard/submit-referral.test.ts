import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aPerson } from "../../../../tests/factories/people";
import { patientForm } from "../../../../tests/factories/referrals";
import { awaitedSending } from "../../../../tests/support/portals/awaited-sending";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeLetter } from "~/files/store-file.server";
import { submitReferral } from "./send-referral.server";

forEachDatabase("a dentist sends from step 1", (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let pictures: Buffer[];
  const { begin, come, stateOf, logOf } = awaitedSending(dialect, (given) => {
    ({ portal, dentist, pictures } = given);
  });
  const submit = (ofForm: string, more: Record<string, unknown> = {}, who: Person = dentist) =>
    portal.as(
      who,
      submitReferral,
      patientForm({ formKey: ofForm, cpr4: "4510", withReferrer: "on", wasAsked: "nothing", ...more }),
    );
  const numberIn = (to: string | undefined) => Number(/\d+/.exec(to ?? "")?.[0]);

  test("saves all steps and sends, once however often it is pressed", async () => {
    const ofForm = "submit-at-once";
    await come(await begin({ ofForm }, pictures[0]!), pictures[0]!);
    const { to } = await submit(ofForm);
    expect(to).toMatch(/^\/management\/visit-sent\?nr=\d+$/);
    expect((await submit(ofForm)).to, "a second press").toBe(to);
    const id = numberIn(to);
    expect(await stateOf(id)).toEqual({ isSent: true, awaited: 0, images: 1 });
    expect(await logOf(id)).toEqual(["Henvisningen er modtaget"]);
    const changes = [
      { desiredTreatment: "Også 48" },
      { referenceType: "1" },
      { email: "ny@eksempel.dk", emailConfirm: "ny@eksempel.dk" },
    ];
    for (const changed of changes) {
      await expect(submit(ofForm, changed), "changed since").rejects.toMatchObject({ name: "alreadySent" });
    }
    expect((await submit(ofForm)).to, "unchanged again").toBe(to);
    const { emailNorm } = await portal.db
      .selectFrom("patient")
      .innerJoin("referral", "referral.patientId", "patient.id")
      .select("patient.emailNorm")
      .where("referral.id", "=", id)
      .executeTakeFirstOrThrow();
    expect(emailNorm).toBeNull();
  });

  test("waits for images that are on their way", async () => {
    const ofForm = "submit-on-its-way";
    const upload = await begin({ ofForm }, pictures[1]!);
    const id = numberIn((await submit(ofForm, { cpr4: "4511" })).to);
    expect(await stateOf(id)).toMatchObject({ isSent: false, images: 0 });
    await come(upload, pictures[1]!);
    expect(await stateOf(id)).toMatchObject({ isSent: true, images: 1 });
  });

  test("takes images that come with the form itself, with their type", async () => {
    const formKey = "submit-with-images";
    const stored = await storeLetter(portal, { name: "opg.jpg", pdf: pictures[0]! });
    const files = [{ ...stored, mime: "image/jpeg", field: "radiographs", kind: "radiograph" as const }];
    await portal.as(dentist, stageUploads, { formKey, files });
    const id = numberIn((await submit(formKey, { cpr4: "4514", radiographType: "2" })).to);
    expect(await stateOf(id)).toMatchObject({ isSent: true, images: 1 });
    const { radiographType: type } = await portal.db
      .selectFrom("referralFile")
      .select("radiographType")
      .where("referralId", "=", id)
      .executeTakeFirstOrThrow();
    expect(type).toBe(2);
  });

  test("keeps the draft on step 3 when something stands in the way", async () => {
    const { to, flash } = await submit("submit-without-images", { cpr4: "4512" });
    expect(to).toMatch(/kladde=\d+&trin=3/);
    expect(flash?.text).toContain("Tilføj mindst én fil");
    const ofForm = "submit-without-approval";
    await come(await begin({ ofForm }, pictures[2]!), pictures[2]!);
    const asked = await submit(ofForm, { cpr4: "4513", paymentType: "2" });
    expect(asked).toMatchObject({ flash: { text: expect.stringContaining("Behandlingsgodkendelsen er ikke") } });
    expect(await stateOf(numberIn(asked.to))).toMatchObject({ isSent: false, images: 1 });
  });

  test("is not for those who choose the referrer on step 2", async () => {
    const secretary = await aPerson(portal, { role: "Dentist Secretary", clinicIds: dentist.clinicIds });
    await expect(submit("submit-for-another", {}, secretary)).rejects.toMatchObject({ name: "notAllowed" });
  });
});

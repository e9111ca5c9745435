import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { buffer } from "node:stream/consumers";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { saveMessageText } from "~/features/message-settings/operations.server";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { downloadReferralPdf } from "../details/referral-pdf.server";
import { readClinicalFacts, readVisitLog } from "~/features/referrals/details/operations.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { clinicalLines } from "~/features/referrals/details/describe-referral";
import { eachFact, facts } from "~/features/referrals/model/facts";
import { NOT_STATED } from "~/features/referrals/model/known-none";
import { healthPrompts } from "~/features/referrals/model/offered-prompts";
import { readPdfText } from "~/files/pdf/pdf-text.server";
import { readWizardPage } from "~/routes/management.henvisning-tandlaeger/data.server";
import { aDraft, aReferral, patientForm } from "../../../../tests/factories/referrals";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readWizard } from "./read-wizard.server";
import { saveClinicalFacts } from "./operations.server";
import { savePatient } from "./save-patient.server";

forEachDatabase("what the form asks for beside the diagnosis", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  const written = { withPrompts: "on", allergies: "Penicillin", interpreter: "arabisk", mobilePhone: "40 12 34 56" };
  const filledIn = async (referralId: number) =>
    clinicalLines((await portal.as(admin, readReferral, { referralId })).referral).flatMap(({ label, value }) =>
      healthPrompts.some((name) => facts[name].label === label) && value !== NOT_STATED ? `${label}: ${value}` : [],
    );

  test("is emptied by a form that has the fields, and kept by a caller without them", async () => {
    const form = patientForm(written);
    const referralId = await aReferral(portal, dentist, form);
    expect(await filledIn(referralId)).toEqual(["Allergi: Penicillin", "Tolk: arabisk"]);
    expect(await portal.as(dentist, readClinicalFacts, { referralId })).toEqual({
      id: referralId,
      ...eachFact(healthPrompts, () => null),
      allergies: "Penicillin",
      interpreter: "arabisk",
      urgentReason: 0,
      radiographs: [],
    });
    const { withPrompts: _, allergies: __, interpreter: ___, ...known } = form;
    await portal.as(admin, savePatient, { ...known, referralId, comment: "Ringes op." });
    expect(await filledIn(referralId)).toEqual(["Allergi: Penicillin", "Tolk: arabisk"]);
    await portal.as(admin, savePatient, { ...known, referralId, withPrompts: "on", tobacco: "Nej" });
    expect(await filledIn(referralId)).toEqual(["Tobak: Nej"]);
  });

  test("is written for a draft and by staff for a sent referral, where it is logged", async () => {
    const draft = await aDraft(portal, dentist, written);
    await portal.as(dentist, saveClinicalFacts, { referralId: draft, medication: "Marevan", interpreter: "" });
    expect(await portal.as(dentist, readClinicalFacts, { referralId: draft })).toMatchObject({
      ...eachFact(healthPrompts, () => null),
      medication: "Marevan",
    });
    await expect(
      portal.as(dentist, saveClinicalFacts, { referralId: draft, interpreter: "x".repeat(101) }),
    ).rejects.toMatchObject({ name: "invalid" });
    const referralId = await aReferral(portal, dentist, written);
    await expect(portal.as(dentist, saveClinicalFacts, { referralId })).rejects.toMatchObject({ name: "alreadySent" });
    const { version } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, saveClinicalFacts, { referralId, tobacco: "Nej", seenVersion: version });
    expect(await filledIn(referralId)).toEqual(["Tobak: Nej"]);
    const { entries } = await portal.as(admin, readVisitLog, { referralId });
    expect(entries.map(({ event }) => event)).toContain("Patientens oplysninger er rettet");
    await expect(portal.as(admin, saveClinicalFacts, { referralId, seenVersion: version })).rejects.toMatchObject({
      name: "conflict",
    });
  });

  test("is in the referral's PDF under its name", async () => {
    const referralId = await aReferral(portal, dentist, { ...written, psyche: "Tandlægeskræk" });
    const file = path.join(portal.config.dataDir, "prompts.pdf");
    await writeFile(file, await buffer(await (await portal.as(admin, downloadReferralPdf, { referralId })).open()));
    const read = await readPdfText(file);
    const text = "text" in read ? read.text : "";
    for (const words of ["Allergi", "Penicillin", "Medicin", NOT_STATED, "Psykiske forhold", "Tandlægeskræk"])
      expect(text).toContain(words);
    expect(text).not.toContain("Alkohol");
  });

  test("of it another referral for the same patient begins with the interpreter only", async () => {
    const samePatientAs = await aReferral(portal, dentist, written);
    const wizard = await portal.as(dentist, readWizard, { formKey: `same-${dialect}`, step: 1, samePatientAs });
    expect("patient" in wizard && wizard.patient).toMatchObject({ interpreter: "arabisk" });
    expect("patient" in wizard && wizard.patient).not.toHaveProperty("allergies");
  });

  test("of allergy and medicine is unknown, none or words, as its answer says", async () => {
    const form = patientForm({ withPrompts: "on", allergiesAnswer: "none", medicationAnswer: "" });
    const referralId = await aReferral(portal, dentist, form);
    expect(await filledIn(referralId)).toEqual(["Allergi: Ingen kendte"]);
    const typed = { referralId, ...patientForm({ withPrompts: "on" }) };
    const refused = (more: object) =>
      portal.as(admin, savePatient, { ...typed, ...more }).then(
        () => null,
        (error: Refusal) => error.fields,
      );
    expect(await refused({ allergiesAnswer: "yes" })).toEqual({
      allergies: ["Skriv, hvad patienten er allergisk over for."],
    });
    expect(await refused({ medicationAnswer: "none", medication: "Marevan" })).toEqual({
      medication: ["Slet teksten, eller vælg 'Ja'."],
    });
    expect(await filledIn(referralId)).toEqual(["Allergi: Ingen kendte"]);
    await portal.as(admin, savePatient, { ...typed, allergies: "Latex", medicationAnswer: "none" });
    expect(await filledIn(referralId)).toEqual(["Allergi: Latex", "Medicin: Ingen kendte"]);
    const wizard = await portal.as(admin, readWizard, { referralId, step: 1 });
    expect("patient" in wizard && wizard.patient).toMatchObject({
      allergies: "Latex",
      allergiesAnswer: "yes",
      medication: "",
      medicationAnswer: "none",
    });
  });

  test("is offered unless the clinic has switched it off", async () => {
    const offered = async () => {
      const page = await portal.as(dentist, readWizardPage, { formKey: `offered-${dialect}`, step: 1 });
      return "offeredPrompts" in page ? page.offeredPrompts : null;
    };
    const all = healthPrompts;
    expect(await offered()).toEqual(all);
    await portal.as(admin, saveNamesAndDeadlines, { offeredPrompts: ["allergies", "interpreter"] });
    expect(await offered()).toEqual(["allergies", "interpreter"]);
    await portal.as(admin, saveNamesAndDeadlines, { offeredPrompts: all });
    expect(await offered()).toEqual(all);
  });

  test("an interpreter is shown at the call-up and named in its letter, never in its SMS", async () => {
    const [withOne, without] = [await aReferral(portal, dentist, written), await aReferral(portal, dentist)];
    const callUp = (await portal.as(admin, readOpenReferral, { referralId: withOne })).toPatient!.callUp;
    expect(callUp.interpreter).toBe("arabisk");
    const letters = [callUp, (await portal.as(admin, readOpenReferral, { referralId: without })).toPatient!.callUp].map(
      ({ ways }) => ways.find(({ body }) => body.includes("brug for tolk eller"))!,
    );
    expect(letters.map(({ body }) => body.includes("Vi har noteret, at du har brug for tolk: arabisk."))).toEqual([
      true,
      false,
    ]);
    expect(letters.map(({ missing }) => missing)).toEqual([[], []]);
    await expect(
      portal.as(admin, saveMessageText, { kind: "callUp", channel: "sms", body: "Ring. ((tolk))" }),
    ).rejects.toMatchObject({ name: "invalid" });
  });
});

import { beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { sendStatus } from "~/features/referrals/status/operations.server";
import { aReferral } from "../../../../tests/factories/referrals";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { editPatient, editPlan, editReferralDetails } from "./edit-referral.server";

forEachDatabase("editing an open referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let dentist: Person;
  let referralId: number;
  let seenVersion: number;
  const { open } = openReferralPortal(dialect, (given) => {
    ({ portal, admin, surgeon, dentist, referralId } = given);
  });
  beforeEach(async () => {
    seenVersion = (await open()).version;
  });

  const patient = {
    cpr6: "640180",
    cpr4: "2001",
    firstName: "Ærlig",
    lastName: "Østergaard",
    zip: "8000",
    city: "Århus",
    patientDoesntHaveEboks: "on",
  };
  const versionOf = async (id: number) =>
    (await portal.db.selectFrom("referral").select("version").where("id", "=", id).executeTakeFirstOrThrow()).version;
  const patientOf = (id: number) =>
    portal.db
      .selectFrom("patient")
      .innerJoin("referral", "referral.patientId", "patient.id")
      .select(["patient.id", "patient.emailNorm"])
      .where("referral.id", "=", id)
      .executeTakeFirstOrThrow();
  const refusedAs = (name: string) => expect.objectContaining({ name });

  test("saves all fields of the patient, finds the new name, and logs the author", async () => {
    await portal.as(admin, editPatient, { referralId, seenVersion, ...patient, mobilePhone: "20 00 00 00" });
    const read = await open();
    expect(read.patient).toMatchObject({
      name: "Ærlig Østergaard",
      cpr: "640180-2001",
      address: null,
      mobilePhone: "20 00 00 00",
      hasEboks: false,
    });
    expect(read.log[0]).toMatchObject({
      what: "Patientens oplysninger er rettet",
      who: `${admin.firstName} ${admin.lastName}`,
    });
    const tokens = await portal.db
      .selectFrom("referralNameToken")
      .select("token")
      .where("referralId", "=", referralId)
      .orderBy("token")
      .execute();
    expect(tokens.map(({ token }) => token)).toEqual(["aerlig", "oestergaard"]);
  });

  test("the same values again are no edit; from an older page they are a conflict", async () => {
    const plan = {
      referralId,
      seenVersion,
      operationDate: "02.12.2026",
      operationTimeHours: "09",
      operationTimeMinutes: "30",
      price: "4.850,50",
      surgeonId: surgeon.id,
      surgeonComment: "CBCT først",
      forceRadiographExport: "on",
    };
    const asked = "Der er ingen billeder at sende til arkivet.";
    expect((await portal.as(admin, editPlan, plan)).flash?.text).toBe(`Planen er rettet. ${asked}`);
    const again = { ...plan, seenVersion: seenVersion + 1 };
    expect((await portal.as(admin, editPlan, again)).flash?.text).toBe(asked);
    const { forceRadiographExport: _asked, ...unchanged } = again;
    expect((await portal.as(admin, editPlan, unchanged)).flash?.text).toBe("Ingen ændringer.");
    expect((await open()).version).toBe(seenVersion + 1);
    await expect(portal.as(admin, editPlan, { ...plan, surgeonComment: "Andet" })).rejects.toMatchObject({
      name: "conflict",
    });
    await expect(portal.as(surgeon, editPlan, plan)).rejects.toMatchObject({ name: "conflict" });
    await portal.as(admin, editPatient, { referralId, seenVersion: seenVersion + 1, ...patient });
    await portal.as(admin, editPatient, { referralId, seenVersion: seenVersion + 2, ...patient });
    expect((await open()).version).toBe(seenVersion + 2);
  });

  test("refuses an older version, and another patient's e-mail", async () => {
    const email = "aerlig@eksempel.dk";
    const other = await aReferral(portal, dentist);
    await portal.as(admin, editPatient, {
      referralId: other,
      seenVersion: await versionOf(other),
      ...patient,
      cpr4: "2004",
      email,
    });
    await portal.as(admin, editPatient, { referralId, seenVersion, ...patient, cpr4: "2002" });
    await expect(
      portal.as(surgeon, editPatient, { referralId, seenVersion, ...patient, cpr4: "2003" }),
    ).rejects.toEqual(refusedAs("conflict"));
    const theirs = { referralId, seenVersion: seenVersion + 1, ...patient, cpr4: "2003", email: "Aerlig@eksempel.dk" };
    await expect(portal.as(surgeon, editPatient, theirs)).rejects.toEqual(refusedAs("patientEmailTaken"));
    expect((await open()).patient.cpr).toBe("640180-2002");
    await portal.as(admin, editPatient, {
      referralId: other,
      seenVersion: await versionOf(other),
      ...patient,
      cpr4: "2004",
    });
    await portal.as(surgeon, editPatient, theirs);
    expect((await open()).patient).toMatchObject({ cpr: "640180-2003", email: "Aerlig@eksempel.dk" });
  });

  test("an e-mail follows a corrected CPR number, unless another referral has it", async () => {
    const email = "foelger@eksempel.dk";
    const save = async (id: number, cpr4: string) =>
      portal.as(admin, editPatient, { referralId: id, seenVersion: await versionOf(id), ...patient, cpr4, email });
    await save(referralId, "2005");
    const wrong = await patientOf(referralId);
    await save(referralId, "2006");
    expect(await patientOf(referralId)).toMatchObject({ emailNorm: email });
    expect(await portal.db.selectFrom("patient").select("id").where("id", "=", wrong.id).execute()).toEqual([]);
    const second = await aReferral(portal, dentist);
    await save(second, "2006");
    await expect(save(second, "2007")).rejects.toEqual(refusedAs("patientEmailTaken"));
    expect(await patientOf(second)).toMatchObject({ emailNorm: email });
  });

  test("an EDI referral requires an EDI id, and a normal one drops it", async () => {
    await expect(
      portal.as(admin, editReferralDetails, { referralId, seenVersion, visitType: "edi", externalId: "A1" }),
    ).rejects.toEqual(refusedAs("invalid"));
    await portal.as(admin, editReferralDetails, {
      referralId,
      seenVersion,
      visitType: "edi",
      externalId: "900123",
      makeTest: "on",
    });
    expect(await open()).toMatchObject({ ediId: "900123" });
    await portal.as(admin, editReferralDetails, {
      referralId,
      seenVersion: seenVersion + 1,
      visitType: "simple",
      externalId: "900123",
    });
    expect(await open()).toMatchObject({ ediId: null });
  });

  test("a form asks once before it makes the referral a test", async () => {
    const id = await aReferral(portal, dentist);
    const save = (wasAsked: string, version: number) =>
      portal
        .as(admin, editReferralDetails, {
          referralId: id,
          seenVersion: version,
          visitType: "simple",
          makeTest: "on",
          wasAsked,
        })
        .then(
          () => "saved",
          (error: Refusal) => error.fields?.["makeTest"]?.[0] ?? error.name,
        );
    const version = await versionOf(id);
    const question = await save("", version);
    expect(question).toMatch(/^En testhenvisning er i ingen kø/);
    expect(await versionOf(id)).toBe(version);
    expect(await save(question, version)).toBe("saved");
    expect(await save("", version + 1), "it is one already").toBe("saved");
  });

  test("saves a plan's date, time, treatment, surgeon and price; no date, no time", async () => {
    const { insertId } = await portal.db
      .insertInto("treatmentType")
      .values({
        name: "Operativ fjernelse",
        nameSort: "operativ",
        externalAppointmentIds: "10",
        patientRecommendationLink: null,
        deletedAt: null,
      })
      .executeTakeFirstOrThrow();
    const plan = {
      operationDate: "02.12.2026",
      operationTimeHours: "09",
      operationTimeMinutes: "30",
      operationDuration: "45",
      plannedTeeth: "6-, 38",
      treatmentType: Number(insertId),
      surgeonId: surgeon.id,
      price: "4.850",
      surgeonComment: "CBCT først",
    };
    await portal.as(admin, editPlan, { referralId, seenVersion, ...plan });
    expect((await open()).plan).toEqual({
      at: "02.12.2026 kl. 09.30",
      duration: "45 min.",
      treatmentType: "Operativ fjernelse",
      surgeon: `${surgeon.firstName} ${surgeon.lastName}`,
      teeth: "38 (venstre underkæbe), 46 (højre underkæbe)",
      comment: "CBCT først",
      statusComment: null,
      price: "4.850 kr.",
      flags: [],
    });
    expect((await open()).log[0]).toMatchObject({
      what: "Planen er rettet",
      treatmentType: "Operativ fjernelse",
      comment: "CBCT først",
    });
    expect((await open(admin, "plan")).edit?.plan?.values).toMatchObject({
      operationDate: "02.12.2026",
      operationTimeHours: "09",
      price: "4.850",
    });
    await portal.as(admin, editPlan, {
      referralId,
      seenVersion: seenVersion + 1,
      ...plan,
      operationDate: undefined,
      operationTimeHours: undefined,
      operationTimeMinutes: "00",
      operationDuration: undefined,
    });
    expect((await open()).plan).toMatchObject({ at: null, duration: null });
    // An unchanged comment is not logged again.
    expect((await open()).log[0]).toMatchObject({ what: "Planen er rettet", comment: null });
  });

  test.each([
    [{ operationTimeHours: "21" }, "operationTimeHours"],
    [{ operationTimeMinutes: "03" }, "operationTimeMinutes"],
  ])("refuses the time %o with a text at its field", async (time, field) => {
    const plan = { referralId, seenVersion, operationDate: "02.12.2026", ...time };
    await expect(portal.as(admin, editPlan, plan)).rejects.toMatchObject({ fields: { [field]: [expect.any(String)] } });
  });

  test("an imported time outside the offered ones stays when the price is saved", async () => {
    const imported = { operationDate: "2026-12-02", operationHour: 6, operationMinute: 17 };
    await portal.db.updateTable("referral").set(imported).where("id", "=", referralId).execute();
    const time = { operationDate: "02.12.2026", operationTimeHours: "06", operationTimeMinutes: "17" };
    await portal.as(admin, editPlan, { referralId, seenVersion, ...time, price: "900" });
    const columns = ["operationDate", "operationHour", "operationMinute", "price"] as const;
    const row = portal.db.selectFrom("referral").select(columns).where("id", "=", referralId);
    expect(await row.executeTakeFirstOrThrow()).toMatchObject({ ...imported, price: expect.anything() });
  });

  test.each([
    [{ operationDate: "31.02.2026" }, "operationDate"],
    [{ operationTimeHours: "09" }, "operationDate"],
    [{ operationDuration: "45" }, "operationDate"],
    [{ operationTimeMinutes: "30" }, "operationDate"],
    [{ price: "gratis" }, "price"],
  ])("refuses %o with a text at its field", async (plan, field) => {
    const parsed = editPlan.input.safeParse({ referralId, seenVersion, ...plan });
    expect(parsed.error?.issues.map((issue) => issue.path[0])).toEqual([field]);
  });

  test("refuses a surgeon or treatment that does not exist, unless it is the saved one", async () => {
    await expect(portal.as(admin, editPlan, { referralId, seenVersion, surgeonId: dentist.id })).rejects.toEqual(
      refusedAs("invalid"),
    );
    await expect(portal.as(admin, editPlan, { referralId, seenVersion, treatmentType: -100 })).rejects.toEqual(
      refusedAs("invalid"),
    );
    await portal.db.updateTable("referral").set({ treatmentTypeId: -100 }).where("id", "=", referralId).execute();
    await portal.as(admin, editPlan, { referralId, seenVersion, treatmentType: -100 });
    expect((await open()).plan.treatmentType).toBe("Ukendt behandling");
  });

  test("mails the status to the referrer and logs it", async () => {
    await portal.as(admin, sendStatus, { referralId });
    const waiting = await portal.db
      .selectFrom("outbox")
      .select(["channel", "referralId", "userId"])
      .where("referralId", "=", referralId)
      .execute();
    expect(waiting).toEqual([{ channel: "email", referralId, userId: dentist.id }]);
    expect((await open()).log[0]).toMatchObject({
      what: `Status sendes til ${dentist.firstName} ${dentist.lastName}`,
      type: "email",
    });
  });

  test("a status comment is not saved when its status has left, and that is said", async () => {
    const comment = { referralId, seenVersion, notNeedTreatmentComment: "Har fundet en anden klinik" };
    expect((await portal.as(admin, editPlan, comment)).flash?.text).toContain("Kommentaren til status er ikke gemt");
    await portal.db.updateTable("referral").set({ status: 8 }).where("id", "=", referralId).execute();
    expect((await open()).plan.statusComment).toBeNull();
    await portal.as(admin, editPlan, comment);
    expect((await open()).plan.statusComment).toBe("Har fundet en anden klinik");
  });
});

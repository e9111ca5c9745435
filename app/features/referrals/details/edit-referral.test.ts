import { beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendStatus } from "~/features/referrals/status/send-status.server";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { editPatient, editPlan, editReferralDetails } from "./edit-referral.server";

forEachDatabase("editing an open referral", (dialect) => {
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
  const refusedAs = (name: string) => expect.objectContaining({ name });

  test("saves all fields of the patient, finds them by the new name, and logs who changed them", async () => {
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
      .selectFrom("referral_name_token")
      .select("token")
      .where("referral_id", "=", referralId)
      .orderBy("token")
      .execute();
    expect(tokens.map(({ token }) => token)).toEqual(["aerlig", "oestergaard"]);
  });

  test("pressing the button twice saves once; the same values from a colleague's older page are a conflict", async () => {
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
    for (let press = 0; press < 2; press += 1)
      expect((await portal.as(admin, editPlan, plan)).flash?.text).toBe(
        press === 0 ? "Planen er rettet. Der er ingen billeder at sende til arkivet." : "Planen er rettet.",
      );
    expect((await open()).version).toBe(seenVersion + 1);
    await expect(portal.as(admin, editPlan, { ...plan, surgeonComment: "Andet" })).rejects.toMatchObject({
      name: "conflict",
    });
    await expect(portal.as(surgeon, editPlan, plan)).rejects.toMatchObject({ name: "conflict" });
    for (let press = 0; press < 2; press += 1)
      await portal.as(admin, editPatient, { referralId, seenVersion: seenVersion + 1, ...patient });
    expect((await open()).version).toBe(seenVersion + 2);
  });

  test("does not overwrite a newer version, and refuses another patient's e-mail", async () => {
    await portal.as(admin, editPatient, {
      referralId,
      seenVersion,
      ...patient,
      cpr4: "2002",
      email: "aerlig@eksempel.dk",
    });
    await expect(
      portal.as(surgeon, editPatient, { referralId, seenVersion, ...patient, cpr4: "2003" }),
    ).rejects.toEqual(refusedAs("conflict"));
    await expect(
      portal.as(surgeon, editPatient, {
        referralId,
        seenVersion: seenVersion + 1,
        ...patient,
        cpr4: "2003",
        email: "Aerlig@eksempel.dk",
      }),
    ).rejects.toEqual(refusedAs("patientEmailTaken"));
    expect((await open()).patient.cpr).toBe("640180-2002");
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

  test("saves a plan's date, time, treatment, surgeon and price; without a date it has no time", async () => {
    const { insertId } = await portal.db
      .insertInto("treatment_type")
      .values({
        name: "Operativ fjernelse",
        name_sort: "operativ",
        external_appointment_ids: "10",
        patient_recommendation_link: null,
        deleted_at: null,
      })
      .executeTakeFirstOrThrow();
    const plan = {
      operationDate: "02.12.2026",
      operationTimeHours: "09",
      operationTimeMinutes: "30",
      operationDuration: "45",
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
      operationDuration: undefined,
    });
    expect((await open()).plan).toMatchObject({ at: null, duration: null });
    // A comment that did not change is not mentioned again.
    expect((await open()).log[0]).toMatchObject({ what: "Planen er rettet", comment: null });
  });

  test.each([
    [{ operationDate: "31.02.2026" }, "operationDate"],
    [{ operationDate: "02.12.2026", operationTimeHours: "21" }, "operationTimeHours"],
    [{ operationTimeHours: "09" }, "operationDate"],
    [{ operationDuration: "45" }, "operationDate"],
    [{ operationTimeMinutes: "03" }, "operationTimeMinutes"],
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
    await portal.db.updateTable("referral").set({ treatment_type_id: -100 }).where("id", "=", referralId).execute();
    await portal.as(admin, editPlan, { referralId, seenVersion, treatmentType: -100 });
    expect((await open()).plan.treatmentType).toBe("Ukendt behandling");
  });

  test("mails the status to the referrer and logs it", async () => {
    await portal.as(admin, sendStatus, { referralId });
    const waiting = await portal.db
      .selectFrom("outbox")
      .select(["channel", "referral_id", "user_id"])
      .where("referral_id", "=", referralId)
      .execute();
    expect(waiting).toEqual([{ channel: "email", referral_id: referralId, user_id: dentist.id }]);
    expect((await open()).log[0]).toMatchObject({
      what: `Status sendes til ${dentist.firstName} ${dentist.lastName}`,
      type: "email",
    });
  });

  test("a comment to the status that was typed while the status left is not saved, and that is said", async () => {
    const comment = { referralId, seenVersion, notNeedTreatmentComment: "Har fundet en anden klinik" };
    expect((await portal.as(admin, editPlan, comment)).flash?.text).toContain("Kommentaren til status er ikke gemt");
    await portal.db.updateTable("referral").set({ status: 8 }).where("id", "=", referralId).execute();
    expect((await open()).plan.statusComment).toBeNull();
    await portal.as(admin, editPlan, { ...comment, seenVersion: seenVersion + 1 });
    expect((await open()).plan.statusComment).toBe("Har fundet en anden klinik");
  });
});

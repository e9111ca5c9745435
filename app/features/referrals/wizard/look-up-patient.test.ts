import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { limits } from "~/access/throttle.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import type { Db } from "~db/connection.server";
import { findNameOfNumber } from "~/features/referrals/store/patient-store.server";
import { findLastSaid } from "~/features/referrals/store/wizard-store.server";
import { plansOf } from "../../../../tests/support/query-plans";
import { savePatient } from "./save-patient.server";
import { checkCpr, fetchAddress, fetchKnownPatient, fetchPatient } from "./look-up-patient.server";

forEachDatabase("looking a patient up", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let stranger: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  const found = async (who: Person, operation: typeof fetchKnownPatient, boxes: { cpr6: string; cpr4: string }) =>
    (await portal.as(who, operation, boxes)).data;

  test("'Gem data' answers the newest referral's fields, with its e-mail", async () => {
    const cpr = { cpr6: "610183", cpr4: "4321" };
    await aReferral(portal, dentist, { ...cpr, address: "Gammelvej 1" });
    portal.clock.advance({ minutes: 1 });
    await aDraft(portal, dentist, {
      ...cpr,
      address: "Nyvej 2",
      email: "aase@eksempel.dk",
      emailConfirm: "aase@eksempel.dk",
    });
    const known = await found(dentist, fetchKnownPatient, cpr);
    expect(known).toMatchObject({ lookUp: { button: "fetchKnownPatient", outcome: "known" } });
    expect(known.values).toEqual({
      firstName: "Søren",
      lastName: "Møller",
      address: "Nyvej 2",
      zip: "8000",
      city: "Aarhus",
      email: "aase@eksempel.dk",
      emailConfirm: "aase@eksempel.dk",
    });
    expect(await found(stranger, fetchKnownPatient, cpr)).toMatchObject({
      values: {},
      drafts: [],
      openReferrals: [],
      lookUp: { outcome: "unknown" },
    });
  });

  test("Enter takes names and address from the register, and the rest from a referral", async () => {
    await portal.db.deleteFrom("throttle").execute();
    const nancy = { cpr6: "251248", cpr4: "9996" };
    expect(await found(dentist, fetchPatient, nancy)).toMatchObject({
      values: { firstName: "Nancy Ann", zip: "3400" },
      lookUp: { button: "fetchAddress", outcome: "fetchedTestData" },
      age: 77,
    });
    await aDraft(portal, dentist, { ...nancy, firstName: "Nanna", address: "Gammelvej 1", mobilePhone: "20123456" });
    expect(await found(dentist, fetchPatient, nancy)).toMatchObject({
      values: { firstName: "Nancy Ann", address: "Testpark Allé 48", mobilePhone: "20123456" },
      lookUp: { button: "fetchAddress", outcome: "fetchedTestData", isAlsoKnown: true },
    });
    expect((await found(stranger, fetchPatient, nancy)).values, "of another clinic").not.toHaveProperty("mobilePhone");

    const unlisted = { cpr6: "610183", cpr4: "4325" };
    await aDraft(portal, dentist, { ...unlisted, address: "Åvej 2" });
    expect(await found(dentist, fetchPatient, unlisted)).toMatchObject({
      values: { address: "Åvej 2" },
      lookUp: { button: "fetchKnownPatient", outcome: "known" },
    });

    const hidden = { cpr6: "610180", cpr4: "9990" };
    await aDraft(portal, dentist, { ...hidden, address: "Skjult 3", mobilePhone: "20123457" });
    const answer = await found(dentist, fetchPatient, hidden);
    expect(answer).toMatchObject({ values: { mobilePhone: "20123457" }, lookUp: { outcome: "protected" } });
    expect(answer.values).not.toHaveProperty("address");
  });

  test("a CPR number answers drafts and open referrals in scope", async () => {
    const cpr = { cpr6: "610184", cpr4: "4322" };
    const sent = await aReferral(portal, dentist, cpr);
    const draft = await aDraft(portal, dentist, cpr);
    expect(await found(dentist, checkCpr, cpr)).toMatchObject({
      values: {},
      lookUp: null,
      drafts: [{ id: draft, date: "2026-12-01" }],
      openReferrals: [{ id: sent, date: "2026-12-01" }],
    });
    expect(await found(stranger, checkCpr, cpr)).toMatchObject({ drafts: [], openReferrals: [] });
  });

  test("an earlier referral's allergy is said to those who may read it, and is logged", async () => {
    const cpr = { cpr6: "610187", cpr4: "4325" };
    const said = { ...cpr, withPrompts: "on", allergies: "Penicillin" };
    const older = await aReferral(portal, dentist, said);
    portal.clock.advance({ minutes: 1 });
    await aReferral(portal, dentist, { ...cpr, withPrompts: "on", medicationAnswer: "none" });
    portal.clock.advance({ minutes: 1 });
    await aDraft(portal, dentist, { ...said, allergies: "Latex" });
    const { lastSaid } = await found(dentist, fetchKnownPatient, cpr);
    expect(lastSaid).toMatchObject({
      allergies: { id: older, date: "2026-12-01", text: "Penicillin" },
      medication: { text: "Ingen kendte" },
    });
    expect(await found(stranger, fetchKnownPatient, cpr)).toMatchObject({ lastSaid: {} });
    await portal.audit.flush();
    const read = await portal.db
      .selectFrom("auditReferral")
      .innerJoin("auditEvent", "auditEvent.id", "auditReferral.auditEventId")
      .select("actorId")
      .where("referralId", "=", older)
      .where("operation", "=", "fetchKnownPatient")
      .execute();
    expect(read.map(({ actorId }) => actorId)).toEqual([dentist.id]);
  });

  test.runIf(dialect === "sqlite")("referrals of a number are found by its index", async () => {
    const cpr = "610187-4325";
    for (const find of [
      (db: Db) => findLastSaid(db, portal.secrets, dentist, cpr),
      (db: Db) => findNameOfNumber(db, portal.secrets, cpr, { except: 1, actor: dentist }),
      (db: Db) => findNameOfNumber(db, portal.secrets, cpr, { except: 1 }),
    ]) {
      const [plan] = await plansOf(portal.db, find);
      expect(plan!.steps.join()).toMatch(/^SEARCH referral USING INDEX referral_by_cpr/);
    }
  });

  test("audits which patient was looked up by a keyed hash only", async () => {
    await portal.audit.flush();
    await portal.db.deleteFrom("auditEvent").execute();
    for (const operation of [checkCpr, fetchKnownPatient, fetchAddress])
      await found(dentist, operation, { cpr6: "251248", cpr4: "9996" });
    await portal.audit.flush();
    const rows = await portal.db
      .selectFrom("auditEvent")
      .select(["operation", "cprHash", "detail"])
      .orderBy("id")
      .execute();
    expect(rows.map((row) => [row.operation, row.cprHash])).toEqual(
      ["checkCpr", "fetchKnownPatient", "fetchAddress"].map((name) => [
        name,
        portal.secrets.lookup("cpr", "251248-9996"),
      ]),
    );
    expect(JSON.stringify(rows)).not.toContain("251248");
  });

  test("past the limit a taken and a free e-mail are refused alike", async () => {
    await aReferral(portal, stranger, {
      cpr6: "610185",
      cpr4: "4323",
      email: "kendt@eksempel.dk",
      emailConfirm: "kendt@eksempel.dk",
    });
    const save = (email: string, more = {}) =>
      aDraft(portal, dentist, { cpr6: "610186", cpr4: "4324", email, emailConfirm: email, ...more }).then(
        () => "saved",
        (error: Error) => error.name,
      );
    await portal.db.deleteFrom("throttle").execute();
    expect([await save("kendt@eksempel.dk"), await save("ukendt@eksempel.dk")]).toEqual(["patientEmailTaken", "saved"]);
    expect((await portal.db.selectFrom("throttle").select("hits").execute()).map(({ hits }) => Number(hits))).toEqual([
      2,
    ]);
    await portal.db.updateTable("throttle").set({ hits: limits.patientEmail.hits }).execute();
    for (const more of [{}, { addressProtected: "on", address: "", zip: "", city: "" }]) {
      expect([await save("kendt@eksempel.dk", more), await save("andet@eksempel.dk", more)]).toEqual([
        "tooManyAttempts",
        "tooManyAttempts",
      ]);
    }
  });

  test("whoever has no fixed abode is referred without an address, and nobody else is", async () => {
    const abode = { cpr6: "630180", cpr4: "9990" };
    expect(await found(dentist, fetchAddress, abode)).toMatchObject({
      values: { firstName: "Åge Opdigtet", lastName: "Vandring", withoutAddress: "on" },
      lookUp: { outcome: "noAddress" },
    });
    const save = (cpr: { cpr6: string; cpr4: string }, more: object = {}) =>
      portal.as(dentist, savePatient, {
        formKey: "abode",
        firstName: "Åge",
        lastName: "Vandring",
        desiredTreatment: "48.",
        ...cpr,
        ...more,
      });
    expect(await save(abode, { withoutAddress: "on" })).toMatchObject({ to: expect.stringContaining("trin=2") });
    await expect(save(abode)).rejects.toMatchObject({ name: "invalid" });
    await expect(
      save({ cpr6: "251248", cpr4: "9996" }, { withoutAddress: "on", formKey: "other" }),
    ).rejects.toMatchObject({ name: "invalid", fields: { address: ["Skriv patientens adresse."] } });
  });

  test("'Hent adresse' distinguishes found, not found, protected and dead", async () => {
    expect(await found(dentist, fetchAddress, { cpr6: "251248", cpr4: "9996" })).toMatchObject({
      values: { firstName: "Nancy Ann", lastName: "Berggren", zip: "3400", addressProtected: "" },
      lookUp: { outcome: "fetchedTestData" },
    });
    const unknown = () => found(dentist, fetchAddress, { cpr6: "610199", cpr4: "1234" });
    expect(await unknown(), "the register is not set").toMatchObject({ lookUp: { outcome: "notAsked" } });
    const { personRegister } = portal;
    portal.personRegister = { ...personRegister, isReal: true };
    expect(await unknown()).toMatchObject({ values: { addressProtected: "" }, lookUp: { outcome: "notFound" } });
    portal.personRegister = personRegister;
    expect(await found(dentist, fetchAddress, { cpr6: "610180", cpr4: "9990" })).toMatchObject({
      values: { addressProtected: "on" },
      lookUp: { outcome: "protected" },
    });
    const dead = await found(dentist, fetchAddress, { cpr6: "620135", cpr4: "9990" });
    expect(dead).toMatchObject({ lookUp: { outcome: "dead" } });
    expect(dead.values, "what was typed of an address stays").toEqual({
      firstName: "Søren Opdigtet",
      lastName: "Død",
      addressProtected: "",
      withoutAddress: "",
    });
    await expect(portal.as(dentist, fetchAddress, { cpr6: "61018", cpr4: "" })).rejects.toMatchObject({
      name: "invalid",
    });
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { checkCpr, fetchAddress, fetchKnownPatient } from "./look-up-patient.server";

forEachDatabase("looking a patient up", (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let stranger: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  const found = async (who: Person, operation: typeof fetchKnownPatient, boxes: { cpr6: string; cpr4: string }) => (await portal.as(who, operation, boxes)).found!;

  test("'Gem data' answers what the newest referral in one's own scope knows, e-mail and its confirmation alike, and nothing that is empty", async () => {
    const cpr = { cpr6: "610183", cpr4: "4321" };
    await aReferral(portal, dentist, { ...cpr, address: "Gammelvej 1" });
    portal.clock.advance({ minutes: 1 });
    await aDraft(portal, dentist, { ...cpr, address: "Nyvej 2", email: "aase@eksempel.dk", emailConfirm: "aase@eksempel.dk" });
    const known = await found(dentist, fetchKnownPatient, cpr);
    expect(known).toMatchObject({ lookUp: { button: "fetchKnownPatient", succeeded: true } });
    // No key for the telephone: what was typed there stays.
    expect(known.values).toEqual({ firstName: "Søren", lastName: "Møller", address: "Nyvej 2", zip: "8000", city: "Aarhus", email: "aase@eksempel.dk", emailConfirm: "aase@eksempel.dk" });
    expect(await found(stranger, fetchKnownPatient, cpr)).toMatchObject({ values: {}, drafts: [], openReferrals: [], lookUp: { succeeded: false } });
  });

  test("a number brings its drafts and open referrals of one's own scope, by id and date", async () => {
    const cpr = { cpr6: "610184", cpr4: "4322" };
    const sent = await aReferral(portal, dentist, cpr);
    const draft = await aDraft(portal, dentist, cpr);
    expect(await found(dentist, checkCpr, cpr)).toMatchObject({ values: {}, lookUp: null, drafts: [{ id: draft, date: "01.12.2026" }], openReferrals: [{ id: sent, date: "01.12.2026" }] });
    expect(await found(stranger, checkCpr, cpr)).toMatchObject({ drafts: [], openReferrals: [] });
  });

  test("'Hent adresse': found, not found, and protected, each with its words", async () => {
    expect(await found(dentist, fetchAddress, { cpr6: "251248", cpr4: "9996" })).toMatchObject({ values: { firstName: "Nancy Ann", lastName: "Berggren", zip: "3400", addressProtected: "" }, lookUp: { succeeded: true } });
    expect(await found(dentist, fetchAddress, { cpr6: "610199", cpr4: "1234" })).toMatchObject({ values: { addressProtected: "" }, lookUp: { succeeded: false, kind: "notFound" } });
    expect(await found(dentist, fetchAddress, { cpr6: "610180", cpr4: "9990" })).toMatchObject({ values: { addressProtected: "on" }, lookUp: { succeeded: false, kind: "protected" } });
    await expect(portal.as(dentist, fetchAddress, { cpr6: "61018", cpr4: "" })).rejects.toMatchObject({ name: "invalid" });
  });
});

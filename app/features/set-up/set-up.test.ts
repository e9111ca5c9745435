import { afterAll, beforeAll, expect, test } from "vitest";
import { createAdminAccount } from "~/features/accounts/create-account.server";
import { createClinic } from "~/features/clinics/operations.server";
import { createUser } from "~/features/people/create-user.server";
import { savePortalText } from "~/features/portal-texts/operations.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { addTreatmentType } from "~/features/referrals/treatment-types/operations.server";
import type { Person } from "~/access/actor";
import { aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { findSetUp, putAwaySetUp } from "./operations.server";

forEachDatabase("the first run", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    await portal.as({ kind: "system", job: "command" }, createAdminAccount, {
      userName: "foerste",
      firstName: "Åse",
      lastName: "Kjær",
      email: "aase@eksempel.dk",
      password: "EtLangtKodeord7",
    });
    const { id } = await portal.db.selectFrom("user").select("id").executeTakeFirstOrThrow();
    admin = { ...(await aPerson(portal, { role: "Admin" })), id };
  });
  afterAll(() => portal.close());

  const steps = async () => (await findSetUp(portal, admin)).missing;

  test("lists missing steps until they are done, to those who may do them", async () => {
    expect(await steps()).toEqual([
      "letterhead",
      "openingHours",
      "conditions",
      "treatmentTypes",
      "clinics",
      "referrers",
      "testMessage",
    ]);
    await portal.as(admin, savePortalText, { kind: "conditions", body: "A", buttonText: "OK" });
    await portal.as(admin, addTreatmentType, { name: "Kæbe" });
    const clinic = {
      name: "Ø",
      address: "Vej 1",
      zip: "8000",
      city: "Aarhus",
      email: "k@eksempel.dk",
      phone: "10 00 00 01",
    };
    await portal.as(admin, createClinic, { ...clinic, formKey: "clinic" });
    expect(await steps()).toEqual(["letterhead", "openingHours", "referrers", "testMessage"]);
    const { id: clinicId } = await portal.db.selectFrom("clinic").select("id").executeTakeFirstOrThrow();
    await portal.as(admin, createUser, {
      formKey: "user",
      type: 1,
      firstName: "Bo",
      lastName: "Dahl",
      userName: "bdahl",
      email: "b@eksempel.dk",
      clinicId,
    });
    expect(await steps()).toEqual(["letterhead", "openingHours", "testMessage"]);
    for (const role of ["Dentist", "Surgeon"] as const)
      expect((await findSetUp(portal, await aPerson(portal, { role }))).missing).toEqual([]);
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).execute();
    expect(await steps()).toEqual(["letterhead", "openingHours"]);
  });

  test("a dismissed step is not shown again; a step that goes missing later is", async () => {
    const visit = () => portal.as(admin, listReferrals, { begins: true });
    expect(await visit()).toEqual({ redirectTo: "/management/overview/opsaetning" });
    await portal.as(admin, putAwaySetUp, {});
    const list = await visit();
    expect("setUpMissing" in list && list.setUpMissing).toBe(0);
    await portal.db.deleteFrom("portalText").execute();
    // Missing steps are read again after a minute.
    await portal.cache.invalidate("set-up");
    expect(await steps()).toEqual(["letterhead", "openingHours", "conditions"]);
  });

  test("in production channels and the register that are not configured are missing too", async () => {
    const config = { ...portal.config, production: true };
    const mode = "notConfigured" as const;
    const bare = { ...portal, config, sms: { ...portal.sms, mode }, email: { ...portal.email, mode } };
    expect((await findSetUp(bare, admin)).missing).toEqual([
      "letterhead",
      "openingHours",
      "conditions",
      "clinicName",
      "support",
      "email",
      "sms",
      "personRegister",
    ]);
    const own = { ...config, clinicName: "Ø Klinik", supportEmail: "hjaelp@klinik.dk", supportPhone: "86 00 00 00" };
    const { missing } = await findSetUp({ ...portal, config: own }, admin);
    expect(missing).toEqual(["letterhead", "openingHours", "conditions", "sender", "personRegister"]);
  });
});

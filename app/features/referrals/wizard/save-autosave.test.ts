import { afterAll, beforeAll, expect, test } from "vitest";
import { removeExpired } from "~/features/maintenance/operations.server";
import { findAutosaves } from "~/features/referrals/store/wizard-store.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { saveAutosave } from "./operations.server";

forEachDatabase("autosave by form and CPR number", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  test("a CPR number alone is not autosaved", async () => {
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await portal.as(dentist, saveAutosave, {
      formKey: "lone-number-form",
      cpr6: "251248",
      cpr4: "",
      typedFor: "",
      visitType: "simple",
      paymentType: "0",
      comment: "",
    });
    expect(await findAutosaves(portal.db, portal.secrets, dentist.id, "lone-number-form")).toEqual([]);
  });

  test("keeps a person's 50 newest copies, for 30 days after their last change", async () => {
    const system = { kind: "system", job: "test" } as const;
    const owner = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const keys = Array.from({ length: 52 }, (_, index) => `begun-form-${index}`);
    for (const key of keys) {
      portal.clock.advance({ minutes: 1 });
      await portal.as(owner, saveAutosave, {
        formKey: key,
        cpr6: "610180",
        cpr4: "7001",
        typedFor: "610180-7001",
        comment: key,
      });
    }
    const left = async () =>
      (
        await portal.db.selectFrom("autosave").select("formKey").where("userId", "=", owner.id).orderBy("id").execute()
      ).map((row) => row.formKey);
    expect(await left()).toEqual(keys.slice(2));
    portal.clock.advance({ days: 29 });
    await portal.as(owner, saveAutosave, {
      formKey: keys[2],
      cpr6: "610180",
      cpr4: "7001",
      typedFor: "610180-7001",
      comment: "typed on",
    });
    portal.clock.advance({ days: 2 });
    await portal.as(system, removeExpired, {});
    expect(await left()).toEqual([keys[2]]);
  });
});

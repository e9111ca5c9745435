import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { deleteDraft } from "~/features/drafts/operations.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

forEachDatabase("a patient's e-mail", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  const draft = (cpr4: string, email?: string, more = {}) =>
    aDraft(portal, dentist, { cpr6: "610187", cpr4, email, emailConfirm: email, ...more });
  const patients = () => portal.db.selectFrom("patient").select(["id", "emailNorm"]).orderBy("id").execute();

  test("follows a draft to its corrected CPR number, free once deleted", async () => {
    const email = "draft@eksempel.dk";
    const referralId = await draft("4001", email);
    const before = await patients();
    await draft("4002", email, { referralId });
    expect((await patients()).map(({ emailNorm: norm }) => norm)).toEqual([email]);
    expect((await patients()).map(({ id }) => id)).not.toEqual(before.map(({ id }) => id));
    await expect(draft("4003", email)).rejects.toMatchObject({ name: "patientEmailTaken" });
    await portal.as(dentist, deleteDraft, { referralId });
    await draft("4003", email);
    expect((await patients()).map(({ emailNorm: norm }) => norm)).toEqual([null, email]);
  });

  test("two drafts of one new patient at the same moment are both saved", async () => {
    const saved = await Promise.all(["a@eksempel.dk", "a@eksempel.dk", undefined].map((email) => draft("4004", email)));
    expect(new Set(saved).size).toBe(3);
    expect((await patients()).filter(({ emailNorm: norm }) => norm === "a@eksempel.dk")).toHaveLength(1);
  });
});

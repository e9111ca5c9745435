import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { saveReferrer } from "./save-referrer.server";

const REFUSED = { name: "invalid", fields: { referrerId: ["Vælg en henviser fra listen."] } };

forEachDatabase("the referrer whose name stands in the field", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let secretary: Person;
  let referralId: number;
  const dentists: Person[] = [];
  const label = ({ firstName, lastName }: Person) => `${firstName} ${lastName} (klinik: Åens klinik)`;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinicIds = [await aClinic(portal, "Åens klinik")];
    secretary = await aPerson(portal, { role: "Secretary", clinicIds });
    for (const userName of ["first", "second", "twin"])
      dentists.push(await aPerson(portal, { role: "Dentist", clinicIds, userName }));
    referralId = await aDraft(portal, secretary);
  });
  afterAll(() => portal.close());

  const save = (form: object) => portal.as(secretary, saveReferrer, { referralId, ...form });
  const saved = async () =>
    (await portal.db.selectFrom("referral").select("referrerId").where("id", "=", referralId).executeTakeFirstOrThrow())
      .referrerId;

  test("a name that is another's than the submitted id's is refused", async () => {
    const [first, second] = dentists as [Person, Person];
    await save({ referrerId: first.id, referrerIdText: label(first) });
    await expect(save({ referrerId: first.id, referrerIdText: label(second) })).rejects.toMatchObject(REFUSED);
    await expect(save({ referrerId: first.id, referrerIdText: "zzzz" })).rejects.toMatchObject(REFUSED);
    expect(await saved()).toBe(first.id);
  });

  test("a name without an id chooses the only one it fits, and is refused otherwise", async () => {
    const [first, second, twin] = dentists as [Person, Person, Person];
    await save({ referrerIdText: "kjaer second" });
    expect(await saved()).toBe(second.id);
    await save({ referrerIdText: label(first) });
    expect(await saved()).toBe(first.id);
    for (const referrerIdText of ["åse", "zzzz", "–"])
      await expect(save({ referrerIdText }), referrerIdText).rejects.toMatchObject(REFUSED);
    const named = await portal.db
      .selectFrom("user")
      .select(["lastName", "nameNorm", "nameSort"])
      .where("id", "=", second.id)
      .executeTakeFirstOrThrow();
    await portal.db.updateTable("user").set(named).where("id", "=", twin.id).execute();
    await expect(save({ referrerIdText: label(second) })).rejects.toMatchObject(REFUSED);
    // A namesake chosen from the list is identified by its id.
    await save({ referrerId: twin.id, referrerIdText: label(second) });
    expect(await saved()).toBe(twin.id);
  });

  test("without a name the id counts, and without either somebody must be chosen", async () => {
    const [first] = dentists as [Person];
    await save({ referrerId: first.id });
    expect(await saved()).toBe(first.id);
    await expect(save({})).rejects.toMatchObject({ fields: { referrerId: ["Vælg en henviser."] } });
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    for (const referrerIdText of [undefined, label(stranger)])
      await expect(save({ referrerId: stranger.id, referrerIdText })).rejects.toMatchObject({ name: "otherClinic" });
    await expect(save({ referrerIdText: label(stranger) })).rejects.toMatchObject(REFUSED);
  });
});

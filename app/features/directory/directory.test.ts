import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import {
  findClinicChoices,
  findSurgeonChoices,
  findSurgeons,
  listClinics,
  listReferrers,
  listSurgeons,
  readClinic,
  findReferrer,
  findReferrers,
  findReferrersByIds,
  findReferrerToName,
  referrerChoices,
  referrerLabel,
} from "./operations.server";

forEachDatabase("the directory", (dialect) => {
  let portal: TestPortal;
  let own: number;
  let other: number;
  let closed: number;
  let people: Record<
    "admin" | "surgeon" | "former" | "secretary" | "dentist" | "colleague" | "stranger" | "inactive",
    Person
  >;

  const deactivate = (person: Person) =>
    portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    own = await aClinic(portal, "Åboulevardens Tandlæger");
    other = await aClinic(portal, "Bredgades Tandlæger");
    closed = await aClinic(portal, "Centrum Tand");
    await portal.db.updateTable("clinic").set({ status: 0 }).where("id", "=", closed).execute();
    people = {
      admin: await aPerson(portal, { role: "Admin" }),
      surgeon: await aPerson(portal, { role: "Surgeon", userName: "anders" }),
      former: await aPerson(portal, { role: "Surgeon", userName: "bente" }),
      secretary: await aPerson(portal, { role: "Dentist Secretary", clinicIds: [own] }),
      dentist: await aPerson(portal, { role: "Dentist", userName: "mette", clinicIds: [own] }),
      colleague: await aPerson(portal, { role: "Dentist", userName: "øjvind", clinicIds: [other, own] }),
      stranger: await aPerson(portal, { role: "Dentist", userName: "niels", clinicIds: [other] }),
      inactive: await aPerson(portal, { role: "Dentist", userName: "ole", clinicIds: [own] }),
    };
    await deactivate(people.former);
    await deactivate(people.inactive);
  });
  afterAll(() => portal.close());

  const names = (referrers: { id: number }[]) =>
    referrers.map(({ id }) => Object.entries(people).find(([, person]) => person.id === id)?.[0]);

  test("lists active clinics by name: all to staff, their own to others", async () => {
    const seenBy = async (person: Person) => (await portal.as(person, listClinics, {})).clinics.map(({ id }) => id);
    expect(await seenBy(people.admin)).toEqual([other, own]);
    expect(await seenBy(people.secretary)).toEqual([own]);
    expect(await seenBy(people.stranger)).toEqual([other]);
  });

  test("reads a clinic's card within the scope, and no inactive one", async () => {
    expect(await portal.as(people.secretary, readClinic, { clinicId: own })).toMatchObject({
      id: own,
      name: "Åboulevardens Tandlæger",
      zip: "8000",
    });
    for (const [person, clinicId] of [
      [people.secretary, other],
      [people.admin, closed],
      [people.admin, 999_999],
    ] as const)
      await expect(portal.as(person, readClinic, { clinicId })).rejects.toMatchObject({
        name: "notInScope",
        text: expect.stringContaining("Klinikken findes ikke"),
      });
  });

  test("finds active referrers in reach, by any clinic, in Danish order", async () => {
    expect(names(await findReferrers(portal.db, people.admin, ""))).toEqual(["dentist", "stranger", "colleague"]);
    expect(names(await findReferrers(portal.db, people.secretary, ""))).toEqual(["dentist", "colleague"]);
    expect((await portal.as(people.admin, listReferrers, {})).referrers.map(({ clinic }) => clinic)).toEqual([
      "Åboulevardens Tandlæger",
      "Bredgades Tandlæger",
      "Bredgades Tandlæger",
    ]);
  });

  test("finds referrers by every word of the name or the clinic, regardless of accents", async () => {
    expect(names(await findReferrers(portal.db, people.admin, "OEJVIND"))).toEqual(["colleague"]);
    expect(names(await findReferrers(portal.db, people.admin, "ase bredgade"))).toEqual(["stranger", "colleague"]);
    expect(await findReferrers(portal.db, people.admin, "mette bredgade")).toEqual([]);
    expect(names(await findReferrers(portal.db, people.admin, "mette%åboulevard"))).toEqual(["dentist"]);
    expect(names(await findReferrers(portal.db, people.admin, "åboulevard%mette"))).toEqual(["dentist"]);
    expect(await findReferrers(portal.db, people.admin, "", 2)).toHaveLength(2);
  });

  test("names only referrers in reach, but shows who a referral came from", async () => {
    expect(await findReferrerToName(portal.db, people.secretary, people.colleague.id)).not.toBeNull();
    for (const { id } of [people.stranger, people.inactive, people.admin])
      expect(await findReferrerToName(portal.db, people.secretary, id)).toBeNull();
    expect(await findReferrer(portal.db, people.inactive.id)).toMatchObject({ clinicId: own });
    expect(
      names(await findReferrersByIds(portal.db, [people.inactive.id, people.dentist.id, people.admin.id])),
    ).toEqual(["dentist", "inactive"]);
    expect(await findReferrersByIds(portal.db, [])).toEqual([]);
  });

  test("labels a referrer with their clinic, if there is one", () => {
    expect(referrerLabel({ name: "Åse Kjær", clinicName: "Bredgade" })).toBe("Åse Kjær (klinik: Bredgade)");
    expect(referrerLabel({ name: "Åse Kjær", clinicName: "" })).toBe("Åse Kjær");
  });

  test("lists active surgeons, and an inactive one where it is chosen already", async () => {
    expect(names((await portal.as(people.admin, listSurgeons, {})).surgeons)).toEqual(["surgeon"]);
    expect(names(await findSurgeons(portal.db, people.former.id))).toEqual(["surgeon", "former"]);
  });

  test("namesakes are offered with what tells them apart: e-mail or address", async () => {
    const twin = await aClinic(portal, "Åboulevardens Tandlæger");
    await portal.db.updateTable("clinic").set({ address: "Torvet 2" }).where("id", "=", twin).execute();
    const alike = [people.surgeon, people.former, people.dentist, people.colleague].map(({ id }) => id);
    await portal.db
      .updateTable("user")
      .set({ firstName: "Jens", lastName: "Hansen", nameSort: "hansen jens" })
      .where("id", "in", alike)
      .execute();
    const clinics = await findClinicChoices(portal.db, people.admin);
    expect(Object.fromEntries(clinics.map(({ value, hint }) => [value, hint]))).toEqual({
      [own]: "Åvej 1, 8000 Aarhus",
      [twin]: "Torvet 2, 8000 Aarhus",
      [other]: undefined,
    });
    expect(await findSurgeonChoices(portal.db, people.former.id)).toEqual(
      [people.surgeon, people.former].map(({ id, email }) => ({ value: id, label: "Jens Hansen", hint: email })),
    );
    expect(await findSurgeonChoices(portal.db)).toEqual([{ value: people.surgeon.id, label: "Jens Hansen" }]);
    await portal.db
      .updateTable("userClinic")
      .set((eb) => ({ isPrimary: eb.case().when("clinicId", "=", own).then(true).else(false).end() }))
      .where("userId", "=", people.colleague.id)
      .execute();
    const referrers = referrerChoices(await findReferrers(portal.db, people.admin, "Åboulevardens"));
    expect(referrers.map(({ hint }) => hint)).toEqual([people.dentist.email, people.colleague.email]);
  });
});

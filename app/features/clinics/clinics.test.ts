import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { findClinicChoices, MAX_ACTIVE_CLINICS, tooManyClinics } from "~/features/directory/operations.server";
import { aClinic, aPerson, fillClinics } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { createClinic, readNewClinic, updateClinic } from "./operations.server";
import { listClinicsPage, filterClinics } from "./clinic-list.server";

forEachDatabase("clinics", (dialect) => {
  let portal: TestPortal;
  let own: number;
  let foreign: number;
  let admin: Person;
  let secretary: Person;
  let dentist: Person;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    own = await aClinic(portal, "Åboulevardens Tandlæger");
    portal.clock.advance({ minutes: 1 });
    foreign = await aClinic(portal, "Bredgades Tandlæger");
    admin = await aPerson(portal, { role: "Admin" });
    secretary = await aPerson(portal, { role: "Secretary", clinicIds: [own] });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [own, foreign] });
    await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", dentist.id).execute();
  });
  afterAll(() => portal.close());

  const form = {
    name: "Åboulevardens Tandlæger",
    address: "Åvej 2",
    zip: "8000",
    city: "Aarhus",
    email: "post@eksempel.dk",
    phone: "10 00 00 02",
  };
  const list = (person: Person, input: object = {}) => portal.as(person, listClinicsPage, input);
  const ids = async (person: Person, input: object = {}) => (await list(person, input)).rows.map(({ id }) => id);
  const update = async (person: Person, clinicId: number, more: object = {}) => {
    portal.clock.advance({ minutes: 1 });
    return portal.as(person, updateClinic, { clinicId, ...form, ...more });
  };

  test("lists the last changed first, with its members; to others their own alone", async () => {
    const { rows, mayManageAll } = await list(admin);
    expect([mayManageAll, rows.map(({ id, memberCount }) => [id, memberCount])]).toEqual([
      true,
      [
        [foreign, 1],
        [own, 2],
      ],
    ]);
    expect(await list(secretary)).toMatchObject({ total: 1, mayManageAll: false, rows: [{ id: own }] });
    expect(await ids(secretary, { filter: { search: "bredgade" } })).toEqual([]);
    expect(await ids(admin, { filter: { search: "BREDGADE aarh" } })).toEqual([foreign]);
    await expect(list(dentist)).rejects.toMatchObject({ name: "notAllowed" });
    const { to } = await portal.as(admin, filterClinics, { status: "1", search: "åboulevard" });
    expect(await ids(admin, { f: new URL(to!, "http://localhost").searchParams.get("f") })).toEqual([own]);
  });

  test("shows the members of the row that is open, those who are not active among them", async () => {
    const { rows } = await list(secretary, { openId: own });
    const members = rows[0]!.members.map(({ id, isActive }) => [id, isActive]);
    expect(members).toHaveLength(2);
    expect(members).toEqual(
      expect.arrayContaining([
        [secretary.id, true],
        [dentist.id, false],
      ]),
    );
    expect((await list(secretary, { openId: foreign })).openId).toBeNull();
  });

  test("only staff create clinics, once for a form that is sent twice", async () => {
    const sent = { formKey: `form${++count}`, ...form, name: "Ny Klinik", mobilePhone: "" };
    const [first, again] = [await portal.as(admin, createClinic, sent), await portal.as(admin, createClinic, sent)];
    expect(again.to).toBe(first.to);
    const id = Number(first.to!.split("#r")[1]);
    expect((await list(admin, { openId: id })).rows.find((row) => row.id === id)).toMatchObject({
      name: "Ny Klinik",
      mobilePhone: null,
      status: 1,
      members: [],
    });
    await expect(portal.as(secretary, createClinic, sent)).rejects.toMatchObject({ name: "notAllowed" });
    await expect(portal.as(secretary, readNewClinic, {})).rejects.toMatchObject({ name: "notAllowed" });
    for (const field of Object.keys(form))
      await expect(portal.as(admin, createClinic, { ...sent, [field]: " " }), field).rejects.toMatchObject({
        name: "invalid",
      });
  });

  test("secretaries change their own clinics, but not whether they are in use", async () => {
    await update(secretary, own, { status: 0, name: "Åens Tandlæger" });
    expect(await ids(admin, { filter: { search: "åens", status: 1 } })).toEqual([own]);
    for (const clinicId of [foreign, 999_999])
      await expect(update(secretary, clinicId)).rejects.toMatchObject({ name: "notInScope" });
    await expect(update(dentist, own)).rejects.toMatchObject({ name: "notAllowed" });
  });

  test("a version changed by somebody else is a conflict; without one the last wins", async () => {
    const version = async () => (await list(admin, { filter: {} })).rows.find(({ id }) => id === own)!.version;
    const seenVersion = await version();
    await update(secretary, own, { seenVersion });
    await expect(update(admin, own, { seenVersion })).rejects.toMatchObject({ name: "conflict" });
    await update(admin, own, { city: "Aarhus C" });
    expect(await version()).toBe(seenVersion + 2);
    await update(admin, own, { city: "Aarhus C" });
    expect(await version(), "nothing changed").toBe(seenVersion + 2);
  });

  test("an inactive clinic keeps its members and can no longer be chosen", async () => {
    await update(admin, foreign, { name: "Bredgades Tandlæger", status: 0 });
    expect((await findClinicChoices(portal.db, admin)).map(({ value }) => value)).not.toContain(foreign);
    expect(await list(admin, { filter: { status: 0 } })).toMatchObject({ rows: [{ id: foreign, memberCount: 1 }] });
  });

  test("shows the first 200 members, and how many there are", async () => {
    const large = await aClinic(portal, "Storklinikken");
    for (let at = 0; at < 201; at += 1) await aPerson(portal, { role: "Dentist", clinicIds: [large] });
    const shown = (await list(admin, { openId: large })).rows.find(({ id }) => id === large)!;
    expect([shown.members.length, shown.memberCount]).toEqual([200, 201]);
    const [ofApi] = (await list(admin, { filter: { search: "storklinikken" }, rowsOnly: true })).rows;
    expect(ofApi!.members).toHaveLength(201);
  });

  test("one more clinic than pages can offer is refused, unless it is inactive", async () => {
    await fillClinics(portal, MAX_ACTIVE_CLINICS);
    const refused = { name: "invalid", text: tooManyClinics };
    const sent = { formKey: `form${++count}`, ...form };
    await expect(portal.as(admin, createClinic, sent)).rejects.toMatchObject(refused);
    await update(admin, own, { status: 1 });
    await portal.as(admin, createClinic, { ...sent, status: 0 });
    const [inactive] = await ids(admin, { filter: { status: 0 } });
    await expect(update(admin, inactive!, { status: 1 })).rejects.toMatchObject(refused);
    await update(admin, own, { status: 0 });
    await update(admin, inactive!, { status: 1 });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readUser } from "./update-user.server";
import { filterUsers, listUsers } from "./user-list.server";

forEachDatabase("users", (dialect) => {
  let portal: TestPortal;
  let own: number;
  let foreign: number;
  let people: Record<
    "admin" | "surgeon" | "secretary" | "nobodys" | "dentist" | "shared" | "stranger" | "former" | "unnumbered",
    Person
  >;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    own = await aClinic(portal, "Åboulevardens Tandlæger");
    foreign = await aClinic(portal, "Bredgades Tandlæger");
    const make = async (wanted: Parameters<typeof aPerson>[1]) => {
      portal.clock.advance({ minutes: 1 });
      return aPerson(portal, wanted);
    };
    people = {
      admin: await make({ role: "Admin", userName: "chef", dentistExternalId: null }),
      surgeon: await make({ role: "Surgeon", userName: "kirurgen" }),
      secretary: await make({ role: "Dentist Secretary", userName: "sanne", clinicIds: [own] }),
      nobodys: await make({ role: "Secretary", userName: "uden" }),
      dentist: await make({ role: "Dentist", userName: "mette.k", clinicIds: [own], dentistExternalId: "77123" }),
      shared: await make({ role: "Dentist", userName: "øjvind", clinicIds: [foreign, own] }),
      stranger: await make({ role: "Dentist", userName: "niels", clinicIds: [foreign] }),
      former: await make({ role: "Dentist", userName: "ole", clinicIds: [own] }),
      unnumbered: await make({ role: "Dentist", userName: "ny", clinicIds: [own], dentistExternalId: null }),
    };
    await portal.db.updateTable("user").set({ status: 0 }).where("id", "=", people.former.id).execute();
  });
  afterAll(() => portal.close());

  const nameOf = (id: number) => Object.entries(people).find(([, person]) => person.id === id)?.[0];
  const list = async (person: Person, input: object = {}) => {
    const { rows, total } = await portal.as(person, listUsers, input);
    expect(rows).toHaveLength(total);
    return rows.map(({ id }) => nameOf(id));
  };
  const search = (text: string) => list(people.admin, { filter: { search: text } });

  describe("the list", () => {
    test("shows the active ones first, the newest on top, or by user name", async () => {
      const active = ["unnumbered", "stranger", "shared", "dentist", "nobodys", "secretary", "surgeon", "admin"];
      expect(await list(people.admin)).toEqual(active);
      expect(await list(people.admin, { sort: "0" })).toEqual(
        "admin surgeon dentist stranger unnumbered shared secretary nobodys".split(" "),
      );
      expect(await list(people.admin, { filter: {} })).toHaveLength(active.length + 1);
      expect(await list(people.admin, { filter: { status: 0 } })).toEqual(["former"]);
    });

    test("finds by words of name, user name, e-mail and Henviser id, as typed", async () => {
      for (const text of ["METTE", "mette.k", "mette.k@eks", "77123", "kjaer mette", "KJÆR 771"])
        expect(await search(text), text).toEqual(["dentist"]);
      expect(await search("oejvind")).toEqual(["shared"]);
      expect(await search("mette niels")).toEqual([]);
      await expect(search("%")).rejects.toMatchObject({ name: "invalid" });
    });

    test("finds by clinic, and referrers without a Henviser id, staff not among them", async () => {
      expect(await list(people.admin, { filter: { clinicId: foreign } })).toEqual(["stranger", "shared"]);
      expect(await list(people.admin, { filter: { onlyEmptyDentistId: true } })).toEqual(["unnumbered"]);
    });

    test("a secretary's list, counts and answers leave out other clinics", async () => {
      const seen = ["unnumbered", "shared", "dentist", "secretary"];
      expect(await list(people.secretary)).toEqual(seen);
      expect(await list(people.secretary, { filter: { search: "niels" } })).toEqual([]);
      expect(await list(people.secretary, { filter: { clinicId: foreign } })).toEqual([]);
      expect(await list(people.nobodys)).toEqual([]);
      const { rows, clinics } = await portal.as(people.secretary, listUsers, {});
      expect(clinics.map(({ value }) => value)).toEqual([own]);
      expect(JSON.stringify(rows)).not.toContain("Bredgade");
      const all = await portal.as(people.admin, listUsers, {});
      expect(all.rows.find(({ id }) => id === people.shared.id)!.clinics.map(({ id }) => id)).toEqual([foreign, own]);
    });

    test("seals what was searched for, and begins anew with what somebody else sealed", async () => {
      const answer = await portal.as(people.admin, filterUsers, { status: "", search: "niels", sort: "0" });
      expect(answer.to).not.toContain("niels");
      const f = new URL(answer.to!, "http://localhost").searchParams.get("f");
      expect(await list(people.admin, { f })).toEqual(["stranger"]);
      expect(await portal.as(people.surgeon, listUsers, { f })).toMatchObject({ wasReset: true, total: 8 });
    });
  });

  describe("one user", () => {
    const read = (person: Person, userId: number) => portal.as(person, readUser, { userId });

    test("is read within the scope; outside it they do not exist", async () => {
      await portal.db
        .updateTable("user")
        .set({ ediDentistId: "5790001234560" })
        .where("id", "=", people.dentist.id)
        .execute();
      expect(await read(people.secretary, people.dentist.id)).toMatchObject({
        userName: "mette.k",
        ediDentistId: "5790001234560",
        sendsEndingLettersViaEdi: null,
        mayChange: true,
        clinics: [{ id: own }],
      });
      expect(await read(people.secretary, people.shared.id)).toMatchObject({
        mayChange: false,
        clinics: [{ id: own }],
      });
      expect(await read(people.admin, people.shared.id)).toMatchObject({
        mayChange: true,
        ediDentistId: null,
        sendsEndingLettersViaEdi: false,
      });
      for (const [person, userId] of [
        [people.secretary, people.stranger.id],
        [people.secretary, people.admin.id],
        [people.secretary, 999_999],
        [people.nobodys, people.dentist.id],
        [people.admin, 999_999],
      ] as const)
        await expect(read(person, userId)).rejects.toMatchObject({ name: "notInScope" });
      await expect(read(people.dentist, people.dentist.id)).rejects.toMatchObject({ name: "notAllowed" });
    });
  });
});

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { aPerson } from "../../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import {
  addTreatmentType,
  deleteTreatmentType,
  findTreatmentCodes,
  listTreatmentTypes,
  saveTreatmentType,
} from "./operations.server";

forEachDatabase("treatment types", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist" });
  });
  afterAll(() => portal.close());
  beforeEach(() => portal.db.deleteFrom("treatmentType").execute());

  const add = async (name: string) => Number(/\d+$/.exec((await portal.as(admin, addTreatmentType, { name })).to!)![0]);
  const save = (treatmentTypeId: number, values: Record<string, unknown>) =>
    portal.as(admin, saveTreatmentType, { treatmentTypeId, name: "Implantat", ...values });
  const list = async (person = admin) => (await portal.as(person, listTreatmentTypes, {})).treatmentTypes;
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => {
        throw new Error("was not refused");
      },
      (error: Refusal) => error,
    );

  test("stand by name, with codes and link for staff alone", async () => {
    await add("Ålborgmetoden");
    const id = await add("Implantat");
    await save(id, {
      externalCodes: " 10; 11,,10 ",
      recommendationLink: "https://klinik.example/rad.pdf",
      seenVersion: 1,
    });
    expect((await list()).map(({ name, settings }) => [name, settings?.externalCodes])).toEqual([
      ["Implantat", "10,11"],
      ["Ålborgmetoden", ""],
    ]);
    expect((await list(dentist))[0]).toEqual({ id, name: "Implantat" });
    expect([...(await findTreatmentCodes(portal.db)).keys()]).toEqual(["10", "11"]);
  });

  test("a name that another has, a code of another, and a link that is none are refused", async () => {
    const id = await add("Implantat");
    const other = await add("Visdomstand");
    expect((await refusal(add("  IMPLANTAT "))).fields.name![0]).toContain("Implantat");
    expect((await refusal(save(other, { name: "implantat" }))).name).toBe("invalid");
    await save(id, { externalCodes: "10,11" });
    const shared = await refusal(save(other, { name: "Visdomstand", externalCodes: "9,11" }));
    expect(shared.fields).toEqual({ externalCodes: ["Koden 11 hører allerede til Implantat."] });
    for (const wrong of [
      { recommendationLink: "javascript:alert(1)" },
      { recommendationLink: "http://klinik.example/rad.pdf" },
      { name: " " },
      { externalCodes: "1".repeat(401) },
    ])
      expect((await refusal(save(id, wrong))).name).toBe("invalid");
  });

  test("the second of two concurrent edits is a conflict", async () => {
    const id = await add("Implantat");
    await save(id, { externalCodes: "10", seenVersion: 1 });
    expect((await refusal(save(id, { externalCodes: "11", seenVersion: 1 }))).name).toBe("conflict");
    expect((await list())[0]!.settings!.externalCodes).toBe("10");
  });

  test("a deleted type frees its code; added again it is restored", async () => {
    const id = await add("Implantat");
    await save(id, { externalCodes: "10" });
    await portal.as(admin, deleteTreatmentType, { treatmentTypeId: id });
    expect([await list(), (await findTreatmentCodes(portal.db)).size]).toEqual([[], 0]);
    expect((await refusal(portal.as(admin, deleteTreatmentType, { treatmentTypeId: id }))).name).toBe("notInScope");
    await save(await add("Visdomstand"), { name: "Visdomstand", externalCodes: "10" });
    expect(await add("implantat")).toBe(id);
    expect((await list()).map(({ settings }) => settings?.externalCodes)).toEqual(["", "10"]);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aStagedFile } from "../../../tests/factories/uploads";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { findStagedFiles, removeStagedUpload } from "./staged-upload-store.server";

forEachDatabase("a file that waits for its form", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let other: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinicIds = [await aClinic(portal)];
    dentist = await aPerson(portal, { role: "Dentist", clinicIds });
    other = await aPerson(portal, { role: "Dentist", clinicIds });
  });
  afterAll(() => portal.close());

  const stage = (formKey: string, fileName: string) =>
    aStagedFile(portal, dentist, formKey, { fileName, content: `${fileName};1\n`, kind: "journal" });
  const waiting = async (formKey: string) =>
    (await findStagedFiles(portal.db, dentist.id, formKey)).map(({ fileName }) => fileName);

  test("is taken off with its doubles, and the others go on waiting", async () => {
    for (const name of ["a.csv", "b.csv", "a.csv"]) await stage("one", name);
    const [first] = await findStagedFiles(portal.db, dentist.id, "one");
    await portal.as(dentist, removeStagedUpload, { stagedId: first!.id, formKey: "one" });
    expect(await waiting("one")).toEqual(["b.csv"]);
    expect((await portal.as(dentist, removeStagedUpload, { stagedId: first!.id, formKey: "one" })).data).toEqual({
      removed: 0,
    });
  });

  test("is neither another person's to take off, nor another form's", async () => {
    await stage("two", "c.csv");
    const [file] = await findStagedFiles(portal.db, dentist.id, "two");
    await portal.as(other, removeStagedUpload, { stagedId: file!.id, formKey: "two" });
    await portal.as(dentist, removeStagedUpload, { stagedId: file!.id, formKey: "three" });
    expect(await waiting("two")).toEqual(["c.csv"]);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral, type ReferralChanges } from "../../../../tests/factories/referrals";
import { recordStatements } from "../../../../tests/support/record-statements";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { standardMedicines } from "../model/critical-medicines";
import { nameQuestions } from "../model/name-question";
import { findReferral } from "../store/referral-store.server";
import { cavesOf, samePatientOf } from "./same-patient.server";

forEachDatabase("referrals of one patient", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let one: Person;
  let colleague: Person;
  let other: Person;
  let secretary: Person;
  let opened = 0;
  let byColleague = 0;
  let byOther = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    const [clinic, otherClinic] = [await aClinic(portal), await aClinic(portal)];
    one = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
    colleague = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
    secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinic] });
    other = await aPerson(portal, { role: "Dentist", clinicIds: [otherClinic] });
    const patient = { cpr6: "150360", cpr4: "3135", firstName: "Alma", lastName: "Allergi" };
    opened = await aReferral(portal, one, patient);
    byColleague = await aReferral(portal, colleague, patient);
    byOther = await aReferral(portal, other, patient);
    await set(opened, { allergies: "Ingen kendte" });
    await set(byColleague, { allergies: "Latex" });
    await set(byOther, { allergies: "Penicillin", medication: "Marevan" });
  });
  afterAll(() => portal.close());

  const set = (id: number, values: ReferralChanges) =>
    portal.db.updateTable("referral").set(values).where("id", "=", id).execute();
  const read = async (who: Person, id = opened) => {
    const { cave, others, sources } = await samePatientOf(
      portal.db,
      who,
      await findReferral(portal.db, who, id),
      standardMedicines,
    );
    return { cave: cave.map(({ text, from }) => [text, from]), others: others.map((each) => each.id), sources };
  };

  test("staff see all and read all words; a clinic's people see and read their own", async () => {
    expect(await read(admin)).toEqual({
      cave: [
        ["Penicillin", byOther],
        ["Latex", byColleague],
        ["Marevan", byOther],
      ],
      others: [byOther, byColleague],
      sources: [byOther, byColleague],
    });
    expect(await read(secretary)).toEqual({ cave: [], others: [byColleague], sources: [] });
    expect(await read(one)).toEqual({ cave: [], others: [], sources: [] });
    expect(await read(other, byOther)).toMatchObject({
      cave: [
        ["Penicillin", null],
        ["Marevan", null],
      ],
      others: [],
    });
  });

  test.each([
    ["a test", { isTest: true }],
    ["one whose name is in question", { nameQuestion: nameQuestions.otherReferral }],
  ])("%s gives its words to no other referral", async (_, change) => {
    await set(byOther, change);
    expect((await read(admin)).cave).toEqual([["Latex", byColleague]]);
    await set(byOther, { isTest: false, nameQuestion: nameQuestions.answered });
  });

  test("the rows of a list have the marks of their patients, in one query", async () => {
    const rows = await Promise.all([opened, byOther].map((id) => findReferral(portal.db, admin, id)));
    const { db, recorded } = recordStatements(portal.db);
    const { marks, sources } = await cavesOf(db, admin, rows, standardMedicines);
    expect(recorded).toHaveLength(1);
    expect([...marks].map(([id, cave]) => [id, cave.map(({ text, from }) => [text, from])])).toEqual([
      [opened, (await read(admin)).cave],
      [
        byOther,
        [
          ["Penicillin", null],
          ["Latex", byColleague],
          ["Marevan", null],
        ],
      ],
    ]);
    expect(sources.toSorted()).toEqual([byColleague, byOther].toSorted());
    expect((await cavesOf(portal.db, one, rows, standardMedicines)).sources).toEqual([]);
  });

  test("a draft and a referral of another number are none of the patient's", async () => {
    await set(byColleague, { status: -1 });
    const stranger = await aReferral(portal, one);
    await set(stranger, { allergies: "Jod" });
    expect((await read(admin)).others).toEqual([byOther]);
    expect((await read(admin, stranger)).others).toEqual([]);
    expect((await read(admin)).cave).not.toContainEqual(["Jod", stranger]);
    await set(byColleague, { status: 0 });
  });
});

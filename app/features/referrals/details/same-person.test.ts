import { beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { listCallUps } from "~/features/call-ups/call-up-list.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import type { PersonAnswer } from "~/gateways/person-register/port";
import { aReferral, patientForm } from "../../../../tests/factories/referrals";
import type { List } from "../../../../tests/support/portals/overview-portal";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { editPatient, putReferral } from "./edit-referral.server";
import { confirmSamePerson } from "./same-person.server";

forEachDatabase("a CPR number that has another name", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let stranger: Person;
  let turn = 1000;
  let number: { cpr6: string; cpr4: string };
  const { read } = openReferralPortal(dialect, (given) => {
    ({ portal, admin, dentist, stranger } = given);
  });
  beforeEach(() => {
    number = { cpr6: "150360", cpr4: String((turn += 1)) };
  });

  const alma = { firstName: "Alma", lastName: "Allergi" };
  const bent = { firstName: "Bent", lastName: "Andersen" };
  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const open = async (id: number, who = admin) => (await read(who, undefined, id)).otherName;
  const edit = async (referralId: number, changes: object) =>
    portal.as(admin, editPatient, {
      referralId,
      seenVersion: (await rowOf(referralId)).version,
      ...number,
      zip: "8000",
      city: "Aarhus",
      ...changes,
    });
  const ask = (who: Person, changes: object) =>
    portal.as(who, savePatient, patientForm({ ...number, wasAsked: "nothing", ...changes }));
  const questionTo = async (who: Person, changes: object) =>
    ask(who, changes).then(
      () => null,
      (refusal: { fields?: Record<string, string[]> }) => refusal.fields?.cpr6?.[0] ?? null,
    );

  test("the other clinic is told nothing, and staff read it until somebody answers", async () => {
    const first = await aReferral(portal, dentist, { ...number, ...alma });
    expect(await questionTo(stranger, bent)).toBeNull();
    const second = await aReferral(portal, stranger, { ...number, ...bent });
    expect(await open(second, stranger)).toBeNull();
    expect(await open(second)).toEqual({ source: "referral", referral: { id: first, name: "Alma Allergi" } });
    expect(await open(first)).toBeNull();
    const rowIn = async (who: Person) =>
      ((await portal.as(who, listReferrals, { sort: "1-" })) as List).rows.find(({ id }) => id === second);
    expect(await rowIn(admin)).toMatchObject({ hasOtherName: true });
    const theirs = await rowIn(stranger);
    expect([theirs?.id, theirs && "hasOtherName" in theirs]).toEqual([second, false]);
    await portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", second).execute();
    const callUps = await portal.as(admin, listCallUps, { openId: second });
    expect(callUps.rows.filter(({ hasOtherName }) => hasOtherName).map(({ id }) => id)).toEqual([second]);
    expect(callUps.open?.hasOtherName).toBe(true);
    await portal.as(admin, confirmSamePerson, { referralId: second });
    expect([await open(second), (await rowIn(admin))?.hasOtherName]).toEqual([null, undefined]);
    await expect(portal.as(admin, confirmSamePerson, { referralId: second })).rejects.toMatchObject({
      name: "conflict",
    });
  });

  test("a referrer is asked about a name of their own scope, and staff after them", async () => {
    const first = await aReferral(portal, dentist, { ...number, ...alma });
    const question = await questionTo(dentist, bent);
    expect(question).toBe(
      `CPR-nummeret hører til Alma Allergi (nr. ${first}). Er det samme person som Bent Andersen? Tryk igen, hvis det er; ret ellers nummeret eller navnet.`,
    );
    const second = await aReferral(portal, dentist, { ...number, ...bent, wasAsked: question });
    expect(await open(second)).not.toBeNull();
  });

  test("staff who confirm it in the form answer the question", async () => {
    await aReferral(portal, dentist, { ...number, ...alma });
    const question = await questionTo(admin, bent);
    const confirmed = await aReferral(portal, admin, { ...number, ...bent, wasAsked: question, referrer: dentist });
    expect(await open(confirmed)).toBeNull();
  });

  test("by the API nobody is asked, and staff read it", async () => {
    await aReferral(portal, dentist, { ...number, ...alma });
    expect(await open(await aReferral(portal, dentist, { ...number, ...bent }))).not.toBeNull();
  });

  test("a name that got there while the draft waited is found at sending", async () => {
    const { to } = await ask(stranger, bent);
    const draft = Number(/kladde=(\d+)/.exec(to ?? "")![1]);
    const first = await aReferral(portal, dentist, { ...number, ...alma });
    expect((await rowOf(draft)).nameQuestion).toBe(0);
    const second = await aReferral(portal, stranger, { ...number, ...bent, formKey: "later", referralId: draft });
    expect(await open(second)).toEqual({ source: "referral", referral: { id: first, name: "Alma Allergi" } });
  });

  test.each(["'Ret'", "PUT /Visits", "the wizard"])(
    "%s: another name opens it, the right one closes it",
    async (way) => {
      await aReferral(portal, dentist, { ...number, ...alma });
      const id = await aReferral(portal, stranger, { ...number, ...alma, lastName: "Allergi Holm" });
      expect(await open(id)).toBeNull();
      const save = (names: typeof alma) =>
        way === "'Ret'"
          ? edit(id, names)
          : way === "PUT /Visits"
            ? portal.as(admin, putReferral, { referralId: id, fields: names })
            : portal.as(admin, savePatient, patientForm({ ...number, ...names, referralId: id }));
      await save(bent);
      expect(await open(id)).not.toBeNull();
      await save(alma);
      expect(await open(id)).toBeNull();
    },
  );

  test("the question is closed when the other referral's number was the wrong one", async () => {
    const wrong = await aReferral(portal, dentist, { ...number, ...alma });
    const right = await aReferral(portal, stranger, { ...number, ...bent });
    expect(await open(right)).not.toBeNull();
    await edit(wrong, { ...alma, cpr4: String((turn += 1)) });
    expect([await open(right), (await rowOf(right)).nameQuestion]).toEqual([null, 0]);
  });

  test("a married name that agrees, and a test referral, raise no question", async () => {
    await aReferral(portal, dentist, { ...number, ...alma });
    const married = await aReferral(portal, dentist, { ...number, firstName: "Alma Marie", lastName: "Holm Allergi" });
    expect(await open(married)).toBeNull();
    await portal.db.updateTable("referral").set({ isTest: true }).where("cpr6", "=", number.cpr6).execute();
    expect(await open(await aReferral(portal, stranger, { ...number, ...bent }))).toBeNull();
  });

  test("the register's other name is asked of everybody who gets it, and staff read it", async () => {
    const answer = { kind: "found", ...alma, address: "Åvej 1", zip: "8000", city: "Aarhus", status: "01" };
    const find = async () => answer as unknown as PersonAnswer;
    const before = portal.personRegister;
    portal.personRegister = { ...before, isReal: true, find };
    try {
      const question = await questionTo(stranger, bent);
      expect(question).toContain("CPR-nummeret hører til Alma Allergi (CPR-registret).");
      const id = await aReferral(portal, stranger, { ...number, ...bent, wasAsked: question });
      expect(await open(id)).toEqual({ source: "register", referral: null });
      await edit(id, alma);
      expect(await open(id)).toBeNull();
    } finally {
      portal.personRegister = before;
    }
  });

  test("a patient who is not born yet is refused, one over 105 years is asked about", async () => {
    const unborn = { cpr6: "010145", cpr4: "5001" };
    const text = "Født 2045? Kontrollér det syvende ciffer.";
    expect(await questionTo(dentist, unborn)).toBe(text);
    const id = await aReferral(portal, dentist, { ...number, ...alma });
    await expect(edit(id, { ...alma, ...unborn })).rejects.toMatchObject({ fields: { cpr6: [text] } });
    await expect(portal.as(admin, putReferral, { referralId: id, fields: unborn })).rejects.toMatchObject({
      fields: { cpr6: [text] },
    });
    const old = { cpr6: "120385", cpr4: "7100" };
    expect(await questionTo(dentist, { ...old, ...alma })).toBe("Patienten ville være 141 år. Er nummeret rigtigt?");
    expect((await edit(id, { ...alma, ...old })).flash?.text).toContain("Patienten ville være 141 år.");
  });
});

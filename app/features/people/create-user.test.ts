import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor, Person } from "~/access/actor";
import { findSession } from "~/access/sessions.server";
import { chooseOwnPassword, resetPassword } from "~/features/accounts/passwords.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { filterChoices } from "~/features/referrals/list/filter-choices.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { accountTypes } from "./role-names";
import { createUser, readNewUser } from "./create-user.server";
import { readUser } from "./update-user.server";
import { listUsers } from "./user-list.server";

const anonymous: Actor = { kind: "anonymous" };
const GIVEN = "Hvidtjoern7Kost";
const OWN = "Graagaas9Mose";

forEachDatabase("a new user", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let own: number;
  let other: number;
  let closed: number;
  let admin: Person;
  let secretary: Person;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    own = await aClinic(portal);
    other = await aClinic(portal);
    closed = await aClinic(portal);
    await portal.db.updateTable("clinic").set({ status: 0 }).where("id", "=", closed).execute();
    admin = await aPerson(portal, { role: "Admin" });
    secretary = await aPerson(portal, { role: "Secretary", clinicIds: [own, other] });
  });
  afterAll(() => portal.close());

  const formOf = (more: object = {}) => ({
    formKey: `form${++count}`,
    type: accountTypes.referrer,
    firstName: "Øjvind",
    lastName: "Kjær",
    userName: `ny${count}`,
    email: `ny${count}@eksempel.dk`,
    clinicId: other,
    ...more,
  });
  const make = async (person: Person, more: object = {}) => {
    const form = formOf(more);
    const { to } = await portal.as(person, createUser, form);
    return { ...form, id: Number(to!.split("#r")[1]) };
  };
  const refusal = (person: Person, more: object) =>
    portal.as(person, createUser, formOf(more)).then(
      () => null,
      (error: unknown) => error,
    );
  const mailsTo = async (address: string) => {
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "newUser").execute();
    return rows.map((row) => unsealMessage(portal.secrets, row)).filter(({ to }) => to === address);
  };
  const enter = async (userName: string, password: string) => {
    const { session } = await portal.as(anonymous, signIn, { userName, password });
    return (await findSession(portal, (session as { token: string }).token, portal.clock.now()))!.person;
  };

  test("is at once among the choices of filters", async () => {
    const choices = async () => (await filterChoices(portal, admin)).referrers!.map(({ value }) => value);
    await choices();
    const { id } = await make(admin);
    expect(await choices()).toContain(id);
  });

  test("chooses a password by the link from the mail, once, and signs in with it", async () => {
    const { id, userName, email } = await make(admin);
    const [mail] = await mailsTo(email);
    const token = /token=([\w-]{43})/.exec(JSON.stringify(mail))![1]!;
    portal.clock.advance({ days: 6 });
    const choose = () =>
      portal.as(anonymous, resetPassword, { userName, token, newPassword: OWN, repeatPassword: OWN });
    await choose();
    await expect(choose()).rejects.toMatchObject({ name: "tokenInvalid" });
    expect(await enter(userName, OWN)).toMatchObject({ id, mustChangePassword: false, clinicIds: [other] });
    const late = await make(admin);
    const lateToken = /token=([\w-]{43})/.exec(JSON.stringify(await mailsTo(late.email)))![1]!;
    portal.clock.advance({ days: 8 });
    await expect(
      portal.as(anonymous, resetPassword, {
        userName: late.userName,
        token: lateToken,
        newPassword: OWN,
        repeatPassword: OWN,
      }),
    ).rejects.toMatchObject({ name: "tokenInvalid" });
  });

  test("a user with an assigned password must choose another before anything else", async () => {
    const { userName, email } = await make(admin, { newPassword: GIVEN, repeatPassword: GIVEN, isSecretary: true });
    expect(await mailsTo(email)).toEqual([]);
    const person = await enter(userName, GIVEN);
    expect(person).toMatchObject({ mustChangePassword: true, roles: ["Dentist Secretary"] });
    await expect(portal.as(person, listUsers, {})).rejects.toMatchObject({ name: "passwordMustChange" });
    const choose = (password: string, as = person) =>
      portal.as(as, chooseOwnPassword, { newPassword: password, repeatPassword: password, to: "/management/users" });
    await expect(choose(GIVEN)).rejects.toMatchObject({ name: "weakPassword" });
    expect((await choose(OWN)).to).toBe("/management/users");
    expect(await enter(userName, OWN)).toMatchObject({ mustChangePassword: false });
    await expect(choose(GIVEN, { ...person, mustChangePassword: false })).rejects.toMatchObject({ name: "notAllowed" });
  });

  test("is made once by a form that is sent twice", async () => {
    const form = formOf();
    const [first, second] = [await portal.as(admin, createUser, form), await portal.as(admin, createUser, form)];
    expect(second.to).toBe(first.to);
  });

  describe("staff", () => {
    test("make each kind of account, in any active clinic", async () => {
      const surgeon = await make(admin, {
        type: accountTypes.staff,
        isSurgeon: "on",
        phone: "10 48 00 25",
        clinicId: undefined,
      });
      expect(await portal.as(admin, readUser, { userId: surgeon.id })).toMatchObject({
        isStaff: true,
        isSurgeon: true,
        phone: null,
        clinics: [],
        creatorUserName: admin.userName,
      });
      const dentist = await make(admin, { dentistExternalId: " 123 ", phone: "", status: 0 });
      expect(await portal.as(admin, readUser, { userId: dentist.id })).toMatchObject({
        isStaff: false,
        isSecretary: false,
        dentistExternalId: "123",
        phone: null,
        status: 0,
        clinics: [{ id: other }],
      });
      expect(await mailsTo(dentist.email)).toEqual([]);
      for (const clinicId of [undefined, closed, 999_999])
        expect(await refusal(admin, { clinicId })).toMatchObject({
          name: "invalid",
          fields: { clinicId: ["Vælg en klinik."] },
        });
    });

    test("read that the clinic is missing in the same answer as what else is", async () => {
      expect(await refusal(admin, { firstName: "", clinicId: undefined, clinicIdText: "" })).toMatchObject({
        fields: { firstName: ["Skriv et fornavn."], clinicId: ["Vælg en klinik."] },
      });
    });

    test("reads one error, at its field, for a text longer than any name", async () => {
      const error = await refusal(admin, { clinicId: undefined, clinicIdText: "Åen ".repeat(2000) });
      expect(error).toHaveProperty("fields", { clinicId: ["Vælg en klinik fra listen."] });
    });
  });

  describe("a secretary", () => {
    test("creates referrers in their own clinic only, whatever the form says, and no staff", async () => {
      expect(await portal.as(secretary, readNewUser, {})).toMatchObject({
        mayMakeStaff: false,
        clinics: [{ value: own }],
      });
      const { id } = await make(secretary, { clinicId: closed });
      expect(await portal.as(secretary, readUser, { userId: id })).toMatchObject({
        clinics: [{ id: own }],
        creatorUserName: secretary.userName,
      });
      expect(await refusal(secretary, { type: accountTypes.staff })).toMatchObject({ name: "notAllowed" });
    });
  });

  test.each([
    { firstName: "Bo2" },
    { lastName: " " },
    { userName: "" },
    { email: "ingen" },
    { status: 7 },
    { newPassword: GIVEN, repeatPassword: OWN },
    { repeatPassword: OWN },
    { newPassword: "kort", repeatPassword: "kort" },
  ])("is refused with %j", async (wrong) => {
    expect(await refusal(admin, wrong)).toMatchObject({ name: "invalid" });
  });

  test("refuses a taken user name in any spelling, and a password that holds it", async () => {
    await make(admin, { userName: "søren.b" });
    expect(await refusal(admin, { userName: "SOEREN.B" })).toMatchObject({
      name: "userNameTaken",
      fields: { userName: ["Brugernavn allerede taget."] },
    });
    expect(
      await refusal(admin, {
        userName: "hvidtjoern",
        newPassword: "Hvidtjoern1",
        repeatPassword: "Hvidtjoern1",
      }),
    ).toMatchObject({ name: "weakPassword" });
  });
});

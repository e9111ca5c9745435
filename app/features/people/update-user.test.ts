import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Person, Role } from "~/access/actor";
import { tokenHash } from "~/access/secrets.server";
import { beginSession, findSession } from "~/access/sessions.server";
import { forgotPassword, resetPassword } from "~/features/accounts/passwords.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { accountTypes } from "./role-names";
import { readUser, updateUser } from "./update-user.server";
import { setUserPassword } from "./operations.server";
import { listUsers } from "./user-list.server";
import { listAccess } from "~/features/audit-log/access-list.server";

const OWN = "Hvidtjoern7Kost";
const GIVEN = "Graagaas9Mose";

forEachDatabase("a user is changed", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let own: number;
  let foreign: number;
  let admin: Person;
  let secretary: Person;
  let count = 0;

  const somebody = (role: Role, clinicIds: number[] = []) =>
    aPerson(portal, { role, clinicIds, userName: `person${++count}`, password: OWN });

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    own = await aClinic(portal);
    foreign = await aClinic(portal);
    admin = await somebody("Admin");
    secretary = await somebody("Dentist Secretary", [own]);
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    for (const table of ["outbox", "throttle"] as const) await portal.db.deleteFrom(table).execute();
  });

  const formOf = (person: Person, more: object = {}) => ({
    userId: person.id,
    type: person.roles.some((role) => ["Admin", "Surgeon"].includes(role)) ? accountTypes.staff : accountTypes.referrer,
    firstName: person.firstName,
    lastName: "Kjær",
    userName: person.userName,
    email: person.email,
    status: 1,
    isSurgeon: person.roles.includes("Surgeon"),
    isSecretary: person.roles.includes("Dentist Secretary"),
    dentistExternalId: "10231",
    ...more,
  });
  const update = (actor: Person, target: Person, more: object = {}) =>
    portal.as(actor, updateUser, formOf(target, more));
  const setPassword = (actor: Person, target: Person, more: object = {}) =>
    portal.as(actor, setUserPassword, { userId: target.id, newPassword: GIVEN, repeatPassword: GIVEN, ...more });
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: Error) => error.name,
    );
  const read = (target: Person) => portal.as(admin, readUser, { userId: target.id });
  const session = async (person: Person) => (await beginSession(portal.db, person, portal.clock.now())).token;
  const isAlive = async (token: string) => (await findSession(portal, token, portal.clock.now())) !== null;
  const mails = async (kind: string) => {
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", kind).execute();
    return rows.map((row) => unsealMessage(portal.secrets, row));
  };

  test("who may change whom, and whose password", async () => {
    const targets = {
      own: await somebody("Dentist", [own]),
      shared: await somebody("Dentist", [own, foreign]),
      foreign: await somebody("Dentist", [foreign]),
      staffInClinic: await somebody("Surgeon", [own]),
      staff: await somebody("Surgeon"),
    };
    const dentist = await somebody("Dentist", [own]);
    const asked = async (actor: Person, more: object = {}) => {
      const outcomes: Record<string, string[]> = {};
      for (const [name, target] of Object.entries(targets))
        outcomes[name] = [
          await outcome(update(actor, target, { ...more, lastName: "Ny" })),
          await outcome(update(actor, target, { ...more, email: `ny${++count}@eksempel.dk` })),
          await outcome(setPassword(actor, target, more)),
        ];
      return outcomes;
    };
    expect(await asked(secretary)).toEqual({
      own: ["done", "done", "done"],
      shared: ["notAllowed", "notAllowed", "notAllowed"],
      foreign: ["notInScope", "notInScope", "notInScope"],
      staffInClinic: ["notAllowed", "notAllowed", "notAllowed"],
      staff: ["notInScope", "notInScope", "notInScope"],
    });
    const done = ["done", "done", "done"];
    const asks = ["done", "wrongCurrentPassword", "wrongCurrentPassword"];
    expect(await asked(admin)).toEqual({ own: done, shared: done, foreign: done, staffInClinic: asks, staff: asks });
    expect(await asked(admin, { currentPassword: "Forkert1234" })).toMatchObject({ own: done, staff: asks });
    expect(await asked(admin, { currentPassword: OWN })).toMatchObject({ own: done, staff: done });
    expect(await asked(dentist)).toMatchObject({ own: Array(3).fill("notAllowed") });
  });

  test("a type that the account is not of does not exist", async () => {
    const dentist = await somebody("Dentist", [own]);
    const wrong = update(admin, dentist, { type: accountTypes.staff });
    await expect(wrong).rejects.toMatchObject({ name: "notInScope" });
  });

  test("a new location number must end with its check digit; a saved one stays", async () => {
    const dentist = await somebody("Dentist", [own]);
    const mistyped = { ediDentistId: "5790001234561" };
    await expect(update(admin, dentist, mistyped)).rejects.toMatchObject({
      name: "invalid",
      fields: { ediDentistId: [expect.stringContaining("det sidste ciffer passer ikke")] },
    });
    await expect(
      update(admin, dentist, { ediDentistId: undefined, ediDentistNumber: 5790001234561 }),
    ).rejects.toMatchObject({ name: "invalid" });
    await portal.db
      .updateTable("user")
      .set({ ediDentistId: mistyped.ediDentistId })
      .where("id", "=", dentist.id)
      .execute();
    await update(admin, dentist, { ...mistyped, firstName: "Ellen" });
    expect(await read(dentist)).toMatchObject({ ...mistyped, firstName: "Ellen" });
  });

  test("what is saved is what the form says; ids of EDI are staff's", async () => {
    const dentist = await somebody("Dentist", [own]);
    const edi = { ediDentistId: "5790001234560", sendEndingLettersViaEdi: "on" };
    await update(admin, dentist, { ...edi, mobilePhone: "10 33 80 12", dentistExternalId: "" });
    expect(await read(dentist)).toMatchObject({
      ediDentistId: "5790001234560",
      sendsEndingLettersViaEdi: true,
      mobilePhone: "10 33 80 12",
      dentistExternalId: null,
    });
    await update(secretary, dentist, { ediDentistId: "1", isSecretary: "on", firstName: "Ellen" });
    expect(await read(dentist)).toMatchObject({
      ediDentistId: "5790001234560",
      sendsEndingLettersViaEdi: true,
      isSecretary: true,
      firstName: "Ellen",
      mobilePhone: null,
    });
    const found = await portal.as(admin, listUsers, { filter: { search: `ellen ${dentist.userName}` } });
    expect(found.rows.map(({ id, roles }) => [id, roles])).toEqual([[dentist.id, ["Dentist Secretary"]]]);
    await expect(update(admin, dentist, { ediDentistId: "12a" })).rejects.toMatchObject({ name: "invalid" });
  });

  test("an EDI id is text of digits, and a number stands for the id it was read from", async () => {
    const dentist = await somebody("Dentist", [own]);
    const saved = async () => (await read(dentist)).ediDentistId;
    await update(admin, dentist, { ediDentistId: "012345" });
    await update(admin, dentist, { ediDentistId: await saved(), mobilePhone: "10 33 80 12" });
    expect(await saved()).toBe("012345");
    await update(admin, dentist, { ediDentistNumber: 12345 });
    expect(await saved()).toBe("012345");
    await update(admin, dentist, { ediDentistNumber: 12346 });
    expect(await saved()).toBe("12346");
    for (const typed of ["1e3", "0x10", "-1", "1.0"])
      await expect(update(admin, dentist, { ediDentistId: typed })).rejects.toMatchObject({ name: "invalid" });
  });

  test("a version changed by somebody else is a conflict; without one the last wins", async () => {
    const dentist = await somebody("Dentist", [own]);
    const { version } = await read(dentist);
    await update(admin, dentist, { seenVersion: version, lastName: "Først" });
    await expect(update(admin, dentist, { seenVersion: version, lastName: "Sidst" })).rejects.toMatchObject({
      name: "conflict",
      text: expect.stringContaining("Brugeren er ændret"),
    });
    await update(admin, dentist, { lastName: "Sidst" });
    expect(await read(dentist)).toMatchObject({ lastName: "Sidst", version: version + 2 });
  });

  test("a user name that somebody has, in any spelling, is refused", async () => {
    const [one, other] = [await somebody("Dentist", [own]), await somebody("Dentist", [foreign])];
    const taken = update(admin, one, { userName: other.userName.toUpperCase() });
    await expect(taken).rejects.toMatchObject({ name: "userNameTaken" });
  });

  test("notifies the owner at both addresses when their user name or e-mail is changed", async () => {
    const dentist = await somebody("Dentist", [own]);
    await update(secretary, dentist, { email: "ny@eksempel.dk", userName: `ny${++count}` });
    const said = JSON.stringify(await mails("accountChanged"));
    expect(said).toContain(`brugernavnet (nu ny${count})`);
    expect(said).toContain(`af ${secretary.firstName} ${secretary.lastName}`);
    expect((await mails("accountChanged")).map(({ to }) => to).sort()).toEqual(
      [dentist.email, "ny@eksempel.dk"].sort(),
    );
  });

  test.each([["email"], ["userName"]] as const)(
    "another %s ends the owner's sessions and links, and the log tells by whom",
    async (what) => {
      const dentist = await somebody("Dentist", [own]);
      const token = await session(dentist);
      await portal.as({ kind: "anonymous" }, forgotPassword, { userName: dentist.userName });
      const links = () =>
        portal.db
          .selectFrom("accessToken")
          .select("revokedAt")
          .where("userId", "=", dentist.id)
          .execute()
          .then((rows) => rows.map(({ revokedAt: revoked }) => revoked !== null));
      await update(secretary, dentist);
      expect([await isAlive(token), await links()]).toEqual([true, [false]]);
      await update(secretary, dentist, { [what]: `ny${++count}${what === "email" ? "@eksempel.dk" : ""}` });
      expect([await isAlive(token), await links()]).toEqual([false, [true]]);
      await portal.audit.flush();
      const { rows } = await portal.as(admin, listAccess, {});
      const { userName } = await portal.db
        .selectFrom("user")
        .select("userName")
        .where("id", "=", dentist.id)
        .executeTakeFirstOrThrow();
      expect(rows.filter(({ subjectUserName }) => subjectUserName === userName)).toContainEqual(
        expect.objectContaining({ operation: "updateUser", outcome: "done", userName: secretary.userName }),
      );
    },
  );

  test("a user without a password is invited when they get an e-mail address", async () => {
    const quick = await aPerson(portal, { role: "Dentist", clinicIds: [own], userName: `quick${++count}` });
    await update(secretary, quick, { email: "kom@eksempel.dk" });
    expect((await mails("newUser")).map(({ to }) => to)).toEqual(["kom@eksempel.dk"]);
  });

  test("an assigned password ends sessions, is mailed, and must be changed", async () => {
    const dentist = await somebody("Dentist", [own]);
    const token = await session(dentist);
    await portal.as({ kind: "anonymous" }, forgotPassword, { userName: dentist.userName });
    const link = /token=([\w-]{43})/.exec(JSON.stringify(await mails("passwordReset")))![1];
    await setPassword(secretary, dentist);
    expect(await isAlive(token)).toBe(false);
    expect((await mails("accountChanged")).map(({ to }) => to)).toEqual([dentist.email]);
    const passwords = { newPassword: OWN, repeatPassword: OWN };
    await expect(
      portal.as({ kind: "anonymous" }, resetPassword, { userName: dentist.userName, token: link, ...passwords }),
    ).rejects.toMatchObject({ name: "tokenInvalid" });
    const entered = await portal.as({ kind: "anonymous" }, signIn, { userName: dentist.userName, password: GIVEN });
    const { person } = (await findSession(portal, (entered.session as { token: string }).token, portal.clock.now()))!;
    expect(person.mustChangePassword).toBe(true);
    await expect(setPassword(secretary, dentist, { newPassword: "kort" })).rejects.toMatchObject({ name: "invalid" });
    const own9 = `${dentist.userName}A9`;
    await expect(setPassword(secretary, dentist, { newPassword: own9, repeatPassword: own9 })).rejects.toMatchObject({
      name: "weakPassword",
    });
  });

  test("an inactive user is signed out, and signs in only when active again", async () => {
    const dentist = await somebody("Dentist", [own]);
    const token = await session(dentist);
    await update(secretary, dentist, { status: 0 });
    expect([await isAlive(token), (await read(dentist)).status]).toEqual([false, 0]);
    await update(secretary, dentist, { status: 1 });
    expect(await isAlive(token)).toBe(false);
  });

  describe("oneself", () => {
    test("keeps the session that changes the e-mail, and ends all others", async () => {
      const person = await somebody("Dentist Secretary", [own]);
      const [here, elsewhere] = [await session(person), await session(person)];
      const form = formOf(person, { email: `her${++count}@eksempel.dk`, currentPassword: OWN });
      await portal.as(person, updateUser, form, { sessionId: tokenHash(here) });
      expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, false]);
    });

    test("changes one's sign-in with the password, never makes oneself inactive", async () => {
      const email = { email: `chef${++count}@eksempel.dk` };
      expect(await outcome(update(secretary, secretary, email))).toBe("wrongCurrentPassword");
      expect(await outcome(update(secretary, secretary, { ...email, currentPassword: OWN }))).toBe("done");
      for (const person of [secretary, admin])
        expect(await outcome(update(person, person, { status: 0, currentPassword: OWN }))).toBe("invalid");
      expect(await outcome(setPassword(admin, admin, { currentPassword: OWN }))).toBe("invalid");
    });
  });

  test("of two administrators who deactivate each other simultaneously one stays active", async () => {
    const other = await somebody("Admin");
    await portal.db
      .updateTable("user")
      .set({ status: 0 })
      .where("id", "in", (eb) => eb.selectFrom("userRole").select("userId").where("role", "in", ["Admin", "Surgeon"]))
      .where("id", "not in", [admin.id, other.id])
      .execute();
    const both = await Promise.all([
      outcome(update(admin, other, { status: 0, currentPassword: OWN })),
      outcome(update(other, admin, { status: 0, currentPassword: OWN })),
    ]);
    expect(both.sort()).toEqual(["done", "invalid"]);
  });
});

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Actor, Person } from "~/access/actor";
import { pendingStep } from "~/access/authorise.server";
import { tokenHash } from "~/access/secrets.server";
import { beginSession, findSession } from "~/access/sessions.server";
import { limits } from "~/access/throttle.server";
import { confirmSignIn } from "~/features/accounts/operations.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { updatePassword } from "~/features/accounts/store.server";
import { findFactor, findUnusedCodes, writeCodeHash } from "~/features/second-factor/second-factor-store.server";
import { resetUserSecondFactor } from "~/features/people/operations.server";
import { oneTimeCode } from "../../../tests/support/one-time-code";
import { aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import {
  readSecurity,
  resetSecondFactor,
  activateSecondFactor,
  beginSecondFactor,
  checkSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from "./operations.server";

const anonymous: Actor = { kind: "anonymous" };
const SYSTEM: Actor = { kind: "system", job: "test" };
const PASSWORD = "Hvidtjoern7Kost";
const currentPassword = PASSWORD;
forEachDatabase("the second factor", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let count = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    portal.config.secondFactor = { staff: "optional", referrers: "optional" };
    for (const table of ["throttle", "session", "outbox"] as const) await portal.db.deleteFrom(table).execute();
  });

  const somebody = (role: "Admin" | "Surgeon" | "Dentist" = "Admin") =>
    aPerson(portal, { role, userName: `faktor${++count}`, password: PASSWORD });
  const session = async (person: Person) =>
    tokenHash((await beginSession(portal.db, person, portal.clock.now())).token);
  const keyOf = async (person: Person) => (await portal.as(person, readSecurity, {})).factor!.setUp!.secret;
  const nextCode = (secret: string) => {
    portal.clock.advance({ minutes: 0.5 });
    return oneTimeCode(secret, portal.clock.now());
  };
  const codesIn = (answer: { data?: Record<string, unknown> }) => answer.data!.codes as string[];

  /** A person with a second factor: its key and the recovery codes. */
  async function enrolled(person: Person, sessionId: string | null = null) {
    await portal.as(person, beginSecondFactor, { currentPassword });
    const secret = await keyOf(person);
    const codes = codesIn(await portal.as(person, checkSecondFactor, { code: nextCode(secret) }));
    await portal.as(person, activateSecondFactor, {}, { sessionId });
    return { secret, codes };
  }
  const enter = (person: Person, more: object = {}) =>
    portal.as(anonymous, signIn, { userName: person.userName, password: PASSWORD, ...more });
  const stepOf = async (person: Person, more: object = {}) => (await enter(person, more)).data!.step as string;
  const confirm = (step: string, code: string, more: object = {}) =>
    portal.as(anonymous, confirmSignIn, { step, code, ...more });
  const outcomes = async (tries: Promise<unknown>[]) =>
    (await Promise.allSettled(tries)).map((one) =>
      one.status === "fulfilled" ? "in" : (one.reason as { name: string }).name,
    );

  test("is set up with the password and a code, ends other sessions, and tells its owner", async () => {
    const person = await somebody();
    const [here, elsewhere] = [await session(person), await session(person)];
    await expect(portal.as(person, beginSecondFactor, {})).rejects.toMatchObject({ name: "wrongCurrentPassword" });
    await portal.as(person, beginSecondFactor, { currentPassword });
    const secret = await keyOf(person);
    await expect(portal.as(person, activateSecondFactor, {})).rejects.toMatchObject({ name: "conflict" });
    await expect(portal.as(person, checkSecondFactor, { code: "000000" })).rejects.toMatchObject({ name: "wrongCode" });
    expect((await enter(person)).session).toBeDefined();
    const codes = codesIn(await portal.as(person, checkSecondFactor, { code: nextCode(secret) }));
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    expect(codes.every((code) => /^[a-hj-kmnp-z2-9]{4}-[a-hj-kmnp-z2-9]{4}$/.test(code))).toBe(true);
    await portal.as(person, activateSecondFactor, {}, { sessionId: here });
    const left = await portal.db.selectFrom("session").select("id").where("userId", "=", person.id).execute();
    expect([left.map(({ id }) => id), left.some(({ id }) => id === elsewhere)]).toEqual([[here], false]);
    const mails = await portal.db.selectFrom("outbox").select("kind").where("userId", "=", person.id).execute();
    expect(mails).toEqual([{ kind: "accountChanged" }]);
    const read = await portal.as(person, readSecurity, {});
    expect(read.factor).toMatchObject({ isOn: true, codesLeft: 10, setUp: null });
    expect(JSON.stringify(read)).not.toContain(secret);
    const rows = await portal.db.selectFrom("secondFactor").selectAll().where("userId", "=", person.id).execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("a set-up that is left behind ends after half an hour", async () => {
    const person = await somebody();
    const { secret } = await enrolled(person);
    await portal.as(person, beginSecondFactor, { currentPassword, code: nextCode(secret) });
    const left = await keyOf(person);
    await portal.as(person, checkSecondFactor, { code: nextCode(left) });
    portal.clock.advance({ minutes: 30 });
    expect((await portal.as(person, readSecurity, {})).factor!.setUp).toBeNull();
    await expect(portal.as(person, checkSecondFactor, { code: nextCode(left) })).rejects.toMatchObject({
      name: "conflict",
    });
    await expect(portal.as(person, activateSecondFactor, {})).rejects.toMatchObject({ name: "conflict" });
    expect((await confirm(await stepOf(person), nextCode(secret))).session).toBeDefined();
  });

  test("the session begins with the code, which works once, also simultaneously", async () => {
    const person = await somebody();
    const { secret } = await enrolled(person);
    const asked = await enter(person, { to: "/management/sms" });
    expect([asked.session, asked.to]).toEqual([undefined, undefined]);
    const step = asked.data!.step as string;
    expect(await portal.db.selectFrom("session").select("id").where("userId", "=", person.id).execute()).toEqual([]);
    await expect(confirm(step, "000000")).rejects.toMatchObject({ name: "wrongCode" });
    const code = nextCode(secret);
    const done = await confirm(step, code);
    expect([done.session, done.to]).toEqual([{ token: expect.any(String) }, "/management/sms"]);
    await expect(confirm(await stepOf(person), code)).rejects.toMatchObject({ name: "wrongCode" });
    const [other, next] = [await stepOf(person), nextCode(secret)];
    expect(
      (await outcomes([confirm(other, next), confirm(other, next), enter(person, { code: next })])).sort(),
    ).toEqual(["in", "wrongCode", "wrongCode"]);
    // Codes older than the last accepted one count as used.
    portal.clock.advance({ minutes: 0.5 });
    expect(
      await outcomes([confirm(other, oneTimeCode(secret, new Date(portal.clock.now().getTime() - 30_000)))]),
    ).toEqual(["wrongCode"]);
  });

  test("a recovery code works once, also simultaneously; new codes replace the old ones", async () => {
    const person = await somebody();
    const { codes, secret } = await enrolled(person);
    const step = await stepOf(person);
    expect((await outcomes([confirm(step, codes[0]!), confirm(step, codes[0]!)])).sort()).toEqual(["in", "wrongCode"]);
    const { token } = (await confirm(step, ` ${codes[1]!.toUpperCase().replace("-", " ")} `)).session as {
      token: string;
    };
    const { flash } = (await findSession(portal, token, portal.clock.now()))!;
    expect(flash.messages.map(({ text }) => text)).toEqual([
      "Du brugte en gendannelseskode. Der er 8 koder tilbage. Lav nye under Din profil.",
    ]);
    await expect(portal.as(person, renewRecoveryCodes, {})).rejects.toMatchObject({ name: "wrongCurrentPassword" });
    const renewed = codesIn(await portal.as(person, renewRecoveryCodes, { currentPassword, code: nextCode(secret) }));
    await expect(confirm(step, codes[2]!)).rejects.toMatchObject({
      name: "wrongCode",
      fields: { code: ["Gendannelseskoden er forkert eller brugt."] },
    });
    expect((await confirm(step, renewed[0]!)).session).toBeDefined();
  });

  test("recovery codes are stored as salted hashes, older ones from the next code on", async () => {
    const [one, other] = [await somebody(), await somebody()];
    const { codes } = await enrolled(one);
    const { secret } = await enrolled(other);
    const stored = async (person: Person) => {
      const { id } = (await findFactor(portal.db, portal.secrets, person.id, "active"))!;
      return findUnusedCodes(portal.db, portal.secrets, id);
    };
    const hashes = await stored(one);
    const saltOf = ({ stored: hash }: { stored: string }) => hash.split("$")[4];
    expect(
      hashes.filter((hash) => /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/.test(hash.stored)),
    ).toHaveLength(codes.length);
    expect([new Set(hashes.map(saltOf)).size, saltOf(hashes[0]!) === saltOf((await stored(other))[0]!)]).toEqual([
      1,
      false,
    ]);
    for (const [place, { id }] of hashes.entries())
      await writeCodeHash(portal.db, portal.secrets, { id, hash: codes[place]!.replace("-", "") });
    const step = await stepOf(one);
    await expect(confirm(step, "aaaa-2222")).rejects.toMatchObject({ name: "wrongCode" });
    expect((await confirm(step, codes[3]!)).session).toBeDefined();
    expect((await stored(one)).map(({ stored: text }) => text.slice(0, 10))).toEqual(Array(9).fill("$argon2id$"));
    expect((await confirm(step, codes[4]!)).session).toBeDefined();
    const others = await stepOf(other);
    expect(await outcomes([confirm(step, codes[3]!), confirm(others, codes[5]!)])).toEqual(["wrongCode", "wrongCode"]);
    expect((await confirm(await stepOf(other), nextCode(secret))).session).toBeDefined();
  });

  test("the sealed first step expires, ends with the password, and cannot be forged", async () => {
    const person = await somebody();
    const { secret, codes } = await enrolled(person);
    const step = await stepOf(person);
    await expect(confirm(`${step.slice(0, -4)}AAAA`, codes[0]!)).rejects.toMatchObject({ name: "signInExpired" });
    await updatePassword(portal.db, person.id, "another", portal.clock.now());
    await expect(confirm(step, nextCode(secret))).rejects.toMatchObject({ name: "signInExpired" });
    const other = await somebody();
    await enrolled(other);
    const late = await stepOf(other);
    portal.clock.advance({ minutes: 10 });
    await expect(confirm(late, codes[0]!)).rejects.toMatchObject({ name: "signInExpired" });
  });

  test("the API asks for the code too, and counts wrong ones together with the page", async () => {
    const person = await somebody();
    const { secret, codes } = await enrolled(person);
    expect((await enter(person, { code: nextCode(secret) })).session).toBeDefined();
    const step = await stepOf(person);
    for (let turn = 0; turn < limits.secondFactor.hits; turn += 1)
      await expect(turn % 2 ? confirm(step, "000000") : enter(person, { code: "000000" })).rejects.toMatchObject({
        name: "wrongCode",
      });
    await expect(confirm(step, nextCode(secret))).rejects.toMatchObject({ name: "tooManyAttempts" });
    await expect(confirm(step, codes[0]!)).rejects.toMatchObject({ name: "tooManyAttempts" });
    portal.clock.advance({ minutes: 16 });
    expect((await confirm(await stepOf(person), nextCode(secret))).session).toBeDefined();
  });

  test("a code that was used is a wrong one, and does not begin their count anew", async () => {
    const person = await somebody();
    const { secret } = await enrolled(person);
    const used = nextCode(secret);
    await confirm(await stepOf(person), used);
    const step = await stepOf(person);
    const tries = [];
    for (let turn = 0; turn < limits.secondFactor.hits + 1; turn += 1)
      tries.push(...(await outcomes([turn % 2 ? confirm(step, used) : enter(person, { code: "000000" })])));
    expect(tries).toEqual([...Array(limits.secondFactor.hits).fill("wrongCode"), "tooManyAttempts"]);
  });

  test("`off` asks nobody of a group, `required` asks all of it before anything else", async () => {
    const first = async (who: Person) => {
      const { token } = await beginSession(portal.db, who, portal.clock.now());
      return (await findSession(portal, token, portal.clock.now(), portal.config.secondFactor))!.person;
    };
    for (const [role, group, others] of [
      ["Surgeon", "staff", "referrers"],
      ["Dentist", "referrers", "staff"],
    ] as const) {
      const [person, other] = [await somebody(role), await somebody(role === "Surgeon" ? "Dentist" : "Surgeon")];
      const say = (rule: "off" | "optional" | "required") =>
        (portal.config.secondFactor = { ...portal.config.secondFactor, [group]: rule, [others]: "optional" });
      expect(pendingStep(await first(person))).toBeNull();
      say("required");
      expect([pendingStep(await first(person)), pendingStep(await first(other))]).toEqual([
        "secondFactorMissing",
        null,
      ]);
      await expect(portal.as(await first(person), readSecurity, {})).rejects.toMatchObject({
        name: "secondFactorMissing",
      });
      const { secret } = await enrolled(person);
      expect(pendingStep(await first(person))).toBeNull();
      const end = () => portal.as(person, endSecondFactor, { currentPassword, code: nextCode(secret) });
      await expect(end()).rejects.toMatchObject({ name: "notAllowed" });
      say("off");
      expect((await enter(person)).session).toBeDefined();
      await expect(portal.as(person, beginSecondFactor, { currentPassword })).rejects.toMatchObject({
        name: "notAllowed",
      });
      expect((await portal.as(person, readSecurity, {})).factor).toBeNull();
      say("optional");
      expect((await enter(person)).session).toBeUndefined();
      await end();
      expect((await enter(person)).session).toBeDefined();
    }
  });

  test("who knows the password and finds an open session cannot change the factor", async () => {
    const person = await somebody();
    const { secret, codes } = await enrolled(person);
    for (const operation of [beginSecondFactor, renewRecoveryCodes, endSecondFactor])
      for (const code of [{}, { code: "000000" }])
        await expect(portal.as(person, operation, { currentPassword, ...code })).rejects.toMatchObject({
          name: "wrongCode",
        });
    expect((await portal.as(person, readSecurity, {})).factor).toMatchObject({
      isOn: true,
      codesLeft: 10,
      setUp: null,
    });
    const code = nextCode(secret);
    await portal.as(person, renewRecoveryCodes, { currentPassword, code });
    await expect(portal.as(person, endSecondFactor, { currentPassword, code })).rejects.toMatchObject({
      name: "wrongCode",
    });
    await expect(portal.as(person, endSecondFactor, { currentPassword, code: codes[0]! })).rejects.toMatchObject({
      name: "wrongCode",
    });
  });

  test("another phone is set up while the former stays valid, and then replaces it", async () => {
    const person = await somebody();
    const former = await enrolled(person);
    await portal.as(person, beginSecondFactor, { currentPassword, code: nextCode(former.secret) });
    const secret = await keyOf(person);
    expect((await confirm(await stepOf(person), nextCode(former.secret))).session).toBeDefined();
    await portal.as(person, checkSecondFactor, { code: nextCode(secret) });
    await portal.as(person, activateSecondFactor, {});
    const step = await stepOf(person);
    await expect(confirm(step, nextCode(former.secret))).rejects.toMatchObject({ name: "wrongCode" });
    await expect(confirm(step, former.codes[0]!)).rejects.toMatchObject({ name: "wrongCode" });
    expect((await confirm(step, nextCode(secret))).session).toBeDefined();
  });

  test("another administrator resets it with their own password, or the command", async () => {
    const [person, admin, dentist] = [await somebody(), await somebody(), await somebody("Dentist")];
    await enrolled(person);
    const open = await session(person);
    const reset = (by: Actor, more: object = { currentPassword }) =>
      portal.as(by, resetUserSecondFactor, { userId: person.id, ...more });
    await expect(reset(dentist)).rejects.toMatchObject({ name: "notAllowed" });
    await expect(reset(admin, {})).rejects.toMatchObject({ name: "wrongCurrentPassword" });
    await expect(reset(person)).rejects.toMatchObject({ name: "invalid" });
    await reset(admin);
    await expect(reset(admin)).rejects.toMatchObject({ name: "conflict" });
    expect(await portal.db.selectFrom("session").select("id").where("id", "=", open).execute()).toEqual([]);
    expect((await enter(person)).session).toBeDefined();
    const audited = await portal.db
      .selectFrom("auditEvent")
      .select(["actorId", "subjectUserId", "outcome"])
      .where("operation", "=", "resetUserSecondFactor")
      .where("outcome", "=", "done")
      .execute();
    expect(audited).toEqual([{ actorId: admin.id, subjectUserId: person.id, outcome: "done" }]);
    await enrolled(person);
    await portal.as(SYSTEM, resetSecondFactor, { userName: person.userName });
    expect((await enter(person)).session).toBeDefined();
    await expect(portal.as(SYSTEM, resetSecondFactor, { userName: "findes-ikke" })).rejects.toMatchObject({
      name: "accountUnknown",
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actor, Person, Role } from "~/access/actor";
import { tokenHash } from "~/access/secrets.server";
import { beginSession, findSession } from "~/access/sessions.server";
import { limits } from "~/access/throttle.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { removeExpired } from "~/features/maintenance/remove-expired.server";
import { insertText } from "~/features/portal-texts/portal-text-store.server";
import { aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { changePassword } from "./change-password.server";
import { changeProfile, readProfile } from "./change-profile.server";
import { acceptConditions, sealFormUntilAccepted, readConditions } from "./conditions.server";
import { forgotPassword } from "./forgot-password.server";
import { readSignIn } from "./redirect-to-start.server";
import { readAccount } from "~/features/shell/read-account.server";
import { readShell } from "~/features/shell/read-shell.server";
import { resetPassword } from "./reset-password.server";
import { sealPendingForm, restoreSealed } from "./sealed-input.server";
import { signIn } from "./sign-in.server";
import { signOut } from "./sign-out.server";

const anonymous: Actor = { kind: "anonymous" };
const PASSWORD = "Hvidtjoern7Kost";
const OTHER = "Graagaas9Mose";

forEachDatabase("accounts", (dialect) => {
  let portal: TestPortal;
  let count = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect, {
      env: { ADMIN_ORIGIN: "https://klinik.eksempel.dk", PUBLIC_ORIGIN: "https://www.henvis.eksempel.dk" },
    });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["throttle", "session", "outbox", "portal_text"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const somebody = (more: { role?: Role; userName?: string } = {}) =>
    aPerson(portal, { role: more.role ?? "Dentist", userName: more.userName ?? `konto${++count}`, password: PASSWORD });
  const enter = (userName: string, password = PASSWORD, more: Record<string, unknown> = {}, address = "203.0.113.7") =>
    portal.as(anonymous, signIn, { userName, password, ...more }, { address });
  const session = async (person: Person) => (await beginSession(portal.db, person, portal.clock.now())).token;
  /** The shell as a request reads it: with what the session holds to be shown once. */
  const shellOf = async (actor: Person, token: string) => {
    const { flash } = (await findSession(portal.db, token, portal.clock.now()))!;
    return portal.as(actor, readShell, { userAgent: "", cookies: "" }, { sessionId: tokenHash(token), flash });
  };
  const isAlive = async (token: string) => (await findSession(portal.db, token, portal.clock.now())) !== null;
  const deactivate = (person: Person) =>
    portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();

  /** Who has been mailed that something of their account was changed. */
  const notified = async () => {
    const { secrets } = portal;
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "accountChanged").execute();
    return rows.map((row) => unsealMessage(secrets, row).to).sort();
  };

  describe("signing in", () => {
    test("starts a session with the right password and redirects", async () => {
      const person = await somebody();
      const done = await enter(person.userName, PASSWORD, { to: "/management/draft-visits?p=2" });
      expect(done.to).toBe("/management/draft-visits?p=2");
      expect(done.session).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) });
      const { token } = done.session as { token: string };
      expect((await findSession(portal.db, token, portal.clock.now()))?.person.id).toBe(person.id);
    });

    test.each([
      "https://ond.dk/",
      "//ond.dk",
      "/\\ond.dk",
      "/management\r\nX: y",
      "/managementx",
      "javascript:alert(1)",
      "",
    ])("never redirects off the site: %j", async (to) => {
      const person = await somebody();
      expect((await enter(person.userName, PASSWORD, { to })).to).toBe("/management/overview");
    });

    test("matches the user name regardless of case and accents", async () => {
      await somebody({ userName: "Åge.Møller" });
      for (const userName of ["Åge.Møller", "åge.møller", "AAGE.MOELLER", " aage.möller "])
        expect((await enter(userName)).session).toBeDefined();
    });

    test("refuses a wrong password, an unknown name, an inactive person and one without a password alike", async () => {
      const inactive = await somebody();
      await deactivate(inactive);
      const without = await aPerson(portal, { role: "Dentist", userName: `uden${++count}` });
      const refusals = await Promise.all(
        [
          enter((await somebody()).userName, "Forkert1234"),
          enter("findes-ikke"),
          enter(inactive.userName),
          enter(without.userName),
          enter(without.userName, "Ingen har denne adgangskode 1"),
        ].map((asked) =>
          asked.then(
            () => "in",
            (error: Error & { text?: string; fields?: object }) => ({
              name: error.name,
              text: error.text,
              fields: error.fields,
            }),
          ),
        ),
      );
      expect(refusals).toHaveLength(5);
      expect(refusals).toEqual(refusals.map(() => ({ name: "wrongCredentials", text: undefined, fields: {} })));
      expect(await portal.db.selectFrom("session").select("id").execute()).toEqual([]);
    });

    test("blocks an account after ten wrong passwords, also for the right one, until the window has passed", async () => {
      const person = await somebody();
      for (let turn = 0; turn < limits.signInAccount.hits; turn += 1)
        await expect(enter(person.userName, "Forkert1234")).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(enter(person.userName)).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(enter(person.userName.toUpperCase())).rejects.toMatchObject({ name: "tooManyAttempts" });
      // Somebody who guesses cannot lock the person out of another network.
      await expect(enter(person.userName, PASSWORD, {}, "198.51.100.1")).resolves.toBeDefined();
      await expect(enter((await somebody()).userName)).resolves.toBeDefined();
      portal.clock.advance({ minutes: 16 });
      await expect(enter(person.userName)).resolves.toBeDefined();
    });

    test("from an address where the person signed in before, wrong passwords delay but do not lock out", async () => {
      const person = await somebody();
      await enter(person.userName);
      for (let turn = 0; turn < limits.signInAccount.hits; turn += 1)
        await expect(enter(person.userName, "Forkert1234")).rejects.toMatchObject({ name: "wrongCredentials" });
      const started = Date.now();
      await expect(enter(person.userName)).resolves.toBeDefined();
      expect(Date.now() - started).toBeGreaterThan(2_500);
    });

    test("guesses from many networks count together", async () => {
      const person = await somebody();
      await portal.db
        .insertInto("throttle")
        .values({
          id: portal.secrets.lookup("throttle", `signInEverywhere:inside:${person.userName}`),
          window_start: "2026-12-01 09:00:00.000",
          hits: limits.signInEverywhere.hits,
        })
        .execute();
      await expect(enter(person.userName, PASSWORD, {}, "198.51.100.9")).rejects.toMatchObject({
        name: "tooManyAttempts",
      });
    });

    test("a person is unknown on the other site, for signing in and for resetting the password, and attempts there do not lock them out", async () => {
      const [surgeon, dentist] = [await somebody({ role: "Surgeon" }), await somebody()];
      const at = (site: "staff" | "public", userName: string) =>
        portal.as(anonymous, signIn, { userName, password: PASSWORD }, { site, address: "198.51.100.77" });
      await expect(at("public", surgeon.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(at("staff", dentist.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(
        portal.as(anonymous, forgotPassword, { userName: surgeon.userName }, { site: "public" }),
      ).rejects.toMatchObject({ name: "accountUnknown" });
      for (let turn = 1; turn < limits.signInAccount.hits; turn += 1)
        await expect(at("public", surgeon.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(at("public", surgeon.userName)).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(at("staff", surgeon.userName)).resolves.toBeDefined();
      await expect(at("public", dentist.userName)).resolves.toBeDefined();
    });

    test("a person without roles is unknown everywhere, may do nothing, and may sign in as somebody else", async () => {
      const person = await somebody();
      const token = await session(person);
      await portal.db.deleteFrom("user_role").where("user_id", "=", person.id).execute();
      await expect(enter(person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(portal.as(anonymous, forgotPassword, { userName: person.userName })).rejects.toMatchObject({
        name: "accountUnknown",
      });
      const { person: now } = (await findSession(portal.db, token, portal.clock.now()))!;
      await expect(portal.as(now, readAccount, {})).rejects.toMatchObject({ name: "notAllowed" });
      expect(await portal.as(now, readSignIn, { to: "/management/overview" })).toEqual({});
      expect(await portal.as(person, readSignIn, { to: "/management/overview" })).toEqual({
        redirectTo: "/management/overview",
      });
    });

    test("a session ends 12 hours after a sign-in of staff, and 30 days after a referrer's, however busy it is", async () => {
      for (const [role, hours] of [
        ["Admin", 12],
        ["Dentist", 30 * 24],
      ] as const) {
        const token = await session(await somebody({ role }));
        const begun = portal.clock.now();
        const busyUntil = async (until: number) => {
          await portal.db.updateTable("session").set({ expires_at: "2030-01-01 00:00:00.000" }).execute();
          portal.clock.set(new Date(begun.getTime() + until * 3_600_000).toISOString());
          return isAlive(token);
        };
        expect(await busyUntil(hours - 0.1)).toBe(true);
        expect(await busyUntil(hours)).toBe(false);
      }
    });

    test("a person who was inactive and is active again has to sign in again", async () => {
      const person = await somebody();
      const token = await session(person);
      await deactivate(person);
      await portal.as({ kind: "system", job: "test" }, removeExpired, {});
      await portal.db.updateTable("user").set({ status: 1 }).where("id", "=", person.id).execute();
      expect(await isAlive(token)).toBe(false);
    });

    test("audits which account was tried, from where and with which outcome", async () => {
      await portal.audit.flush();
      await portal.db.deleteFrom("audit_event").execute();
      const person = await somebody();
      await enter(person.userName, "Forkert1234").catch(() => undefined);
      await enter("findes-slet-ikke").catch(() => undefined);
      await enter(person.userName);
      await portal.audit.flush();
      const rows = await portal.db
        .selectFrom("audit_event")
        .select(["outcome", "detail", "subject_user_id", "account_hash", "address_hash", "site", "purpose"])
        .where("operation", "=", "signIn")
        .orderBy("id", "desc")
        .limit(3)
        .execute();
      const hash = (text: string) => portal.secrets.lookup("audit", text);
      const here = { address_hash: hash("203.0.113.7"), site: "inside", purpose: "account" };
      expect(rows).toEqual(
        expect.arrayContaining([
          {
            outcome: "refused",
            detail: "wrongCredentials",
            subject_user_id: person.id,
            account_hash: hash(person.userName),
            ...here,
          },
          {
            outcome: "refused",
            detail: "wrongCredentials",
            subject_user_id: null,
            account_hash: hash("findes-slet-ikke"),
            ...here,
          },
          { outcome: "done", detail: null, subject_user_id: person.id, account_hash: hash(person.userName), ...here },
        ]),
      );
    });

    test("blocks an unknown name in the same way", async () => {
      for (let turn = 0; turn < limits.signInAccount.hits; turn += 1)
        await expect(enter("ukendt")).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(enter("ukendt")).rejects.toMatchObject({ name: "tooManyAttempts" });
    });

    test("signing in resets the account's wrong passwords", async () => {
      const person = await somebody();
      for (let turn = 0; turn < limits.signInAccount.hits - 1; turn += 1)
        await enter(person.userName, "Forkert1234").catch(() => undefined);
      await enter(person.userName);
      await expect(enter(person.userName, "Forkert1234")).rejects.toMatchObject({ name: "wrongCredentials" });
    });

    test("blocks an address after many wrong guesses, whatever the names; successful sign-ins do not count", async () => {
      const address = "192.0.2.9";
      const counted = () =>
        portal.db
          .selectFrom("throttle")
          .select("hits")
          .where("id", "=", portal.secrets.lookup("throttle", `signInAddress:inside:${address}`));
      const person = await somebody();
      await enter(person.userName, PASSWORD, {}, address);
      expect(await counted().executeTakeFirst()).toEqual({ hits: 0 });
      await portal.db
        .updateTable("throttle")
        .set({ hits: limits.signInAddress.hits - 1 })
        .where("hits", "=", 0)
        .execute();
      for (const password of [PASSWORD, PASSWORD, "Forkert1234"])
        await enter(person.userName, password, {}, address).catch(() => undefined);
      await expect(enter(person.userName, PASSWORD, {}, address)).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(enter(person.userName, PASSWORD, {}, "192.0.2.10")).resolves.toBeDefined();
    });

    test("redirects somebody who is signed in already to the link's page, and never off the site", async () => {
      const person = await somebody();
      const open = (to?: string) => portal.as(person, readSignIn, { to });
      expect(await open("/management/draft-visits?p=2")).toEqual({ redirectTo: "/management/draft-visits?p=2" });
      for (const to of [undefined, "https://ond.dk/", "//ond.dk", "/login", `/management/${"x".repeat(5000)}`])
        expect(await open(to)).toEqual({ redirectTo: "/management/overview" });
      expect(await portal.as(anonymous, readSignIn, { to: "/management/overview" })).toEqual({});
    });

    test("signing in again in the same browser ends the former session", async () => {
      const [person, other] = [await somebody(), await somebody()];
      const [former, elsewhere] = [await session(person), await session(person)];
      await portal.as(
        person,
        signIn,
        { userName: other.userName, password: PASSWORD },
        { sessionId: tokenHash(former) },
      );
      expect([await isAlive(former), await isAlive(elsewhere)]).toEqual([false, true]);
    });

    test("a return path that is too long is ignored", async () => {
      const person = await somebody();
      expect(
        (await enter(person.userName, PASSWORD, { to: `/management/${"x".repeat(5000)}`, sealed: "x".repeat(500_000) }))
          .to,
      ).toBe("/management/overview");
    });

    test("signing out ends the session", async () => {
      const person = await somebody();
      const token = await session(person);
      expect(await portal.as(person, signOut, {}, { sessionId: tokenHash(token) })).toMatchObject({
        session: "ended",
        to: "/login",
      });
      expect(await isAlive(token)).toBe(false);
      expect(await portal.as(anonymous, signOut, {})).toMatchObject({ session: "ended" });
    });
  });

  describe("a forgotten password", () => {
    async function linkFor(person: Person): Promise<URL> {
      await portal.as(anonymous, forgotPassword, { userName: person.userName });
      while (
        (await portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "test", channel: "email" })).data
          ?.sent === true
      );
      const mail = (await portal.email.listStored!(100)).find(({ to }) => to === person.email);
      return new URL(/https?:\/\/\S+/.exec(mail!.text)![0]);
    }
    const reset = (link: URL, more: Record<string, string> = {}) =>
      portal.as(anonymous, resetPassword, {
        userName: link.searchParams.get("userName"),
        token: link.searchParams.get("token"),
        newPassword: OTHER,
        repeatPassword: OTHER,
        ...more,
      });

    test.each<[Role, string]>([
      ["Dentist", "https://www.henvis.eksempel.dk"],
      ["Secretary", "https://www.henvis.eksempel.dk"],
      ["Admin", "https://klinik.eksempel.dk"],
      ["Surgeon", "https://klinik.eksempel.dk"],
    ])("%s gets a link to %s, valid two hours, of which only the hash is stored", async (role, origin) => {
      const person = await somebody({ role });
      const link = await linkFor(person);
      expect(link.origin + link.pathname).toBe(`${origin}/change-password`);
      const token = link.searchParams.get("token")!;
      const rows = await portal.db.selectFrom("access_token").selectAll().where("user_id", "=", person.id).execute();
      expect(rows).toMatchObject([
        { id: tokenHash(token), purpose: "passwordReset", expires_at: "2026-12-01 11:00:00.000", used_at: null },
      ]);
      expect(JSON.stringify(rows)).not.toContain(token);
    });

    test("reports an unknown or inactive name and sends nothing", async () => {
      const inactive = await somebody();
      await deactivate(inactive);
      for (const userName of ["findes-ikke", inactive.userName])
        await expect(portal.as(anonymous, forgotPassword, { userName })).rejects.toMatchObject({
          name: "accountUnknown",
        });
      expect(await portal.db.selectFrom("outbox").select("id").execute()).toEqual([]);
    });

    test("accepts an e-mail address too: each of its accounts gets a link, and an unknown address gets the same answer", async () => {
      await portal.db.deleteFrom("outbox").execute();
      const [one, two, staff] = [await somebody(), await somebody(), await somebody({ role: "Admin" })];
      await portal.db
        .updateTable("user")
        .set({ email: "Faelles@klinik.eksempel.dk" })
        .where("id", "in", [one.id, two.id, staff.id])
        .execute();
      const ask = (userName: string) => portal.as(anonymous, forgotPassword, { userName }, { site: "public" });
      expect(await ask(" faelles@klinik.eksempel.dk ")).toEqual(await ask("ukendt@klinik.eksempel.dk"));
      const sent = await portal.db.selectFrom("outbox").select("user_id").orderBy("id").execute();
      expect(
        sent.map(({ user_id: id }) => id),
        "nobody of the other site",
      ).toEqual([one.id, two.id]);
      await portal.db.deleteFrom("outbox").execute();
    });

    test("counts requests for each account and each address", async () => {
      const person = await somebody();
      const ask = (userName: string, address: string) =>
        portal.as(anonymous, forgotPassword, { userName }, { address });
      for (let turn = 0; turn < limits.forgotAccount.hits; turn += 1) await ask(person.userName, `192.0.2.${turn}`);
      await expect(ask(person.userName, "192.0.2.99")).rejects.toMatchObject({ name: "tooManyAttempts" });
      for (let turn = 0; turn < limits.forgotAddress.hits; turn += 1)
        await expect(ask(`ukendt${turn}`, "198.51.100.1")).rejects.toMatchObject({ name: "accountUnknown" });
      await expect(ask("ukendt-til-sidst", "198.51.100.1")).rejects.toMatchObject({ name: "tooManyAttempts" });
    });

    test("states the actual wait: an hour here, a quarter of an hour at sign-in", async () => {
      const [forgetful, mistaken] = [await somebody(), await somebody()];
      const askAgain = () => portal.as(anonymous, forgotPassword, { userName: forgetful.userName });
      for (let turn = 0; turn < limits.forgotAccount.hits; turn += 1) await askAgain();
      await expect(askAgain()).rejects.toMatchObject({
        text: "Der er forsøgt for mange gange. Vent en time, og prøv igen.",
      });
      for (let turn = 0; turn < limits.signInAccount.hits; turn += 1)
        await enter(mistaken.userName, "Forkert1234").catch(() => undefined);
      await expect(enter(mistaken.userName)).rejects.toMatchObject({
        name: "tooManyAttempts",
        text: "Der er forsøgt for mange gange. Vent et kvarter, og prøv igen.",
      });
    });

    test("the link changes the password once and ends every session", async () => {
      const person = await somebody();
      const [token, others] = [await session(person), await session(await somebody())];
      const link = await linkFor(person);
      const done = await reset(link);
      expect(done.to).toMatch(/^\/login\?/);
      expect(done.session).toBeUndefined();
      expect(await isAlive(token)).toBe(false);
      expect(await isAlive(others)).toBe(true);
      await expect(enter(person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(enter(person.userName, OTHER)).resolves.toBeDefined();
      await expect(reset(link)).rejects.toMatchObject({ name: "tokenInvalid" });
    });

    test("the last three links work until one is used, so nobody can disable a person's link by requesting others", async () => {
      const person = await somebody();
      const links = [];
      for (let turn = 0; turn < 4; turn += 1) {
        links.push(await linkFor(person));
        portal.clock.advance({ minutes: 1 });
      }
      await expect(reset(links[0]!)).rejects.toMatchObject({ name: "tokenInvalid" });
      await expect(reset(links[1]!)).resolves.toBeDefined();
      for (const link of links.slice(2)) await expect(reset(link)).rejects.toMatchObject({ name: "tokenInvalid" });
    });

    test("without a valid link, reveals nothing about the account, not even that a password is too simple", async () => {
      const person = await somebody();
      const link = await linkFor(person);
      await expect(
        reset(link, {
          token: "x".repeat(43),
          newPassword: `${person.userName}A1`,
          repeatPassword: `${person.userName}A1`,
        }),
      ).rejects.toMatchObject({ name: "tokenInvalid" });
      await expect(
        reset(link, { newPassword: `${person.userName}A1`, repeatPassword: `${person.userName}A1` }),
      ).rejects.toMatchObject({ name: "weakPassword" });
    });

    test("of two uses at the same time, one succeeds", async () => {
      const link = await linkFor(await somebody());
      const uses = await Promise.allSettled([reset(link), reset(link), reset(link)]);
      expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    });

    test("the link expires", async () => {
      const link = await linkFor(await somebody());
      portal.clock.advance({ minutes: 120 });
      await expect(reset(link)).rejects.toMatchObject({ name: "tokenInvalid" });
    });

    test("the link opens no other account", async () => {
      const [person, other] = [await somebody(), await somebody()];
      const tokenOfOlder = (await linkFor(person)).searchParams.get("token");
      const foreign = await linkFor(other);
      await expect(reset(foreign, { userName: person.userName })).rejects.toMatchObject({ name: "tokenInvalid" });
      await expect(reset(foreign, { userName: "findes-ikke" })).rejects.toMatchObject({ name: "tokenInvalid" });
      await expect(reset(foreign, { token: tokenHash(tokenOfOlder ?? "") })).rejects.toMatchObject({
        name: "tokenInvalid",
      });
      await expect(enter(person.userName)).resolves.toBeDefined();
      await expect(reset(foreign)).resolves.toBeDefined();
    });

    test("refuses a token that was made for another purpose", async () => {
      const person = await somebody();
      const link = await linkFor(person);
      await portal.db
        .updateTable("access_token")
        .set({ purpose: "patient" as never })
        .where("user_id", "=", person.id)
        .execute();
      await expect(reset(link)).rejects.toMatchObject({ name: "tokenInvalid" });
    });

    test("a person made inactive since cannot use it", async () => {
      const person = await somebody();
      const link = await linkFor(person);
      await deactivate(person);
      await expect(reset(link)).rejects.toMatchObject({ name: "tokenInvalid" });
    });

    test("a refused password does not use the link up", async () => {
      const person = await somebody({ userName: `blaabaer${++count}` });
      const link = await linkFor(person);
      for (const simple of ["Password1", "Qwerty123", `${person.userName}A1`, `1X${person.userName.toUpperCase()}y`]) {
        await expect(reset(link, { newPassword: simple, repeatPassword: simple })).rejects.toMatchObject({
          name: "weakPassword",
          fields: { newPassword: ["Adgangskoden er for enkel."] },
        });
      }
      await expect(reset(link, { newPassword: "kort", repeatPassword: "kort" })).rejects.toMatchObject({
        name: "invalid",
      });
      await expect(reset(link, { repeatPassword: "Noget andet 1" })).rejects.toMatchObject({ name: "invalid" });
      await expect(reset(link)).resolves.toBeDefined();
    });

    test.each<[string, Record<string, unknown>]>([
      ["no token", { token: undefined }],
      ["no name", { userName: undefined }],
      ["neither", { userName: undefined, token: undefined }],
      ["a token far too long", { token: "x".repeat(300) }],
    ])("a link that the mail program truncated is reported as invalid: %s", async (_what, cut) => {
      const input = { userName: "konto", token: "abc", newPassword: OTHER, repeatPassword: OTHER, ...cut };
      await expect(portal.as(anonymous, resetPassword, input)).rejects.toMatchObject({ name: "tokenInvalid" });
    });
  });

  describe("changing one's password", () => {
    const change = (person: Person, input: Record<string, string>) =>
      portal.as(person, changePassword, {
        currentPassword: PASSWORD,
        newPassword: OTHER,
        repeatPassword: OTHER,
        ...input,
      });

    test("asks for the current one", async () => {
      const person = await somebody();
      const token = await session(person);
      await expect(change(person, { currentPassword: "Forkert1234" })).rejects.toMatchObject({
        name: "wrongCurrentPassword",
      });
      expect(await isAlive(token)).toBe(true);
      await expect(enter(person.userName)).resolves.toBeDefined();
    });

    test("ends the person's sessions and renews this one", async () => {
      const person = await somebody();
      const [here, elsewhere, others] = [await session(person), await session(person), await session(await somebody())];
      const done = await change(person, {});
      expect([await isAlive(here), await isAlive(elsewhere), await isAlive(others)]).toEqual([false, false, true]);
      expect(await isAlive((done.session as { token: string }).token)).toBe(true);
      await expect(enter(person.userName, OTHER)).resolves.toBeDefined();
      await expect(enter(person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
    });

    test("limits guesses of the current password", async () => {
      const person = await somebody();
      for (let turn = 0; turn < limits.signInAccount.hits; turn += 1)
        await change(person, { currentPassword: "Forkert1234" }).catch(() => undefined);
      await expect(change(person, {})).rejects.toMatchObject({ name: "tooManyAttempts" });
    });

    test("refuses a simple one", async () => {
      await expect(
        change(await somebody(), { newPassword: "Password1", repeatPassword: "Password1" }),
      ).rejects.toMatchObject({ name: "weakPassword" });
    });
  });

  describe("the profile", () => {
    const profile = { firstName: "Åse", lastName: "Kjær", email: "aase@eksempel.dk", phone: "10 00 00 01" };

    test("is changed and read again", async () => {
      const person = await somebody();
      await portal.as(person, changeProfile, {
        ...profile,
        userName: `ny-${person.userName}`,
        currentPassword: PASSWORD,
      });
      expect(await portal.as(person, readProfile, {})).toEqual({
        ...profile,
        userName: `ny-${person.userName}`,
        tests: null,
        hasShortcuts: true,
      });
      await expect(enter(`NY-${person.userName}`)).resolves.toBeDefined();
    });

    test("changes user name and e-mail with the current password only, and notifies both addresses", async () => {
      const person = await somebody();
      const saved = {
        firstName: "Åse",
        lastName: "Kjær",
        phone: "10 00 00 02",
        userName: person.userName,
        email: person.email,
      };
      await expect(portal.as(person, changeProfile, saved)).resolves.toBeDefined();
      for (const changed of [
        { ...saved, email: "ny@eksempel.dk" },
        { ...saved, userName: `anden${++count}` },
      ]) {
        await expect(portal.as(person, changeProfile, changed)).rejects.toMatchObject({
          name: "wrongCurrentPassword",
          fields: { currentPassword: [expect.stringContaining("nuværende adgangskode")] },
        });
        await expect(
          portal.as(person, changeProfile, { ...changed, currentPassword: "Forkert1234" }),
        ).rejects.toMatchObject({ name: "wrongCurrentPassword" });
      }
      expect(await portal.as(person, readProfile, {})).toMatchObject({
        email: person.email,
        userName: person.userName,
      });
      expect(await portal.db.selectFrom("outbox").select("id").execute()).toEqual([]);
      await portal.as(person, changeProfile, { ...saved, email: "ny@eksempel.dk", currentPassword: PASSWORD });
      expect(await notified()).toEqual([person.email, "ny@eksempel.dk"].sort());
      await portal.as(
        person,
        changePassword,
        { currentPassword: PASSWORD, newPassword: OTHER, repeatPassword: OTHER },
        { sessionId: tokenHash(await session(person)) },
      );
      expect(await notified()).toHaveLength(3);
    });

    test("refuses a user name that is taken, in any spelling, and changes nothing", async () => {
      const [person, other] = [await somebody(), await somebody({ userName: `søren${++count}` })];
      const before = await portal.as(person, readProfile, {});
      await expect(
        portal.as(person, changeProfile, {
          ...profile,
          userName: other.userName.toUpperCase().replace("Ø", "OE"),
          currentPassword: PASSWORD,
        }),
      ).rejects.toMatchObject({
        name: "userNameTaken",
        fields: { userName: ["Brugernavn allerede taget."] },
      });
      expect(await portal.as(person, readProfile, {})).toEqual(before);
    });
  });

  test.each(["Bo<b>", "Bo\\", "Bo|", "Bo[1]", "Bo{", "Bo 2"])(
    "a name such as %j is refused, in the profile as for a patient",
    async (firstName) => {
      const profile = { firstName, lastName: "Kjær", userName: `navn${++count}`, email: "aase@eksempel.dk" };
      await expect(portal.as(await somebody(), changeProfile, profile)).rejects.toMatchObject({ name: "invalid" });
    },
  );

  describe("the conditions", () => {
    const publish = (version: number) =>
      insertText(
        portal.db,
        "conditions",
        { version, body: `Betingelser ${version} æøå`, buttonText: "Jeg accepterer" },
        { now: portal.clock.now() },
      );
    const mustAccept = async (person: Person) =>
      (await findSession(portal.db, await session(person), portal.clock.now()))!.person.mustAcceptConditions;

    test("a referrer accepts each new version once; staff never", async () => {
      const [dentist, admin] = [await somebody(), await somebody({ role: "Admin" })];
      expect(await mustAccept(dentist)).toBe(false);
      await publish(1);
      expect([await mustAccept(dentist), await mustAccept(admin)]).toEqual([true, false]);
      const waiting = { ...dentist, mustAcceptConditions: true };
      expect(await portal.as(waiting, readConditions, {})).toMatchObject({
        conditions: { version: 1, body: "Betingelser 1 æøå" },
        isAccepted: false,
      });
      expect(await portal.as(waiting, acceptConditions, { version: 1, to: "/management/draft-visits" })).toEqual({
        to: "/management/draft-visits",
      });
      expect(await mustAccept(dentist)).toBe(false);
      expect(
        await portal.db
          .selectFrom("user")
          .select(["accepted_conditions_version", "accepted_conditions_at"])
          .where("id", "=", dentist.id)
          .execute(),
      ).toEqual([{ accepted_conditions_version: 1, accepted_conditions_at: "2026-12-01 09:00:00.000" }]);
      await publish(2);
      expect(await mustAccept(dentist)).toBe(true);
    });

    test("a form that was interrupted by new conditions is restored once they are accepted", async () => {
      const person = await somebody();
      const token = await session(person);
      const sessionId = tokenHash(token);
      const waiting = { ...person, mustAcceptConditions: true };
      const kept = await portal.as(
        waiting,
        sealFormUntilAccepted,
        {
          intent: "savePatient",
          formId: "step1",
          to: "/management/henvisning-tandlaeger?trin=1",
          firstName: "Åse",
          password: "hemmelig",
        },
        { sessionId },
      );
      expect(kept).toEqual({ to: "/management/betingelser?to=%2Fmanagement%2Fhenvisning-tandlaeger%3Ftrin%3D1" });
      const row = await portal.db
        .selectFrom("session")
        .select("restored_input")
        .where("id", "=", sessionId)
        .executeTakeFirstOrThrow();
      expect(row.restored_input).not.toMatch(/Åse|hemmelig/);
      const shell = (actor: Person) => shellOf(actor, token);
      expect((await shell(waiting)).restored).toBeNull();
      expect((await shell(person)).restored).toMatchObject({ formId: "step1", values: { firstName: "Åse" } });
      expect((await shell(person)).restored).toBeNull();
    });

    test("an older or unknown version cannot be accepted", async () => {
      const person = await somebody();
      await publish(1);
      await publish(2);
      for (const version of [1, 3])
        await expect(portal.as(person, acceptConditions, { version })).rejects.toMatchObject({ name: "conflict" });
      expect(await mustAccept(person)).toBe(true);
    });
  });

  describe("a form that was submitted after the session had expired", () => {
    let owner: Person;
    let cookieId: string;
    beforeEach(async () => {
      owner = await somebody();
      cookieId = tokenHash(await session(owner));
      portal.clock.advance({ hours: 13 });
    });
    const seal = async (
      values: Record<string, unknown>,
      more: { cookieId?: string; address?: string } = { cookieId },
    ) => (await portal.as(anonymous, sealPendingForm, values, more)).data.sealed as string;
    const restore = (sealed: string, person = owner) =>
      restoreSealed(portal.secrets, person.id, sealed, portal.clock.now());

    test("is restored, without passwords and files", async () => {
      const sealed = await seal({
        intent: "save",
        formId: "step1",
        to: "/management/overview",
        firstName: "Åse",
        teeth: ["48", "38"],
        password: "hemmelig-a",
        newPassword: "hemmelig-b",
        repeatPassword: "hemmelig-c",
        currentPassword: "hemmelig-d",
        file: new File(["x"], "x.txt"),
      });
      expect(sealed).not.toContain("Åse");
      expect(restore(sealed)).toMatchObject({
        path: "/management/overview",
        formId: "step1",
        values: { firstName: "Åse", teeth: ["48", "38"] },
      });
      expect(JSON.stringify(restore(sealed))).not.toMatch(/hemmelig|x\.txt|"file"/);
    });

    test("is not restored after eight hours, when tampered with, or from another portal", async () => {
      const sealed = await seal({ firstName: "Åse" });
      const foreign = (purpose: string, value: object) =>
        portal.secrets.encrypt("seal", JSON.stringify(value), purpose);
      portal.clock.advance({ hours: 8, minutes: -1 });
      expect(restore(sealed)).not.toBeNull();
      expect(restore(`${sealed.slice(0, -2)}AA`)).toBeNull();
      expect(restore("")).toBeNull();
      expect(restore(foreign(`form:${owner.id}`, { path: "/x" }))).toBeNull();
      expect(restore(foreign("filter", { path: "/x", formId: "", values: {}, until: 9e15 }))).toBeNull();
      portal.clock.advance({ minutes: 1 });
      expect(restore(sealed)).toBeNull();
    });

    test("is restored only for the session's owner, and not at all when the owner is unknown", async () => {
      const other = await somebody();
      const sealed = await seal({ to: "/management/draft-visits", firstName: "Åse" });
      expect(restore(sealed, other)).toBeNull();
      const done = await enter(other.userName, PASSWORD, { sealed });
      expect(done.to).toBe("/management/overview");
      const rows = await portal.db
        .selectFrom("session")
        .select("restored_input")
        .where("user_id", "=", other.id)
        .execute();
      expect(rows).toEqual([{ restored_input: null }]);
      expect(await seal({ firstName: "Åse" }, {})).toBeNull();
      expect(await seal({ firstName: "Åse" }, { cookieId: tokenHash("ukendt") })).toBeNull();
    });

    test("is restored for its owner days after the session expired", async () => {
      portal.clock.advance({ days: 3 });
      await portal.as({ kind: "system", job: "test" }, removeExpired, {});
      expect(restore(await seal({ firstName: "Åse" }))).not.toBeNull();
    });

    test("is dropped when it is larger than any form of the portal", async () => {
      expect(await seal({ text: "x".repeat(400_000) })).toBeNull();
    });

    test("is limited for each address", async () => {
      for (let turn = 0; turn < limits.sealPendingForm.hits; turn += 1)
        await seal({ turn }, { cookieId, address: "192.0.2.44" });
      await expect(seal({ firstName: "Åse" }, { cookieId, address: "192.0.2.44" })).rejects.toMatchObject({
        name: "tooManyAttempts",
      });
      expect(await seal({ firstName: "Åse" }, { cookieId, address: "192.0.2.45" })).not.toBeNull();
    });

    test("redirects only within the portal", async () => {
      expect(restore(await seal({ to: "//ond.dk/" }))?.path).toBe("/management/overview");
    });

    test("is restored once after signing in, on its own page", async () => {
      const sealed = await seal({ to: "/management/draft-visits", formId: "f", comment: "blåbær" });
      const done = await enter(owner.userName, PASSWORD, { sealed });
      expect(done.to).toBe("/management/draft-visits");
      const shell = () => shellOf(owner, (done.session as { token: string }).token);
      expect((await shell()).restored).toMatchObject({ values: { comment: "blåbær" } });
      expect((await shell()).restored).toBeNull();
    });

    test("a broken seal does not prevent signing in", async () => {
      expect((await enter(owner.userName, PASSWORD, { sealed: "i.stykker" })).to).toBe("/management/overview");
    });
  });

  test("removes expired sessions, counters and form keys", async () => {
    await session(await somebody({ role: "Admin" }));
    await enter("findes-ikke").catch(() => undefined);
    await portal.db
      .insertInto("idempotency")
      .values({ user_id: 1, operation: "x", form_key: "k", location: "", created_at: "2026-12-01 09:00:00.000" })
      .execute();
    const left = async () =>
      Promise.all(
        (["session", "throttle", "idempotency"] as const).map(
          async (table) => (await portal.db.selectFrom(table).selectAll().execute()).length,
        ),
      );
    const tidy = () => portal.as({ kind: "system", job: "test" }, removeExpired, {});
    await tidy();
    expect(await left()).toEqual([1, 3, 1]);
    portal.clock.advance({ hours: 25 });
    await tidy();
    expect(await left()).toEqual([1, 0, 1]);
    portal.clock.advance({ hours: 48 });
    await tidy();
    expect(await left()).toEqual([1, 0, 0]);
    portal.clock.advance({ days: 5 });
    await tidy();
    expect(await left()).toEqual([0, 0, 0]);
  });
});

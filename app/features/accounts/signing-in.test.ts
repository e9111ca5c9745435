import { describe, expect, test } from "vitest";
import { findSession } from "~/access/sessions.server";
import { limits } from "~/access/throttle.server";
import { readAccount } from "~/features/shell/read-shell.server";
import { toMoment } from "~/text/dates";
import { aPerson } from "../../../tests/factories/people";
import { accountsPortal, anonymous, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { forgotPassword } from "./passwords.server";
import { readSignIn } from "./operations.server";
import { signIn, signInAsDemo } from "./sign-in.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let count = 0;
  const { somebody, enter, session, deactivate } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("signing in", () => {
    test("starts a session with the right password and redirects", async () => {
      const person = await somebody();
      const done = await enter(person.userName, PASSWORD, { to: "/management/draft-visits?p=2" });
      expect(done.to).toBe("/management/draft-visits?p=2");
      expect(done.session).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) });
      const { token } = done.session as { token: string };
      expect((await findSession(portal, token, portal.clock.now()))?.person.id).toBe(person.id);
      const users = portal.db.selectFrom("user").select("lastActiveAt").where("id", "=", person.id);
      expect(await users.executeTakeFirst()).toEqual({ lastActiveAt: toMoment(portal.clock.now()) });
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

    test("refuses a wrong password, an unknown name and an inactive person alike", async () => {
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

    describe("by the door of the demo", () => {
      const doorOf = async (more: object = {}) => {
        const { userName } = await somebody({ role: "Surgeon" });
        const account = { userName, role: "Surgeon" as const, title: "Kirurg", name: "Lise", task: "visiterer" };
        return {
          ...portal,
          demo: { accounts: [account], password: PASSWORD, patients: [], register: new Map() },
          ...more,
          userName,
        };
      };
      const press = (at: Awaited<ReturnType<typeof doorOf>> | TestPortal, account: string) =>
        portal.as.call(at, anonymous, signInAsDemo, { account });

      test("one press begins a session, and a page tells its accounts but not their password", async () => {
        const door = await doorOf();
        expect(await press(door, door.userName)).toMatchObject({ session: {}, to: "/management/overview" });
        const page = (site: "staff" | "public") => portal.as.call(door, anonymous, readSignIn, {}, { site });
        expect(await page("staff")).toMatchObject({ demo: { accounts: door.demo.accounts } });
        expect(await page("public")).toMatchObject({ demo: { accounts: [] } });
        expect(JSON.stringify(await page("staff"))).not.toContain(PASSWORD);
      });

      test("only the demo's accounts enter, and by the rules of every sign-in", async () => {
        const door = await doorOf();
        await expect(press(door, (await somebody()).userName)).rejects.toMatchObject({ name: "notInScope" });
        const moved = await doorOf();
        moved.demo.password = "Forkert1234";
        await expect(press(moved, moved.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      });

      test("there is none without the demo's data, and none in production", async () => {
        const door = await doorOf();
        await expect(press(portal, door.userName)).rejects.toMatchObject({ name: "notInScope" });
        expect(await portal.as(anonymous, readSignIn, {})).toMatchObject({ demo: null });
        const production = { ...door, config: { ...portal.config, production: true } };
        await expect(press(production, door.userName)).rejects.toMatchObject({ name: "notInScope" });
      });
    });

    test("on the other site a person is unknown, and attempts there lock nobody out", async () => {
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

    test("a person without roles is unknown, may do nothing, and may sign in as another", async () => {
      const person = await somebody();
      const token = await session(person);
      await portal.db.deleteFrom("userRole").where("userId", "=", person.id).execute();
      await expect(enter(person.userName)).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(portal.as(anonymous, forgotPassword, { userName: person.userName })).rejects.toMatchObject({
        name: "accountUnknown",
      });
      const { person: now } = (await findSession(portal, token, portal.clock.now()))!;
      await expect(portal.as(now, readAccount, {})).rejects.toMatchObject({ name: "notAllowed" });
      expect(await portal.as(now, readSignIn, { to: "/management/overview" })).toEqual({
        canMail: true,
        providers: [],
        demo: null,
        hasPassword: true,
      });
      expect(await portal.as(person, readSignIn, { to: "/management/overview" })).toEqual({
        redirectTo: "/management/overview",
      });
    });

    test("audits which account was tried, from where and with which outcome", async () => {
      await portal.audit.flush();
      await portal.db.deleteFrom("auditEvent").execute();
      const person = await somebody();
      await enter(person.userName, "Forkert1234").catch(() => undefined);
      await enter("findes-slet-ikke").catch(() => undefined);
      await enter(person.userName);
      await portal.audit.flush();
      const rows = await portal.db
        .selectFrom("auditEvent")
        .select(["outcome", "detail", "subjectUserId", "accountHash", "addressHash", "site", "purpose"])
        .where("operation", "=", "signIn")
        .orderBy("id", "desc")
        .limit(3)
        .execute();
      const hash = (text: string) => portal.secrets.lookup("audit", text);
      const here = { addressHash: hash("203.0.113.7"), site: "inside", purpose: "account" };
      expect(rows).toEqual(
        expect.arrayContaining([
          {
            outcome: "refused",
            detail: "wrongCredentials",
            subjectUserId: person.id,
            accountHash: hash(person.userName),
            ...here,
          },
          {
            outcome: "refused",
            detail: "wrongCredentials",
            subjectUserId: null,
            accountHash: hash("findes-slet-ikke"),
            ...here,
          },
          { outcome: "done", detail: null, subjectUserId: person.id, accountHash: hash(person.userName), ...here },
        ]),
      );
    });

    test("redirects who is signed in to the link's page, and never off the site", async () => {
      const person = await somebody();
      const open = (to?: string) => portal.as(person, readSignIn, { to });
      expect(await open("/management/draft-visits?p=2")).toEqual({ redirectTo: "/management/draft-visits?p=2" });
      for (const to of [undefined, "https://ond.dk/", "//ond.dk", "/login", `/management/${"x".repeat(5000)}`])
        expect(await open(to)).toEqual({ redirectTo: "/management/overview" });
      expect(await portal.as(anonymous, readSignIn, { to: "/management/overview" })).toEqual({
        canMail: true,
        providers: [],
        demo: null,
        hasPassword: true,
      });
    });

    test("a return path that is too long is ignored", async () => {
      const person = await somebody();
      expect(
        (await enter(person.userName, PASSWORD, { to: `/management/${"x".repeat(5000)}`, sealed: "x".repeat(500_000) }))
          .to,
      ).toBe("/management/overview");
    });
  });
});

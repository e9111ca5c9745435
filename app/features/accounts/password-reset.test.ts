import { describe, expect, test } from "vitest";
import type { Person, Role } from "~/access/actor";
import { tokenHash } from "~/access/secrets.server";
import { limits } from "~/access/throttle.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { accountsPortal, anonymous, OTHER, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { recordStatements } from "../../../tests/support/record-statements";
import { systemCaller } from "~/access/system-caller";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { changePassword, forgotPassword, mailRequestedLinks, resetPassword } from "./passwords.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let count = 0;
  const { somebody, enter, session, isAlive, deactivate } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("a forgotten password", () => {
    const mailLinks = () => mailRequestedLinks(portal, systemCaller("job"));

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
      const rows = await portal.db.selectFrom("accessToken").selectAll().where("userId", "=", person.id).execute();
      expect(rows).toMatchObject([
        { id: tokenHash(token), purpose: "passwordReset", expiresAt: "2026-12-01T11:00:00.000Z", usedAt: null },
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

    test("accepts an e-mail: each of its accounts gets a link, unknown ones that answer", async () => {
      await portal.db.deleteFrom("outbox").execute();
      const [one, two, staff] = [await somebody(), await somebody(), await somebody({ role: "Admin" })];
      await portal.db
        .updateTable("user")
        .set({ email: "Faelles@klinik.eksempel.dk" })
        .where("id", "in", [one.id, two.id, staff.id])
        .execute();
      const ask = (userName: string) => portal.as(anonymous, forgotPassword, { userName }, { site: "public" });
      expect(await ask(" faelles@klinik.eksempel.dk ")).toEqual(await ask("ukendt@klinik.eksempel.dk"));
      await Promise.all([mailLinks(), mailLinks()]);
      const sent = await portal.db.selectFrom("outbox").select("userId").orderBy("id").execute();
      expect(
        sent.map(({ userId: id }) => id),
        "nobody of the other site",
      ).toEqual([one.id, two.id]);
      await portal.db.deleteFrom("outbox").execute();
    });

    test("an address is answered before it is looked up, by the same statements for all", async () => {
      const somewhere = await somebody();
      await portal.db
        .updateTable("user")
        .set({ email: "kendt@klinik.eksempel.dk" })
        .where("id", "=", somewhere.id)
        .execute();
      const statementsFor = async (userName: string) => {
        const { db, recorded } = recordStatements(portal.db);
        await portal.as.call({ ...portal, db }, anonymous, forgotPassword, { userName });
        return recorded.map(({ sql }) => sql);
      };
      const unknown = await statementsFor("ukendt@klinik.eksempel.dk");
      expect(await statementsFor("kendt@klinik.eksempel.dk")).toEqual(unknown);
      expect(unknown.join("\n")).toContain("password_request");
      expect(unknown.join("\n")).not.toMatch(/"user"|`user`|outbox|access_token/);
      await mailLinks();
      expect(await portal.db.selectFrom("outbox").select("userId").execute()).toEqual([{ userId: somewhere.id }]);
      expect(await portal.db.selectFrom("passwordRequest").select("id").execute()).toEqual([]);
    });

    test("a user name like an address finds its account alone; an old request is dropped", async () => {
      const [named, other] = [await somebody({ userName: "navn@klinik.eksempel.dk" }), await somebody()];
      await portal.db.updateTable("user").set({ email: named.userName }).where("id", "=", other.id).execute();
      await portal.as(anonymous, forgotPassword, { userName: named.userName });
      await mailLinks();
      const sent = () => portal.db.selectFrom("outbox").select("userId").execute();
      expect(await sent()).toEqual([{ userId: named.id }]);
      await portal.as(anonymous, forgotPassword, { userName: named.userName });
      portal.clock.advance({ hours: 2 });
      await mailLinks();
      expect([(await sent()).length, await portal.db.selectFrom("passwordRequest").select("id").execute()]).toEqual([
        1,
        [],
      ]);
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

    test("an account asked for from elsewhere can still be asked for by its owner", async () => {
      const person = await somebody();
      const ask = (address: string) => portal.as(anonymous, forgotPassword, { userName: person.userName }, { address });
      const mails = async () =>
        (await portal.db.selectFrom("outbox").select("id").where("kind", "=", "passwordReset").execute()).length;
      const before = await mails();
      for (let turn = 0; turn < 8; turn += 1) await ask(`203.0.${turn}.7`);
      expect(await ask("198.51.100.77")).toEqual(await ask("198.51.100.77"));
      expect((await mails()) - before).toBe(limits.forgotMails.hits);
      portal.clock.advance({ minutes: 61 });
      await ask("198.51.100.77");
      expect((await mails()) - before).toBe(limits.forgotMails.hits + 1);
    });

    test("states the wait that is left: an hour here, a quarter of an hour at sign-in", async () => {
      const [forgetful, mistaken] = [await somebody(), await somebody()];
      const askAgain = () => portal.as(anonymous, forgotPassword, { userName: forgetful.userName });
      for (let turn = 0; turn < limits.forgotAccount.hits; turn += 1) await askAgain();
      await expect(askAgain()).rejects.toMatchObject({
        text: "Der er forsøgt for mange gange. Vent en time, og prøv igen.",
      });
      portal.clock.advance({ minutes: 50 });
      await expect(askAgain()).rejects.toMatchObject({
        text: "Der er forsøgt for mange gange. Vent 10 minutter, og prøv igen.",
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

    test("the last three links work until one is used", async () => {
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

    test("a link that was mailed before the password was changed opens nothing", async () => {
      const person = await somebody();
      const link = await linkFor(person);
      const changed = "Skovbrynet8Eg";
      await portal.as(person, changePassword, {
        currentPassword: PASSWORD,
        newPassword: changed,
        repeatPassword: changed,
      });
      await expect(reset(link)).rejects.toMatchObject({ name: "tokenInvalid" });
      await expect(enter(person.userName, changed)).resolves.toBeDefined();
    });

    test("without a valid link, reveals nothing about the account", async () => {
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
        .updateTable("accessToken")
        .set({ purpose: "patient" as never })
        .where("userId", "=", person.id)
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
});

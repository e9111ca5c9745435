import { describe, expect, test } from "vitest";
import { tokenHash } from "~/access/secrets.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { accountsPortal, anonymous, OTHER, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { changePassword, forgotPassword } from "./passwords.server";
import { changeProfile, readProfile } from "./change-profile.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let count = 0;
  const { somebody, enter, session, isAlive } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  const notified = async () => {
    const { secrets } = portal;
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "accountChanged").execute();
    return rows.map((row) => unsealMessage(secrets, row).to).sort();
  };

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
        usesPassword: true,
        hasShortcuts: true,
        goesOn: null,
      });
      await expect(enter(`NY-${person.userName}`)).resolves.toBeDefined();
    });

    test("changes user name and e-mail with the password only, and notifies both addresses", async () => {
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

    test.each([["email"], ["userName"]] as const)(
      "another %s ends all other sessions and the links to choose a password",
      async (what) => {
        const person = await somebody();
        const [here, elsewhere] = [await session(person), await session(person)];
        await portal.as(anonymous, forgotPassword, { userName: person.userName });
        const saved = { ...profile, email: person.email, userName: person.userName, currentPassword: PASSWORD };
        const from = { sessionId: tokenHash(here) };
        await portal.as(person, changeProfile, { ...saved, firstName: "Maja" }, from);
        expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, true]);
        const changed = what === "email" ? { email: "anden@eksempel.dk" } : { userName: `anden${++count}` };
        await portal.as(person, changeProfile, { ...saved, ...changed }, from);
        expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, false]);
        const links = portal.db.selectFrom("accessToken").select("revokedAt").where("userId", "=", person.id);
        expect((await links.execute()).map(({ revokedAt: revoked }) => revoked === null)).toEqual([false]);
      },
    );

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
});

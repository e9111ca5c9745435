import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { limits } from "~/access/throttle.server";
import { accountsPortal, OTHER, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { whileRowChanges } from "../../../tests/support/write-lock";
import { changePassword } from "./passwords.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { somebody, enter, session, isAlive } = accountsPortal(dialect, (opened) => {
    portal = opened;
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

    // SQLite has one writer: nothing changes between the statements of a transaction.
    test.runIf(dialect === "mariadb")("is refused when another password was stored meanwhile", async () => {
      const person = await somebody();
      const stored = { table: "user", id: person.id, set: "password_hash = 'other'" } as const;
      await expect(whileRowChanges(portal, stored, () => change(person, {}))).rejects.toMatchObject({
        name: "conflict",
      });
      expect(await portal.db.selectFrom("session").select("id").where("userId", "=", person.id).execute()).toEqual([]);
    });

    test.runIf(dialect === "mariadb")("a sign-in with the former one begins no session afterwards", async () => {
      const person = await somebody();
      const stored = { table: "user", id: person.id, set: "password_hash = 'other'" } as const;
      await expect(whileRowChanges(portal, stored, () => enter(person.userName))).rejects.toMatchObject({
        name: "wrongCredentials",
      });
    });

    test("refuses a simple one", async () => {
      await expect(
        change(await somebody(), { newPassword: "Password1", repeatPassword: "Password1" }),
      ).rejects.toMatchObject({ name: "weakPassword" });
    });
  });
});

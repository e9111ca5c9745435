import { describe, expect, test } from "vitest";
import { limits } from "~/access/throttle.server";
import { accountsPortal, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { somebody, enter } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("signing in", () => {
    test("blocks an account after ten wrong passwords until the window has passed", async () => {
      const person = await somebody();
      for (let turn = 0; turn < limits.signInAccount.hits; turn += 1)
        await expect(enter(person.userName, "Forkert1234")).rejects.toMatchObject({ name: "wrongCredentials" });
      await expect(enter(person.userName)).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(enter(person.userName.toUpperCase())).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(enter(person.userName, PASSWORD, {}, "198.51.100.1")).resolves.toBeDefined();
      await expect(enter((await somebody()).userName)).resolves.toBeDefined();
      portal.clock.advance({ minutes: 16 });
      await expect(enter(person.userName)).resolves.toBeDefined();
    });

    test("from an address known to the person, wrong passwords delay but do not lock out", async () => {
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
          windowStart: "2026-12-01T09:00:00.000Z",
          hits: limits.signInEverywhere.hits,
        })
        .execute();
      await expect(enter(person.userName, PASSWORD, {}, "198.51.100.9")).rejects.toMatchObject({
        name: "tooManyAttempts",
      });
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

    test("blocks an address after many wrong guesses; successful sign-ins do not count", async () => {
      const address = "192.0.2.9";
      const counted = () =>
        portal.db
          .selectFrom("throttle")
          .select("hits")
          .where("id", "=", portal.secrets.lookup("throttle", `signInAddress:inside:${address}/32`));
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
      const newcomer = await somebody();
      await expect(enter(newcomer.userName, PASSWORD, {}, address)).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(enter(person.userName, PASSWORD, {}, "192.0.2.10")).resolves.toBeDefined();
    });

    test("another's guesses from a shared address delay its people, and refuse others", async () => {
      const address = "192.0.2.20";
      const [regular, newcomer] = [await somebody(), await somebody()];
      await enter(regular.userName, PASSWORD, {}, address);
      await portal.db
        .updateTable("throttle")
        .set({ hits: limits.signInAddress.hits })
        .where("id", "=", portal.secrets.lookup("throttle", `signInAddress:inside:${address}/32`))
        .execute();
      await expect(enter("ukendt", "Forkert1234", {}, address)).rejects.toMatchObject({ name: "tooManyAttempts" });
      await expect(enter(newcomer.userName, PASSWORD, {}, address)).rejects.toMatchObject({ name: "tooManyAttempts" });
      const started = Date.now();
      await expect(enter(regular.userName, PASSWORD, {}, address)).resolves.toBeDefined();
      expect(Date.now() - started).toBeGreaterThan(2_500);
    });
  });
});

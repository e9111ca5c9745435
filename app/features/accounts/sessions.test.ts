import { describe, expect, test } from "vitest";
import { tokenHash } from "~/access/secrets.server";
import { removeExpired } from "~/features/maintenance/operations.server";
import { accountsPortal, anonymous, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { signIn } from "./sign-in.server";
import { signOut } from "./operations.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { somebody, enter, session, isAlive, deactivate } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("signing in", () => {
    test("a session ends 12 hours after a sign-in of staff, 30 days after a referrer's", async () => {
      for (const [role, hours] of [
        ["Admin", 12],
        ["Dentist", 30 * 24],
      ] as const) {
        const token = await session(await somebody({ role }));
        const begun = portal.clock.now();
        const busyUntil = async (until: number) => {
          await portal.db.updateTable("session").set({ expiresAt: "2030-01-01T00:00:00.000Z" }).execute();
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

  test("removes expired sessions, counters and form keys", async () => {
    await session(await somebody({ role: "Admin" }));
    await enter("findes-ikke").catch(() => undefined);
    await portal.db
      .insertInto("idempotency")
      .values({ userId: 1, operation: "x", formKey: "k", location: "", createdAt: "2026-12-01T09:00:00.000Z" })
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

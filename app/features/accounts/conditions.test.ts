import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { tokenHash } from "~/access/secrets.server";
import { findSession } from "~/access/sessions.server";
import { insertText } from "~/features/portal-texts/portal-text-store.server";
import { accountsPortal } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { acceptConditions, sealFormUntilAccepted, readConditions } from "./operations.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { somebody, session, shellOf } = accountsPortal(dialect, (opened) => {
    portal = opened;
  });

  describe("the conditions", () => {
    const publish = (version: number) =>
      insertText(
        portal.db,
        "conditions",
        { version, body: `Betingelser ${version} æøå`, buttonText: "Jeg accepterer" },
        { now: portal.clock.now() },
      );
    const mustAccept = async (person: Person) =>
      (await findSession(portal, await session(person), portal.clock.now()))!.person.mustAcceptConditions;

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
          .select(["acceptedConditionsVersion", "acceptedConditionsAt"])
          .where("id", "=", dentist.id)
          .execute(),
      ).toEqual([{ acceptedConditionsVersion: 1, acceptedConditionsAt: "2026-12-01T09:00:00.000Z" }]);
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
        .select("restoredInput")
        .where("id", "=", sessionId)
        .executeTakeFirstOrThrow();
      expect(row.restoredInput).not.toMatch(/Åse|hemmelig/);
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
});

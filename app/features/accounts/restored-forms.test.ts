import { beforeEach, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealTicket } from "~/access/form-ticket.server";
import { tokenHash } from "~/access/secrets.server";
import { limits } from "~/access/throttle.server";
import { removeExpired } from "~/features/maintenance/operations.server";
import { accountsPortal, anonymous, PASSWORD } from "../../../tests/support/portals/accounts-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { sealPendingForm, restoreSealed } from "./sealed-input.server";

forEachDatabase("accounts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { somebody, enter, session, shellOf } = accountsPortal(dialect, (opened) => {
    portal = opened;
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

    test("of somebody who was merged away meanwhile is restored for whom they are now", async () => {
      const kept = await somebody();
      const ticket = sealTicket(portal.secrets, { actor: owner, site: "local", address: "", sessionId: null }, {});
      await portal.db.deleteFrom("session").where("userId", "=", owner.id).execute();
      await portal.db.updateTable("user").set({ mergedIntoId: kept.id }).where("id", "=", owner.id).execute();
      const sealed = await seal({ intent: "save", ticket, firstName: "Åse" });
      expect(restore(sealed, kept)?.values).toMatchObject({ firstName: "Åse" });
      expect(restore(sealed, owner)).toBeNull();
      expect(await seal({ intent: "save", ticket: "made up", firstName: "Åse" })).toBeNull();
    });

    test("is not restored after eight hours, when tampered with, or from another portal", async () => {
      const sealed = await seal({ firstName: "Åse" });
      const foreign = (purpose: string, value: object) =>
        portal.secrets.encrypt("seal", JSON.stringify(value), purpose);
      portal.clock.advance({ hours: 8, minutes: -1 });
      expect(restore(sealed)).not.toBeNull();
      expect(restore(`${sealed.slice(0, -4)}AAAA`)).toBeNull();
      expect(restore("")).toBeNull();
      expect(restore(foreign(`form:${owner.id}`, { path: "/x" }))).toBeNull();
      expect(restore(foreign("filter", { path: "/x", formId: "", values: {}, until: 9e15 }))).toBeNull();
      portal.clock.advance({ minutes: 1 });
      expect(restore(sealed)).toBeNull();
    });

    test("is restored only for the session's owner, and for nobody when it is unknown", async () => {
      const other = await somebody();
      const sealed = await seal({ to: "/management/draft-visits", firstName: "Åse" });
      expect(restore(sealed, other)).toBeNull();
      const done = await enter(other.userName, PASSWORD, { sealed });
      expect(done.to).toBe("/management/overview");
      const rows = await portal.db
        .selectFrom("session")
        .select("restoredInput")
        .where("userId", "=", other.id)
        .execute();
      expect(rows).toEqual([{ restoredInput: null }]);
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
      const typedAt = portal.clock.now().toISOString();
      portal.clock.advance({ minutes: 5 });
      expect((await shell()).restored).toMatchObject({ typedAt, values: { comment: "blåbær" } });
      expect((await shell()).restored).toBeNull();
    });

    test("a broken seal does not prevent signing in", async () => {
      expect((await enter(owner.userName, PASSWORD, { sealed: "i.stykker" })).to).toBe("/management/overview");
    });
  });
});

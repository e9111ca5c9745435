import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anonymous, operationPortal, roles } from "../../tests/support/portals/operation-portal";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { Actor } from "./actor";
import type { Site } from "./caller";
import { execute, type InputReader, plainInput, read } from "./operation.server";
import type { Permission } from "./permissions";

forEachDatabase("operations", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const { person } = operationPortal(dialect, (opened) => {
    portal = opened;
  });

  const reads = (permission: Permission) =>
    read({ name: "test.read", permission, run: async () => ({ answered: true }) });
  const as = (actor: Actor, permission: Permission, site: Site = "inside") =>
    portal.as(actor, reads(permission), {}, { site });

  describe("authorisation", () => {
    test("checks the permission before it parses the input", async () => {
      let isRead = false;
      const reader: InputReader = (schema) => {
        isRead = true;
        return plainInput({})(schema);
      };
      const caller = { site: "inside" as const, address: "", sessionId: null };
      await expect(execute(portal, { ...caller, actor: anonymous }, reads("signedIn"), reader)).rejects.toMatchObject({
        name: "notSignedIn",
      });
      await expect(
        execute(portal, { ...caller, actor: person("Dentist") }, reads("referral.setStatus"), reader),
      ).rejects.toMatchObject({ name: "notAllowed" });
      expect(isRead).toBe(false);
      await execute(portal, { ...caller, actor: person("Admin") }, reads("referral.setStatus"), reader);
      expect(isRead).toBe(true);
    });

    test("lets an anonymous caller run public operations only", async () => {
      await expect(as(anonymous, "public")).resolves.toEqual({ answered: true });
      await expect(as(anonymous, "signedIn")).rejects.toMatchObject({ name: "notSignedIn" });
      await expect(as(anonymous, "referral.read")).rejects.toMatchObject({ name: "notSignedIn" });
      await expect(as(anonymous, "system")).rejects.toMatchObject({ name: "notSignedIn" });
    });

    test("lets a user without roles run public operations only, on any site", async () => {
      const nobody = { ...person("Dentist"), roles: [] };
      for (const permission of ["signedIn", "account.manage", "referral.read", "referral.write", "system"] as const) {
        for (const site of ["inside", "local", "public", "staff"] as const)
          await expect(as(nobody, permission, site)).rejects.toMatchObject({ name: "notAllowed" });
      }
      await expect(as(nobody, "public")).resolves.toEqual({ answered: true });
    });

    test("lets the system run system operations only", async () => {
      const system: Actor = { kind: "system", job: "test" };
      await expect(as(system, "system")).resolves.toEqual({ answered: true });
      for (const permission of ["signedIn", "referral.read", "referral.editSent", "referral.export"] as const)
        await expect(as(system, permission)).rejects.toMatchObject({ name: "notAllowed" });
    });

    test.each(roles)("%s: only staff have staff permissions, and no person has the system's", async (role) => {
      const isStaff = role === "Admin" || role === "Surgeon";
      for (const permission of [
        "referral.setStatus",
        "referral.editSent",
        "referral.chooseVisitType",
        "referral.readProvenance",
        "referral.regeneratePdf",
      ] as const) {
        const asked = as(person(role), permission);
        if (isStaff) await expect(asked).resolves.toEqual({ answered: true });
        else await expect(asked).rejects.toMatchObject({ name: "notAllowed" });
      }
      await expect(as(person(role), "system")).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(person(role), "referral.read")).resolves.toEqual({ answered: true });
      const choosing = as(person(role), "referral.chooseReferrer");
      if (role === "Dentist") await expect(choosing).rejects.toMatchObject({ name: "notAllowed" });
      else await expect(choosing).resolves.toEqual({ answered: true });
    });

    test.each(roles)("%s: allowed on their own site and locally, not on the other site", async (role) => {
      const own: Site = role === "Admin" || role === "Surgeon" ? "staff" : "public";
      const other: Site = own === "staff" ? "public" : "staff";
      await expect(as(person(role), "signedIn", own)).resolves.toEqual({ answered: true });
      await expect(as(person(role), "signedIn", "local")).resolves.toEqual({ answered: true });
      await expect(as(person(role), "signedIn", other)).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(person(role), "referral.read", other)).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(person(role), "public", other)).resolves.toEqual({ answered: true });
    });

    test("before the conditions are accepted, allows only what everybody signed in may do", async () => {
      const waiting = { ...person("Dentist"), mustAcceptConditions: true };
      await expect(as(waiting, "referral.read")).rejects.toMatchObject({ name: "conditionsNotAccepted" });
      await expect(as(waiting, "signedIn")).resolves.toEqual({ answered: true });
      await expect(as(waiting, "referral.setStatus")).rejects.toMatchObject({ name: "notAllowed" });
    });

    test("a patient's link is not a signed-in person", async () => {
      const link: Actor = {
        kind: "patientToken",
        referralId: 1,
        purpose: "radiographLink",
        letterNumber: null,
        operationMoment: null,
      };
      await expect(as(link, "signedIn")).rejects.toMatchObject({ name: "notAllowed" });
      await expect(as(link, "referral.read")).rejects.toMatchObject({ name: "notAllowed" });
    });

    test("development pages do not exist in production", async () => {
      await expect(as(anonymous, "development")).resolves.toEqual({ answered: true });
      const production = { ...portal, config: { ...portal.config, production: true } };
      const caller = { actor: person("Admin"), site: "staff" as const, address: "", sessionId: null };
      await expect(execute(production, caller, reads("development"), plainInput({}))).rejects.toMatchObject({
        name: "notInScope",
      });
    });

    test("input that does not fit is refused", async () => {
      const strict = read({
        name: "test.strict",
        permission: "public",
        input: z.object({ id: z.number() }),
        run: async () => ({}),
      });
      await expect(portal.as(anonymous, strict, { id: "x" })).rejects.toMatchObject({ name: "invalid" });
    });
  });
});

import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Actor, Person, Role } from "~/access/actor";
import { tokenHash } from "~/access/secrets.server";
import { beginSession, findSession } from "~/access/sessions.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { readShell } from "~/features/shell/read-shell.server";
import { aPerson } from "../../factories/people";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export const anonymous: Actor = { kind: "anonymous" };
export const PASSWORD = "Hvidtjoern7Kost";
export const OTHER = "Graagaas9Mose";

/** A portal for the tests of one file, without sessions and throttle counts before each test; `opened` gets it. */
export function accountsPortal(dialect: Dialect, opened: (portal: TestPortal) => void) {
  let portal: TestPortal;
  let count = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect, {
      env: { ADMIN_ORIGIN: "https://klinik.eksempel.dk", PUBLIC_ORIGIN: "https://www.henvis.eksempel.dk" },
    });
    opened(portal);
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["throttle", "session", "outbox", "portalText"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const somebody = (more: { role?: Role; userName?: string } = {}) =>
    aPerson(portal, { role: more.role ?? "Dentist", userName: more.userName ?? `konto${++count}`, password: PASSWORD });
  const enter = (userName: string, password = PASSWORD, more: Record<string, unknown> = {}, address = "203.0.113.7") =>
    portal.as(anonymous, signIn, { userName, password, ...more }, { address });
  const session = async (person: Person) => (await beginSession(portal.db, person, portal.clock.now())).token;
  const shellOf = async (actor: Person, token: string) => {
    const { flash } = (await findSession(portal, token, portal.clock.now()))!;
    return portal.as(actor, readShell, { userAgent: "", cookies: "" }, { sessionId: tokenHash(token), flash });
  };
  const isAlive = async (token: string) => (await findSession(portal, token, portal.clock.now())) !== null;
  const deactivate = (person: Person) =>
    portal.db.updateTable("user").set({ status: 0 }).where("id", "=", person.id).execute();

  return { somebody, enter, session, shellOf, isAlive, deactivate };
}

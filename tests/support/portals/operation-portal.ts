import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Actor, Person, Role } from "~/access/actor";
import { toMoment } from "~/text/dates";
import { aPerson } from "../../factories/people";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export const roles: Role[] = ["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"];
export const anonymous: Actor = { kind: "anonymous" };

/** A portal with a person of each role, for the tests of one file, without audit rows or settings before each of them; `opened` is handed it. */
export function operationPortal(dialect: Dialect, opened: (portal: TestPortal) => void) {
  let portal: TestPortal;
  const people = new Map<Role, Person>();
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    opened(portal);
    for (const role of roles) people.set(role, await aPerson(portal, { role }));
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.audit.flush();
    for (const table of ["auditEvent", "auditReferral", "idempotency", "setting"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const person = (role: Role) => people.get(role)!;
  const setting = (name: string) => ({
    name,
    value: "x",
    modifiedAt: toMoment(portal.clock.now()),
    modifierId: null,
  });
  const events = () => portal.db.selectFrom("auditEvent").selectAll().orderBy("id").execute();

  return { person, setting, events };
}

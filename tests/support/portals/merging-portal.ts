import { afterAll, beforeAll } from "vitest";
import type { Person, Role } from "~/access/actor";
import { mergeUsers } from "~/features/people/merge-users.server";
import { moveMerged, undoMerge } from "~/features/merging/operations.server";
import { aPerson } from "../../factories/people";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export const SYSTEM = { kind: "system", job: "test" } as const;
export const PASSWORD = "Hvidtjoern7Kost";

/** What `opened` is handed. */
interface Opened {
  portal: TestPortal;
  admin: Person;
}

/** A portal whose profiles are merged, for the tests of one file. */
export function mergingPortal(dialect: Dialect, opened: (what: Opened) => void) {
  let portal: TestPortal;
  let admin: Person;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    opened({ portal, admin });
  });
  afterAll(() => portal.close());

  const somebody = (clinicIds: number[], role: Role = "Dentist") =>
    aPerson(portal, { role, clinicIds, userName: `profil${(count += 1)}`, password: PASSWORD });
  const formOf = (keep: Person, others: Person[], more: object = {}) => ({
    keepId: keep.id,
    pick: [keep, ...others].map(({ id }) => String(id)),
    firstName: "Mette",
    lastName: "Kjærgaard",
    email: keep.email,
    status: 1,
    confirmed: "on",
    ...more,
  });
  const merge = (keep: Person, others: Person[], more: object = {}) =>
    portal.as(admin, mergeUsers, formOf(keep, others, more));
  const moveAll = async () => {
    while ((await portal.as(SYSTEM, moveMerged, {})).data?.moved !== 0) continue;
  };
  const newestRun = async () =>
    await portal.db.selectFrom("mergeRun").selectAll().orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
  const undo = async () => portal.as(admin, undoMerge, { runId: (await newestRun()).id });
  const userRow = (id: number) =>
    portal.db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  return { somebody, formOf, merge, moveAll, newestRun, undo, userRow };
}

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { readQueues } from "~/features/referrals/list/read-queues.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { accountTypes } from "./role-names";
import { readUser, updateUser } from "./update-user.server";

const OWN = "Hvidtjoern7Kost";

forEachDatabase("a surgeon is made inactive", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let leaving: Person;
  let other: Person;
  let cases: number[];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin", userName: "leder", password: OWN });
    leaving = await aPerson(portal, { role: "Surgeon", userName: "kirurg-der-rejser" });
    other = await aPerson(portal, { role: "Surgeon" });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    cases = [];
    for (const columns of [{ status: 6 }, { status: 0, referenceType: 1 }, { status: 7 }]) {
      const id = await aReferral(portal, dentist);
      await portal.db
        .updateTable("referral")
        .set({ ...columns, surgeonId: leaving.id })
        .where("id", "=", id)
        .execute();
      cases.push(id);
    }
  });
  afterAll(() => portal.close());

  const setStatus = (status: number, more: object = {}) =>
    portal.as(admin, updateUser, {
      userId: leaving.id,
      type: accountTypes.staff,
      firstName: leaving.firstName,
      lastName: leaving.lastName,
      userName: leaving.userName,
      email: leaving.email,
      isSurgeon: true,
      currentPassword: OWN,
      status,
      ...more,
    });
  const withoutSurgeon = async () => {
    portal.cache.invalidate("queues of");
    const queue = (await readQueues(portal, admin, portal.clock.now())).find(({ kind }) => kind === "withoutSurgeon");
    if (queue === undefined) return [];
    const list = await portal.as(admin, listReferrals, { f: queue.f, sort: queue.sort });
    return "redirectTo" in list ? [] : list.rows.map(({ id }) => id).sort((a, b) => a - b);
  };
  const surgeonOf = async (id: number) => (await findReferral(portal.db, admin, id)).surgeonId;

  test("their open cases are named beforehand, and wait in a queue of everybody", async () => {
    expect(await portal.as(admin, readUser, { userId: leaving.id })).toMatchObject({
      openCases: { count: 2, urgent: 1 },
      successors: [{ id: other.id }],
    });
    expect(await withoutSurgeon()).toEqual([]);
    expect((await setStatus(0)).flash!.text).toContain("har 2 åbne sager: se køen »uden aktiv kirurg«.");
    expect(await withoutSurgeon()).toEqual(cases.slice(0, 2));
  });

  test("their open cases go to the surgeon who was chosen, closed ones stay", async () => {
    await setStatus(1);
    const { version } = await findReferral(portal.db, admin, cases[0]!);
    await expect(setStatus(0, { handOverTo: leaving.id })).rejects.toMatchObject({ name: "invalid" });
    expect((await setStatus(0, { handOverTo: other.id })).flash!.text).toContain("har fået 2 åbne sager.");
    expect(await withoutSurgeon()).toEqual([]);
    expect(await Promise.all(cases.map(surgeonOf))).toEqual([other.id, other.id, leaving.id]);
    expect((await findReferral(portal.db, admin, cases[0]!)).version).toBe(version + 1);
    const log = await portal.db.selectFrom("visitLog").select("event").where("referralId", "=", cases[0]!).execute();
    expect(log.map(({ event }) => event)).toContain(`${other.firstName} ${other.lastName} er kirurg på sagen`);
  });
});

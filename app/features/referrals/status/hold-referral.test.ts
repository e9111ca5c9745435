import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aReferral } from "../../../../tests/factories/referrals";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import type { Person } from "~/access/actor";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { listReferrals, type ListedReferrals } from "~/features/referrals/list/list-referrals.server";
import { holdReferral } from "./operations.server";
import { setStatus } from "./set-status.server";

forEachDatabase("a referral on hold", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  const read = (person: Person, referralId: number) => portal.as(person, readReferral, { referralId });
  const hold = async (referralId: number, input: object) =>
    portal.as(admin, holdReferral, {
      referralId,
      seenVersion: (await read(admin, referralId)).statusVersion,
      ...input,
    });
  async function list(person: Person, input: object = {}) {
    portal.cache.invalidate("count of");
    portal.cache.invalidate("queues of");
    return (await portal.as(person, listReferrals, input)) as ListedReferrals;
  }
  const queuesOf = async (person: Person) =>
    Object.fromEntries((await list(person)).queues.map(({ kind, count }) => [kind, count]));

  test("is in no queue but its own until its day, and only staff see why", async () => {
    const [held, other] = [await aReferral(portal, dentist), await aReferral(portal, dentist)];
    await hold(held, { until: "18.11.2027" });
    const queues = (await list(admin)).queues;
    expect(queues).toMatchObject([
      { kind: "awaitingTriage", count: 1 },
      { kind: "onHold", count: 1 },
    ]);
    const [triage, onHold] = await Promise.all(queues.map(({ f, sort }) => list(admin, { f, sort })));
    expect(triage!.rows.map(({ id }) => id)).toEqual([other]);
    expect(onHold!.rows).toMatchObject([{ id: held, heldUntil: "2027-11-18" }]);
    expect((await read(admin, held)).hold).toEqual({ heldUntil: "2027-11-18" });
    expect(await queuesOf(dentist)).toEqual({ awaitingTriage: 2 });
    expect((await read(dentist, held)).hold).toBeNull();
    expect((await list(dentist)).rows.find(({ id }) => id === held)).not.toHaveProperty("heldUntil");
    expect((await list(dentist, { f: onHold!.f })).total).toBe(2);
    await hold(held, { period: "ended" });
    expect((await read(admin, held)).hold).toEqual({});
    expect(await queuesOf(admin)).toEqual({ awaitingTriage: 2 });
  });

  test("returns to its queue on its day in Copenhagen, marked as returned from hold", async () => {
    const id = await aReferral(portal, dentist);
    await hold(id, { period: "week" });
    const before = await queuesOf(admin);
    portal.clock.advance({ days: 6 });
    const silent = before["awaitingTriage"];
    expect(await queuesOf(admin), "the others' days are over").toEqual({ ...before, silent });
    portal.clock.advance({ days: 1 });
    expect(await queuesOf(admin)).toEqual({ awaitingTriage: before["awaitingTriage"]! + 1, silent });
    expect((await list(admin)).rows.find((row) => row.id === id)).toMatchObject({ isBackFromHold: true });
  });

  test("another status ends it", async () => {
    const id = await aReferral(portal, dentist);
    await hold(id, { period: "quarter" });
    const { statusVersion: version } = await read(admin, id);
    portal.clock.advance({ minutes: 1 });
    await portal.as(admin, setStatus, { referralId: id, status: 1, seenVersion: version });
    expect((await read(admin, id)).hold).toEqual({});
  });

  describe("is refused", () => {
    test.each([
      ["no date", { until: "" }, "Skriv en dato som dd.mm.åååå."],
      ["a date that does not exist", { until: "31.02.2027" }, "Datoen findes ikke."],
      ["a day that has come", { until: "01.01.2020" }, "Datoen skal ligge efter i dag."],
      ["a day too far ahead", { until: "01.01.2199" }, "Datoen må højst ligge to år fremme."],
    ])("%s", async (_what, input, text) => {
      const id = await aReferral(portal, dentist);
      await expect(hold(id, input)).rejects.toMatchObject({ name: "invalid", fields: { until: [text] } });
    });

    test("a version that somebody has changed since", async () => {
      const id = await aReferral(portal, dentist);
      const { statusVersion: version } = await read(admin, id);
      await hold(id, { period: "month" });
      await expect(
        portal.as(admin, holdReferral, { referralId: id, seenVersion: version, period: "week" }),
      ).rejects.toMatchObject({ name: "conflict" });
    });
  });
});

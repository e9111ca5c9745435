import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { editReferralDetails } from "~/features/referrals/details/edit-referral.server";
import { type ListedReferrals, listReferrals } from "~/features/referrals/list/list-referrals.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { moveStatus } from "~/features/referrals/store/status-store.server";
import { aReferral } from "../../../../tests/factories/referrals";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { holdReferral } from "./operations.server";
import { setStatus } from "./set-status.server";
import { readMassChange, setStatuses, undoStatuses } from "./set-statuses.server";

forEachDatabase("what triage has found", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  const urgent = () => aReferral(portal, dentist, { referenceType: "1" });
  const row = (id: number) => findReferral(portal.db, admin, id);
  const facts = async (id: number) => {
    const { triagedAt, triageUrgency, hasAnaesthesia } = await row(id);
    return { isTriaged: triagedAt !== null, triageUrgency, hasAnaesthesia };
  };
  const event = async (referralId: number) =>
    (await portal.db.selectFrom("visitLog").select("event").where("referralId", "=", referralId).execute()).at(-1)!
      .event;
  const set = async (referralId: number, status: number, more = {}) =>
    portal.as(admin, setStatus, { referralId, status, seenVersion: (await row(referralId)).statusVersion, ...more });
  async function list(input: object = {}) {
    portal.cache.invalidate("count of");
    portal.cache.invalidate("queues of");
    return (await portal.as(admin, listReferrals, input)) as ListedReferrals;
  }
  const redQueue = async () => {
    const queue = (await list()).queues.find(({ kind }) => kind === "untriagedUrgent");
    if (queue === undefined) return [];
    const ids = (await list({ f: queue.f, sort: queue.sort })).rows.map(({ id }) => id);
    expect(ids).toHaveLength(queue.count);
    return ids;
  };

  test("outlives the status that said it, and goes when the referral awaits triage again", async () => {
    const id = await aReferral(portal, dentist);
    expect(await facts(id)).toEqual({ isTriaged: false, triageUrgency: null, hasAnaesthesia: false });
    await set(id, 1);
    await set(id, 14);
    await set(id, 3);
    expect(await facts(id)).toEqual({ isTriaged: true, triageUrgency: 1, hasAnaesthesia: true });
    expect((await list({ visitNumber: String(id) })).rows[0]).toMatchObject({
      referenceType: 0,
      marks: [{ text: "Klinikken: haster" }, { text: "Fuld narkose" }],
    });
    await set(id, 0);
    expect(await facts(id)).toEqual({ isTriaged: false, triageUrgency: null, hasAnaesthesia: false });
  });

  test("comes back with 'Fortryd'", async () => {
    const id = await aReferral(portal, dentist);
    await set(id, 16);
    const { to } = await portal.as(admin, setStatuses, { status: 14, pick: [String(id)] });
    expect(await facts(id)).toEqual({ isTriaged: true, triageUrgency: null, hasAnaesthesia: true });
    await portal.as(admin, undoStatuses, { massChangeId: Number(/skiftet=(\d+)/.exec(to ?? "")![1]) });
    expect(await facts(id)).toEqual({ isTriaged: false, triageUrgency: null, hasAnaesthesia: false });
  });

  test("material that comes by itself keeps the clinic's judgement", async () => {
    const id = await aReferral(portal, dentist);
    await set(id, 1);
    await set(id, 4);
    const change = { from: 4, to: 0 };
    const isMoved = portal.db.transaction().execute((tx) => moveStatus(tx, id, change, portal.clock.now()));
    expect(await isMoved).toBe(true);
    expect(await facts(id)).toEqual({ isTriaged: false, triageUrgency: 1, hasAnaesthesia: false });
  });

  test("is corrected by 'Ret', and a later 'Visiteret haster' counts again", async () => {
    const id = await urgent();
    await set(id, 2);
    const { version } = await row(id);
    await portal.as(admin, editReferralDetails, {
      referralId: id,
      seenVersion: version,
      visitType: "simple",
      triageUrgency: "0",
    });
    expect((await row(id)).triageUrgency).toBe(0);
    await set(id, 1);
    expect((await row(id)).triageUrgency).toBe(1);
  });

  test("an urgent referral stays in the red queue until somebody has triaged it", async () => {
    const before = await redQueue();
    const id = await urgent();
    expect(await redQueue()).toEqual([...before, id]);
    await set(id, 16);
    expect(await redQueue()).toEqual([...before, id]);
    await set(id, 4);
    expect(await redQueue()).toEqual([...before, id]);
    await set(id, 2);
    await set(id, 4);
    expect(await redQueue(), "material that triage asked for").toEqual(before);
  });

  test("an urgent referral that the clinic judges not to be urgent leaves the red queue", async () => {
    const before = await redQueue();
    const id = await urgent();
    expect(await redQueue()).toEqual([...before, id]);
    const { version } = await row(id);
    const judged = { visitType: "simple", triageUrgency: "0" };
    await portal.as(admin, editReferralDetails, { referralId: id, seenVersion: version, ...judged });
    expect(await redQueue()).toEqual(before);
  });

  test("a patient's cancellation triages nobody", async () => {
    const before = await redQueue();
    const id = await urgent();
    const change = { from: 0, to: 13 };
    await portal.db.transaction().execute((tx) => moveStatus(tx, id, change, portal.clock.now()));
    expect(await redQueue()).toEqual([...before, id]);
    await set(id, 2);
    await set(id, 13);
    expect(await redQueue()).toEqual(before);
  });

  test.each([7, 8, 10])("status %d of an urgent, untriaged referral is asked about once", async (status) => {
    const id = await urgent();
    const { to } = await set(id, status);
    expect(to).toContain(`/${id}/afslut`);
    expect((await row(id)).status).toBe(0);
    await set(id, status, { isDeleteAttachments: "false", reason: "Ringet til tandlægen" });
    expect((await row(id)).status).toBe(status);
    expect(await event(id)).toBe("Hastede og var ikke visiteret. Begrundelse: Ringet til tandlægen");
  });

  test("a triaged or ordinary referral is not asked about", async () => {
    const [triaged, ordinary] = [await urgent(), await aReferral(portal, dentist)];
    await set(triaged, 2);
    for (const id of [triaged, ordinary]) {
      await set(id, 10);
      expect((await row(id)).status).toBe(10);
    }
  });

  test("a mass change on the page skips it and says so; the API does as asked", async () => {
    const [id, other, byApi] = [await urgent(), await aReferral(portal, dentist), await urgent()];
    const { to } = await portal.as(admin, setStatuses, {
      status: 10,
      pick: [String(id), String(other)],
      here: "/management/overview",
    });
    expect([(await row(id)).status, (await row(other)).status]).toEqual([0, 10]);
    expect(await readMassChange(portal, admin, Number(/skiftet=(\d+)/.exec(to ?? "")![1]))).toMatchObject({
      changed: 1,
      leftOut: [],
      unseen: [{ id, version: (await row(id)).statusVersion }],
    });
    await portal.as(admin, setStatuses, { status: 10, pick: [String(byApi)] });
    expect((await row(byApi)).status).toBe(10);
  });

  test("those that a mass change skipped end where they are chosen, with a reason", async () => {
    const [id, other] = [await urgent(), await aReferral(portal, dentist)];
    const here = "/management/overview";
    const { to } = await portal.as(admin, setStatuses, {
      status: 10,
      pick: [`${id}:${(await row(id)).statusVersion}`, String(other)],
      wasAsked: "on",
      reason: "Ringet til tandlægen",
      here,
    });
    expect([(await row(id)).status, (await row(other)).status]).toEqual([10, 10]);
    expect(await event(id)).toBe("Hastede og var ikke visiteret. Begrundelse: Ringet til tandlægen");
    expect(await event(other)).toBe("Begrundelse: Ringet til tandlægen");
    const massChangeId = Number(/skiftet=(\d+)/.exec(to ?? "")![1]);
    await portal.as(admin, undoStatuses, { massChangeId });
    expect((await row(id)).status).toBe(0);
    expect(await redQueue()).toContain(id);
  });

  test("a hold of more than a week is asked about once", async () => {
    const id = await urgent();
    const hold = async (more: object) =>
      portal.as(admin, holdReferral, { referralId: id, seenVersion: (await row(id)).statusVersion, ...more });
    await hold({ period: "week" });
    const asked = await hold({ period: "month" }).catch((error: unknown) => error);
    expect(asked).toMatchObject({ name: "invalid", text: expect.stringContaining("haster og er ikke visiteret") });
    const [until] = (asked as { fields: Record<string, string[]> }).fields["wasAsked"]!;
    await hold({ period: "month", wasAsked: until });
    expect((await row(id)).heldUntil).toBe(until);
  });
});

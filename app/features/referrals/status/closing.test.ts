import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { editReferralDetails } from "~/features/referrals/details/edit-referral.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral, type ReferralChanges } from "../../../../tests/factories/referrals";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { askStatus } from "./operations.server";
import { setStatus } from "./set-status.server";
import { setStatuses, undoStatuses } from "./set-statuses.server";

const CLOSED = 7;

forEachDatabase("closing a case", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let id: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    id = await aReferral(portal, dentist);
  });

  const change = (columns: ReferralChanges) =>
    portal.db.updateTable("referral").set(columns).where("id", "=", id).execute();
  const row = () => findReferral(portal.db, admin, id);
  const set = async (status: number, more = {}) =>
    portal.as(admin, setStatus, { referralId: id, status, seenVersion: (await row()).statusVersion, ...more });
  const ask = () => portal.as(admin, askStatus, { referralId: id });
  const says = async () => (await portal.as(dentist, readOpenReferral, { referralId: id })).meaning;
  const mails = async () =>
    (
      await portal.db
        .selectFrom("outbox")
        .select("outcome")
        .where("referralId", "=", id)
        .where("kind", "=", "statusNews")
        .orderBy("id")
        .execute()
    ).map(({ outcome }) => outcome);
  const seen = { status: 6, operationDate: "2026-11-20", operationHour: 10, operationMinute: 0 } as const;

  test("with nothing open it is closed unasked, for the reason that the facts tell", async () => {
    await change({ status: 11 });
    await set(CLOSED);
    expect(await row()).toMatchObject({ status: CLOSED, closedBecause: "notReached" });
    expect(await says()).toMatch(/^Patienten er ikke set\. Klinikken kunne ikke få fat i patienten\./);
    await set(0);
    await set(CLOSED);
    expect(await row()).toMatchObject({ closedBecause: null });
    expect(await says()).toBe("Sagen er afsluttet.");
  });

  test.each<[string, ReferralChanges, object]>([
    ["a message", { hasUnansweredMessage: true }, { isUnanswered: true }],
    ["a time to come", { operationDate: "2026-12-09" }, { timeToCome: "2026-12-09 00:00" }],
    ["a missing letter", seen, { lacksLetter: true, reason: "treated" }],
    ["an urgent, untriaged case", { referenceType: 1 }, { isUntriaged: true, reason: null }],
  ])("%s is asked about, and nothing is done before", async (_what, columns, asked) => {
    await change(columns);
    const before = (await row()).status;
    expect(await set(CLOSED)).toEqual({ to: expect.stringContaining("afslut") });
    expect(await ask()).toMatchObject(asked);
    expect((await row()).status).toBe(before);
  });

  test("a call-up that waits is asked about", async () => {
    const address = { patientAddress: "Åvej 1", patientZip: "8000", patientCity: "Aarhus" };
    await portal.as(admin, sendCallUp, { referralId: id, ...address, incallType: 3 });
    expect((await ask()).hasCallUp).toBe(true);
  });

  test("images that the archive lacks are named where there is one", async () => {
    const { imageArchive } = portal;
    portal.imageArchive = { ...imageArchive, mode: "notConfigured" };
    for (const name of ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]) await aRadiograph(portal, dentist, id, name);
    expect((await ask()).unarchived).toEqual({ count: 0, names: [] });
    portal.imageArchive = imageArchive;
    await aRadiograph(portal, dentist, id, "5.jpg");
    const names = ["1.jpg", "2.jpg", "3.jpg"].map((name) => ({ name, count: 1 }));
    expect((await ask()).unarchived).toEqual({ count: 5, names });
    await portal.db
      .updateTable("outbox")
      .set({ outcome: "sent" })
      .where("referralId", "=", id)
      .where("channel", "=", "archive")
      .execute();
    expect((await ask()).unarchived.count).toBe(0);
  });

  test("'Aflys tiden' takes the times to come, 'Behold tiden' leaves them", async () => {
    await change({ status: 6, operationDate: "2026-12-09", operationHour: 10, operationMinute: 15 });
    const line = { treatment: "Operation", externalCode: "OP-48", treatmentTypeId: null, modifiedAt: "2026-12-01" };
    for (const date of ["2026-11-20", "2026-12-09"])
      await portal.db
        .insertInto("visitAppointment")
        .values({ referralId: id, date, time: "10:15", durationMinutes: 30, isCancelled: false, ...line })
        .execute();
    await set(CLOSED, { isDeleteAttachments: "false", time: "keep", closedBecause: "treated" });
    expect(await row()).toMatchObject({ status: CLOSED, operationDate: "2026-12-09" });
    await set(6);
    const { flash } = await set(CLOSED, { isDeleteAttachments: "false", time: "cancel", closedBecause: "declined" });
    expect(flash!.text).toContain("Tiden er aflyst.");
    expect(await row()).toMatchObject({ closedBecause: "declined", operationDate: "2026-11-20" });
    const { log } = await portal.as(admin, readOpenReferral, { referralId: id });
    expect(log.map(({ what }) => what)).toContain("Patienten ønsker ikke behandlingen. Tiden er aflyst");
  });

  test("a duplicate's number is offered to staff and told to no referrer", async () => {
    const { patientId } = await row();
    const other = await aReferral(portal, dentist);
    await portal.db.updateTable("referral").set({ patientId }).where("id", "=", other).execute();
    expect((await ask()).others).toEqual([other]);
    await set(CLOSED, { isDeleteAttachments: "false", closedBecause: `duplicate:${other}` });
    expect(await row()).toMatchObject({ closedBecause: "duplicate" });
    const { log } = await portal.as(admin, readOpenReferral, { referralId: id });
    expect(log[0]!.what).toBe(`Dublet af nr. ${other}`);
    expect(await says()).toBe("Henvisningen er en dublet af en anden.");
  });

  test("a referrer without mails is told of a patient who was not treated", async () => {
    await set(11);
    await set(CLOSED, { isDeleteAttachments: "false", closedBecause: "notReached" });
    expect(await mails()).toEqual(["withdrawn", "queued"]);
    await set(6);
    expect(await mails()).toEqual(["withdrawn", "queued"]);
  });

  test.each([
    ["treated", false, []],
    ["treated", true, ["queued"]],
    ["rejected", false, ["queued"]],
    ["", false, []],
  ])("closed because '%s', with mails asked for: %s, mails %j", async (closedBecause, isAsked, expected) => {
    await change({ sendNotificationToDentist: isAsked });
    await set(CLOSED, { isDeleteAttachments: "false", closedBecause });
    expect(await mails()).toEqual(expected);
  });

  test("a mass change closes without a reason, and mails of those who were not reached", async () => {
    await portal.as(admin, setStatuses, { status: 11, pick: [String(id)], here: "/management/overview" });
    expect(await mails()).toEqual(["queued"]);
    await portal.as(admin, setStatuses, { status: CLOSED, pick: [String(id)], here: "/management/overview" });
    expect(await row()).toMatchObject({ status: CLOSED, closedBecause: null });
  });

  test("'Fortryd' takes the mail back, and of one that left it tells the former status", async () => {
    const undo = async (result: Awaited<ReturnType<typeof set>>) =>
      portal.as(admin, undoStatuses, { massChangeId: Number(result.flash!.undo!.fields.massChangeId) });
    await undo(await set(8));
    expect(await mails()).toEqual(["withdrawn"]);
    const declined = await set(8);
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).where("outcome", "=", "queued").execute();
    await undo(declined);
    expect(await mails()).toEqual(["withdrawn", "sent", "queued"]);
  });

  test("'Ret henvisning' corrects the reason, and mails a downgrade once", async () => {
    await change({ referenceType: 1, status: 2 });
    const edit = async (more: object) =>
      portal.as(admin, editReferralDetails, {
        referralId: id,
        seenVersion: (await row()).version,
        visitType: "simple",
        ...more,
      });
    expect((await edit({ triageUrgency: "0" })).flash!.text).toContain("Henviseren får en mail");
    expect(await mails()).toEqual(["queued"]);
    expect(await says()).toContain("Klinikken vurderer, at henvisningen ikke haster.");
    await edit({ triageUrgency: "0", hasAnaesthesia: "on" });
    expect(await mails()).toEqual(["queued"]);
    await set(CLOSED, { isDeleteAttachments: "false", closedBecause: "treated" });
    await edit({ triageUrgency: "0", closedBecause: "rejected" });
    expect(await row()).toMatchObject({ closedBecause: "rejected" });
  });
});

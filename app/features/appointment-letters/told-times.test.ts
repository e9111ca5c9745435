import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { readOpenCallUp } from "~/features/call-ups/read-open-call-up.server";
import { sendCallUp, withdrawCallUp } from "~/features/call-ups/send-call-up.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { makeLetterBatch, markBatchPrinted } from "~/features/letter-batches/make-letter-batch.server";
import { saveMessageText } from "~/features/message-settings/operations.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { sendSmsWithCancellation } from "~/features/sms-threads/operations.server";
import { aReferral, type ReferralChanges } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { withinChange } from "../../../tests/support/within-change";
import { sendAppointmentLetter, withdrawAppointmentLetter } from "./operations.server";

const LETTER = 1;
const EBOKS = 2;
const system = { kind: "system", job: "test" } as const;

forEachDatabase("the time that a patient is told", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["letterBatchItem", "letterBatch", "outbox"] as const)
      await portal.db.deleteFrom(table).execute();
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
    await change({ status: 6, operationDate: "2026-12-15", operationHour: 10, operationMinute: 15 });
  });

  const change = (columns: ReferralChanges) =>
    portal.db.updateTable("referral").set(columns).where("id", "=", referralId).execute();
  const send = (appointmentType: number) => portal.as(admin, sendAppointmentLetter, { referralId, appointmentType });
  const letters = async () => (await portal.as(admin, readReferral, { referralId })).sections.appointmentLetters;
  const outcomes = async () =>
    (await portal.db.selectFrom("outbox").select(["outcome", "detail"]).orderBy("id").execute()).map(
      ({ outcome, detail }) => `${outcome}: ${detail}`,
    );
  async function moveTo(plan: Record<string, string>) {
    const { version: seenVersion } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    return (await portal.as(admin, editPlan, { referralId, seenVersion, ...plan })).flash!.text;
  }
  const waysOf = async () =>
    (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.appointmentWays.map(
      ({ obstacle }) => obstacle,
    );

  test("a time that is past or cancelled is not sent, and the page says why", async () => {
    portal.clock.set("2026-12-15T09:15:00.000Z");
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid", text: "Tiden er begyndt eller overstået." });
    expect(await waysOf()).toEqual(["noEmail", "timeOver", "timeOver"]);
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await change({ cancellationDate: "2026-12-01T08:00:00.000Z" });
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid", text: "Tiden er aflyst." });
    expect(await outcomes()).toEqual([]);
  });

  test("a time that is moved takes the letters back that wait to tell it, and says so", async () => {
    await send(LETTER);
    await send(EBOKS);
    expect(await moveTo({ operationDate: "22.12.2026", operationTimeHours: "10", operationTimeMinutes: "15" })).toBe(
      "Planen er rettet. 2 beskeder med den gamle tid, der ikke var sendt, er taget tilbage. Send patienten den nye tid.",
    );
    expect(await outcomes()).toEqual(["withdrawn: Tiden er ændret", "withdrawn: Tiden er ændret"]);
    expect(await letters()).toMatchObject([
      { status: 9, isWithdrawn: true, withdrawnBecause: "Tiden er ændret" },
      { status: 9, isWithdrawn: true },
    ]);
    const log = await portal.db
      .selectFrom("visitLog")
      .select("event")
      .where("referralId", "=", referralId)
      .orderBy("id")
      .execute();
    expect(log.map(({ event }) => event)).toContain("2 ventende beskeder om tiden annulleret (Tiden er ændret)");
    await send(EBOKS);
    expect(await moveTo({})).toBe(
      "Planen er rettet. En besked med den gamle tid, der ikke var sendt, er taget tilbage.",
    );
  });

  test("a plan that keeps its time keeps its letters", async () => {
    await send(EBOKS);
    const same = { operationDate: "15.12.2026", operationTimeHours: "10", operationTimeMinutes: "15" };
    expect(await moveTo({ ...same, surgeonComment: "Ny bemærkning" })).toBe("Planen er rettet.");
    expect(await outcomes()).toEqual(["queued: null"]);
  });

  test("a letter whose time was moved unseen, or is over, does not leave", async () => {
    await send(EBOKS);
    await change({ operationDate: "2026-12-22" });
    await portal.as(system, sendMessage, { owner: "a", channel: "eboks" });
    await change({ operationDate: "2026-12-15" });
    await send(EBOKS);
    portal.clock.set("2026-12-15T12:00:00.000Z");
    await portal.as(system, sendMessage, { owner: "a", channel: "eboks" });
    expect(await outcomes()).toEqual(["withdrawn: Tiden er ændret", "withdrawn: Tiden er begyndt eller overstået"]);
  });

  test("a printed batch names the letters whose time was moved or cancelled", async () => {
    await send(LETTER);
    await portal.as(admin, makeLetterBatch, {});
    await moveTo({ operationDate: "22.12.2026", operationTimeHours: "10", operationTimeMinutes: "15" });
    const { id: batchId } = await portal.db.selectFrom("letterBatch").select("id").executeTakeFirstOrThrow();
    const { flash } = await portal.as(admin, markBatchPrinted, { batchId });
    expect(flash!.text).toContain(`nr. ${referralId} (side 1): Tiden er ændret`);
    await send(LETTER);
    await portal.as(
      system,
      withinChange((context) => cancelByPatient(context, { referralId, source: "link" })),
      {},
    );
    expect(await outcomes()).toContain("withdrawn: Tiden er aflyst");
  });

  test("'Annullér' takes a queued letter back, until a worker has begun", async () => {
    await send(EBOKS);
    const [letter] = await letters();
    expect(letter).toMatchObject({ canWithdraw: true });
    const other = await aReferral(portal, dentist);
    await expect(
      portal.as(admin, withdrawAppointmentLetter, { referralId: other, letterId: letter!.id }),
    ).rejects.toMatchObject({ name: "conflict" });
    await portal.as(admin, withdrawAppointmentLetter, { referralId, letterId: letter!.id });
    expect(await letters()).toMatchObject([{ isWithdrawn: true, canWithdraw: false }]);
    await send(EBOKS);
    await portal.db.updateTable("outbox").set({ attempts: 1 }).where("outcome", "=", "queued").execute();
    const [begun] = await letters();
    expect(begun).toMatchObject({ canWithdraw: false });
    await expect(
      portal.as(admin, withdrawAppointmentLetter, { referralId, letterId: begun!.id }),
    ).rejects.toMatchObject({ name: "conflict" });
  });

  test("a closed or declined referral gets no letter, call-up or reminder", async () => {
    for (const [status, text, obstacle] of [
      [7, "Henvisningen er afsluttet.", "closed"],
      [8, "Patienten ønsker ikke behandlingen.", "declined"],
    ] as const) {
      await change({ status });
      await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid", text });
      await expect(
        portal.as(admin, sendCallUp, {
          referralId,
          patientAddress: "Åvej 1",
          patientZip: "8000",
          patientCity: "Aarhus",
          patientMobilePhone: "40 12 34 56",
          incallType: 2,
        }),
      ).rejects.toMatchObject({ name: "invalid", text });
      await expect(portal.as(admin, sendSmsWithCancellation, { referralId })).rejects.toMatchObject({ text });
      expect(await waysOf()).toEqual([obstacle, obstacle, obstacle]);
      const callUp = await readOpenCallUp(portal.db, portal, await findReferral(portal.db, admin, referralId));
      expect(new Set(callUp.ways.map((way) => way.obstacle))).toEqual(new Set([obstacle]));
      expect((await portal.as(admin, readOpenReferral, { referralId })).toPatient!.sms).toMatchObject({
        reminderObstacle: obstacle,
        replyObstacle: obstacle,
      });
    }
    expect(await outcomes()).toEqual([]);
  });

  test("a call-up whose text names the time goes by the same rule, another one does not", async () => {
    const callUp = () =>
      portal.as(admin, sendCallUp, {
        referralId,
        patientAddress: "Åvej 1",
        patientZip: "8000",
        patientCity: "Aarhus",
        patientMobilePhone: "40 12 34 56",
        incallType: 2,
      });
    portal.clock.set("2026-12-16T09:00:00.000Z");
    await callUp();
    await portal.as(admin, withdrawCallUp, { referralId });
    await portal.as(admin, saveMessageText, {
      kind: "callUp",
      channel: "sms",
      subject: "",
      body: "Kære ((fornavn)). Du har tid ((dato)) kl. ((klokkeslæt)).",
    });
    await expect(callUp()).rejects.toMatchObject({ name: "invalid", text: "Tiden er begyndt eller overstået." });
  });
});

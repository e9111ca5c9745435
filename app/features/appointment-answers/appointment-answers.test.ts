import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { ChangeContext } from "~/access/operation.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { lockSentReferral } from "~/features/referrals/store/treatment-store.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { queueReminder } from "~/features/reminders/send-due-reminders.server";
import { aReferral } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { withinChange } from "../../../tests/support/within-change";
import { findAnswers } from "./answer-store.server";
import { cancelByPatient, undoCancellation } from "./cancel-by-patient.server";
import { cancelAppointment, confirmAppointment, confirmByPatient } from "./answer-appointment.server";

const SYSTEM = { kind: "system", job: "test" } as const;
forEachDatabase("patients' answers", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("freedTime").execute();
    await portal.db.deleteFrom("setting").execute();
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56", firstName: "Nancy Ann" });
    await timeIs("03-12-2026", "10", "15");
    await statusIs(6);
  });

  const rowOf = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  async function statusIs(status: number) {
    const { statusVersion: seenVersion } = await rowOf();
    await portal.as(admin, setStatus, { referralId, status, seenVersion, isDeleteAttachments: "false" });
  }
  async function timeIs(day: string, hours: string, minutes: string) {
    const { version } = await rowOf();
    await portal.as(admin, editPlan, {
      referralId,
      seenVersion: version,
      operationDate: day,
      operationTimeHours: hours,
      operationTimeMinutes: minutes,
    });
  }
  const run = async (work: (context: ChangeContext) => Promise<unknown>) =>
    (await portal.as(SYSTEM, withinChange(work), {})).data?.answer;
  const cancel = (more: Partial<Parameters<typeof cancelByPatient>[1]> = {}) =>
    run((context) => cancelByPatient(context, { referralId, source: "sms", ...more }));
  const confirm = () => run((context) => confirmByPatient(context, { referralId, source: "link" }));
  const remind = (withCancellation = true) =>
    run(async (context) =>
      queueReminder(context, (await lockSentReferral(context.tx, referralId))!, { withCancellation }),
    );
  const undo = () => portal.as(admin, undoCancellation, { referralId });
  const messages = async () =>
    (await portal.db.selectFrom("outbox").selectAll().where("referralId", "=", referralId).orderBy("id").execute()).map(
      (row) => ({
        kind: row.kind,
        outcome: row.outcome,
        text: (JSON.parse(unsealMessage(portal.secrets, row).content!) as { text: string }).text,
      }),
    );
  const outcomes = async () => (await messages()).map(({ kind, outcome }) => `${kind} ${outcome}`);
  const events = async () =>
    (
      await portal.db
        .selectFrom("visitLog")
        .select("event")
        .where("referralId", "=", referralId)
        .orderBy("id")
        .execute()
    )
      .map(({ event }) => event)
      .slice(-2);

  test("a cancellation sets the status, withdraws reminders, frees the time and replies", async () => {
    await portal.as(admin, saveNamesAndDeadlines, { messageMailAddress: "klinik@eksempel.dk" });
    await remind();
    expect(await cancel({ word: "Jeg er syg" })).toEqual({
      outcome: "cancelled",
      operationMoment: "2026-12-03 10:15",
    });
    expect(await cancel()).toEqual({ outcome: "alreadyCancelled" });
    expect(await rowOf()).toMatchObject({
      status: 13,
      cancellationDate: "2026-12-01T09:00:00.000Z",
      operationDate: "2026-12-03",
    });
    expect(await outcomes()).toEqual([
      "appointmentReminder withdrawn",
      "reminderReply queued",
      "cancellationNews queued",
    ]);
    expect((await messages())[1]!.text).toMatch(/^Tak for beskeden\. Tiden er aflyst/);
    expect(await events()).toContain("Patienten har meldt afbud pr. SMS til 03.12.2026 kl. 10.15");
    expect(await findAnswers(portal.db, portal.secrets, [referralId])).toMatchObject([
      { answer: "cancelled", word: "Jeg er syg", isUndone: false },
    ]);
    const freed = await portal.db.selectFrom("freedTime").selectAll().execute();
    expect(freed).toMatchObject([{ referralId, operationMoment: "2026-12-03 10:15", closedAt: null }]);
  });

  test.each([
    ["Jeg bløder meget", 1],
    ["Jeg er på ferie", 0],
  ])("the word '%s' beside a cancellation raises %i alarms", async (word, count) => {
    await portal.db.deleteFrom("alarm").execute();
    await cancel({ source: "link", word });
    const alarms = await portal.db.selectFrom("alarm").select(["cause", "referralId"]).execute();
    expect(alarms).toEqual(Array.from({ length: count }, () => ({ cause: "answer", referralId })));
  });

  test.each([7, 8, 10])("status %i stays", async (status) => {
    await statusIs(status);
    await cancel();
    expect((await rowOf()).status).toBe(status);
    await undo();
    expect(await rowOf()).toMatchObject({ status, cancellationDate: null });
  });

  test("undoing a cancellation restores status and time, and withdraws the reply", async () => {
    await cancel();
    portal.clock.advance({ minutes: 5 });
    await undo();
    expect(await rowOf()).toMatchObject({ status: 6, cancellationDate: null });
    expect(await outcomes()).toEqual(["reminderReply withdrawn"]);
    expect(await portal.db.selectFrom("freedTime").select("closedBecause").execute()).toEqual([
      { closedBecause: "undone" },
    ]);
    await expect(undo()).rejects.toMatchObject({ name: "conflict" });
    expect(await cancel()).toMatchObject({ outcome: "cancelled" });
  });

  test("undoing a cancellation keeps a status that was set after it", async () => {
    await cancel();
    portal.clock.advance({ minutes: 5 });
    await statusIs(12);
    await undo();
    expect((await rowOf()).status).toBe(12);
    portal.clock.advance({ minutes: 5 });
    await statusIs(6);
    await cancel();
    portal.clock.advance({ minutes: 5 });
    await statusIs(12);
    await statusIs(13);
    await undo();
    expect((await rowOf()).status).toBe(13);
  });

  test("'Jeg kommer' ends reminders and undoes a cancellation", async () => {
    await remind();
    expect([await confirm(), await confirm()]).toEqual(["confirmed", "alreadyConfirmed"]);
    expect(await outcomes()).toEqual(["appointmentReminder withdrawn"]);
    await cancel({ source: "link" });
    expect(await rowOf()).toMatchObject({ status: 13, confirmedAt: null });
    expect(await confirm()).toBe("confirmed");
    expect(await rowOf()).toMatchObject({ status: 6, cancellationDate: null });
  });

  test("moving the appointment clears the answer and withdraws the old reminder", async () => {
    await confirm();
    await remind();
    await timeIs("04-12-2026", "10", "15");
    expect(await rowOf()).toMatchObject({ confirmedAt: null, cancellationDate: null });
    expect(await outcomes()).toEqual(["appointmentReminder withdrawn"]);
    await remind();
    await portal.db.updateTable("referral").set({ operationHour: 11 }).where("id", "=", referralId).execute();
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect(await outcomes()).toEqual(["appointmentReminder withdrawn", "appointmentReminder withdrawn"]);
  });

  test("saving a plan with the same time keeps the answer", async () => {
    await confirm();
    await timeIs("03-12-2026", "10", "15");
    expect((await rowOf()).confirmedAt).not.toBeNull();
  });

  test("the reminder says how to cancel, with the appointment's link where it is set", async () => {
    await remind();
    await remind(false);
    const [withIt, without] = await messages();
    expect(withIt!.text).toMatch(
      /^Kære Nancy Ann\. Du har en tid hos .+ 03\.12\.2026 kl\. 10\.15\. Svar her, om du kommer: https?:\/\/\S+\/aftale\?tk=[\w-]{22}$/,
    );
    expect(without!.text).toMatch(/^Kære Nancy Ann\. Du har en tid hos .+ 03\.12\.2026 kl\. 10\.15\.$/);
  });

  test("an answer is accepted until the end of the day, for its own appointment only", async () => {
    portal.clock.set("2026-12-03T22:59:00.000Z");
    expect(await cancel({ operationMoment: "2026-12-02 10:15" })).toEqual({ outcome: "noTime" });
    expect(await cancel()).toMatchObject({ outcome: "cancelled" });
    expect(await portal.db.selectFrom("freedTime").selectAll().execute()).toEqual([]);
    portal.clock.set("2026-12-03T23:00:00.000Z");
    expect([await cancel(), await confirm()]).toEqual([{ outcome: "past" }, "past"]);
  });

  test("undoing is refused when the time is another patient's or offered to one", async () => {
    await cancel();
    const other = await aReferral(portal, dentist);
    const { id: freedTimeId } = await portal.db.selectFrom("freedTime").select("id").executeTakeFirstOrThrow();
    await portal.db
      .insertInto("timeOffer")
      .values({
        freedTimeId,
        openFreedTimeId: freedTimeId,
        referralId: other,
        offeredAt: "2026-12-01T09:00:00.000Z",
        expiresAt: "2026-12-01T12:00:00.000Z",
        outcome: "open",
      })
      .execute();
    expect(await confirm()).toBe("offered");
    await expect(undo()).rejects.toMatchObject({ name: "conflict", text: expect.stringContaining("tilbudt") });
    portal.clock.set("2026-12-01T12:00:00.000Z");
    await portal.db
      .updateTable("freedTime")
      .set({ closedAt: "2026-12-01T11:00:00.000Z", closedBecause: "taken", takenBy: other })
      .execute();
    expect(await confirm()).toBe("taken");
    await expect(undo()).rejects.toMatchObject({ name: "conflict", text: expect.stringContaining("ny tid") });
  });

  test("staff see the patient's answer to the current appointment", async () => {
    const read = async () => (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.answer;
    expect(await read()).toBeNull();
    await confirm();
    expect(await read()).toMatchObject({ isCancelled: false, source: "link", daysBefore: 2 });
    await cancel({ source: "sms", word: "Jeg er syg" });
    expect(await read()).toMatchObject({ isCancelled: true, source: "sms", word: "Jeg er syg", daysBefore: 2 });
    await timeIs("04-12-2026", "10", "15");
    expect(await read()).toBeNull();
    expect((await portal.as(dentist, readOpenReferral, { referralId })).toPatient).toBeNull();
  });

  test("a link that has changed its answer ten times changes it no more", async () => {
    const patient = {
      kind: "patientToken",
      referralId,
      purpose: "appointmentAnswer",
      letterNumber: null,
      operationMoment: "2026-12-03 10:15",
    } as const;
    const answer = async (operation: typeof cancelAppointment | typeof confirmAppointment) =>
      portal.as(patient, operation, { token: "t" });
    for (let times = 0; times < 5; times += 1) {
      await answer(cancelAppointment);
      await answer(confirmAppointment);
    }
    const before = await outcomes();
    await expect(answer(cancelAppointment)).rejects.toMatchObject({ name: "conflict" });
    expect(await rowOf()).toMatchObject({ status: 6, cancellationDate: null });
    expect(await outcomes()).toEqual(before);
    await timeIs("04-12-2026", "10", "15");
    await portal.as({ ...patient, operationMoment: "2026-12-04 10:15" }, cancelAppointment, { token: "t" });
    expect((await rowOf()).cancellationDate).not.toBeNull();
  });

  test("two simultaneous cancellations cancel once", async () => {
    const both = await Promise.all([cancel(), cancel({ source: "link" }), cancel()]);
    expect(JSON.stringify(both).match(/"cancelled"/g)).toHaveLength(1);
    expect(await outcomes()).toEqual(["reminderReply queued"]);
  });
});

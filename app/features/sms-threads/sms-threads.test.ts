import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { undoCancellation } from "~/features/appointment-answers/undo-cancellation.server";
import { receiveSmsEvent } from "~/features/delivery/receive-sms.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { liftSmsStop } from "~/features/sms-stops/lift-stop.server";
import { isStopped } from "~/features/sms-stops/stopped-numbers.server";
import { toMoment } from "~/text/dates";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { listSms } from "./list-sms.server";
import { listUnplacedSms } from "./list-unplaced.server";
import { placeAnswers } from "./place-answer.server";
import { readSmsThread } from "./read-thread.server";
import { readAnswerSettings, saveAnswerSettings } from "./save-answer-settings.server";
import { sendSmsWithCancellation, sendSmsWithoutCancellation } from "./send-reminder.server";
import { decideSms, dismissSms, markSmsRead, placeSms, unplaceSms } from "./settle-answer.server";
import { replySms } from "./write-reply.server";

const SYSTEM = { kind: "system", job: "test" } as const;
const caller = { actor: SYSTEM, site: "inside", address: "", sessionId: null } as const;
let events = 0;
let numbers = 10_000_000;

forEachDatabase("threads of SMS", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let number: string;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["outbox", "delivery_event", "incoming_sms", "freed_time", "setting"] as const)
      await portal.db.deleteFrom(table).execute();
    number = String((numbers += 1));
    referralId = await aPatient({ day: "03-12-2026" });
  });

  const rowOf = (id = referralId) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  /** A patient in treatment with a time, whose reminder has been sent. */
  async function aPatient({ day, ...changes }: { day: string | null } & Record<string, unknown>) {
    const id = await aReferral(portal, dentist, { mobilePhone: number, firstName: "Nancy Ann", ...changes });
    if (day !== null)
      await portal.as(admin, editPlan, {
        referralId: id,
        seenVersion: (await rowOf(id)).version,
        operationDate: day,
        operationTimeHours: "10",
        operationTimeMinutes: "15",
      });
    const { version } = await rowOf(id);
    await portal.as(admin, setStatus, {
      referralId: id,
      status: 6,
      seenVersion: version,
      isDeleteAttachments: "false",
    });
    if (day !== null) await portal.as(admin, sendSmsWithCancellation, { referralId: id });
    await work();
    return id;
  }
  async function work() {
    while ((await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" })).data?.sent);
  }
  /** What the webhook records, and what the job then does about it. */
  async function answer(text: string, from = `+45${number}`, eventId = `event-${(events += 1)}`) {
    portal.clock.advance({ minutes: 1 });
    await portal.as(SYSTEM, receiveSmsEvent, { kind: "reply", eventId, from, text });
    await placeAnswers(portal, caller);
  }
  const thread = (id = referralId) => portal.as(admin, readSmsThread, { referralId: id });
  const incoming = async (id = referralId) =>
    (await thread(id)).messages.flatMap((message) => (message.isIncoming ? [message] : []));
  const queues = async () => {
    const found = (await portal.as(admin, listSms, {})).queues!;
    return { unplaced: found.unplaced, possibly: found.possibly.count, unread: found.unread.count };
  };

  test("a sure cancellation is one: date, status 13, one reply; the message counts as such until it is undone", async () => {
    await answer("Afbud, jeg er syg");
    expect(await rowOf()).toMatchObject({
      status: 13,
      cancellation_date: "2026-12-01 09:01:00.000",
      has_cancellation_message: 1,
      sms_count: 3,
      sms_list: 2,
    });
    expect(await incoming()).toMatchObject([
      { from: `+45${number}`, text: "Afbud, jeg er syg", isCancellation: true, state: "settled" },
    ]);
    expect((await thread()).messages.map(({ isIncoming }) => isIncoming)).toEqual([false, true, false]);
    expect(await queues()).toEqual({ unplaced: 0, possibly: 0, unread: 0 });
    await portal.as(admin, undoCancellation, { referralId });
    expect(await rowOf()).toMatchObject({
      status: 6,
      cancellation_date: null,
      has_cancellation_message: 0,
      sms_list: 1,
    });
    expect(await incoming()).toMatchObject([{ isCancellation: false }]);
  });

  test("an event delivered three times is one message, also with two workers", async () => {
    await portal.as(SYSTEM, receiveSmsEvent, { kind: "reply", eventId: "same", from: `+45${number}`, text: "afbud" });
    await Promise.all([placeAnswers(portal, caller), placeAnswers(portal, caller)]);
    await answer("afbud", undefined, "same");
    await answer("afbud", undefined, "same");
    expect(await incoming()).toHaveLength(1);
    expect((await rowOf()).sms_count).toBe(3);
  });

  test("a possible cancellation waits for a decision: 'Ja' cancels, 'Nej' keeps the appointment, each once", async () => {
    await answer("Jeg kan ikke komme");
    expect(await rowOf()).toMatchObject({ status: 6, cancellation_date: null, has_cancellation_message: 0 });
    expect(await queues()).toMatchObject({ possibly: 1 });
    const [asked] = await incoming();
    await portal.as(admin, decideSms, { answerId: asked!.id, isCancellation: "true" });
    expect(await rowOf()).toMatchObject({ status: 13, has_cancellation_message: 1 });
    const again = portal.as(admin, decideSms, { answerId: asked!.id, isCancellation: "false" });
    await expect(again).rejects.toMatchObject({ name: "conflict" });

    number = String((numbers += 1));
    const other = await aPatient({ day: "04-12-2026" });
    await answer("aflys ikke");
    const [another] = await incoming(other);
    await portal.as(admin, decideSms, { answerId: another!.id, isCancellation: "false" });
    expect(await rowOf(other)).toMatchObject({ status: 6, cancellation_date: null });
    expect(await queues()).toMatchObject({ possibly: 0 });
  });

  describe("whose answer it is", () => {
    test("from an unknown number: it waits, and is placed by hand or dismissed", async () => {
      await answer("Afbud", "+4599887766");
      await answer("Vind en iPhone", "+4599887766");
      expect(await queues()).toEqual({ unplaced: 2, possibly: 0, unread: 0 });
      const { answers } = await portal.as(admin, listUnplacedSms, {});
      expect(answers).toMatchObject([
        { text: "Afbud", mayBeCancelled: true, candidates: [] },
        { text: "Vind en iPhone", mayBeCancelled: false, candidates: [] },
      ]);
      const place = (more: object) => portal.as(admin, placeSms, { answerId: answers[0]!.id, ...more });
      await expect(place({ visitNumber: "99999999" })).rejects.toMatchObject({ name: "invalid" });
      await expect(place({})).rejects.toMatchObject({ name: "invalid" });
      await place({ choice: "other", visitNumber: String(referralId) });
      await expect(place({ visitNumber: String(referralId) })).rejects.toMatchObject({ name: "conflict" });
      expect(await incoming()).toMatchObject([{ state: "possibly", text: "Afbud" }]);
      expect(await rowOf()).toMatchObject({ status: 6, sms_count: 2 });
      await portal.as(admin, dismissSms, { answerId: answers[1]!.id });
      expect(await queues()).toEqual({ unplaced: 0, possibly: 1, unread: 0 });
    });

    test("from a number of two patients: it waits, and both are suggested", async () => {
      const sibling = await aPatient({ day: "02-12-2026", firstName: "Emma" });
      await answer("Afbud");
      expect(await queues()).toMatchObject({ unplaced: 1 });
      const [waiting] = (await portal.as(admin, listUnplacedSms, {})).answers;
      expect(waiting!.candidates.map((candidate) => candidate.referralId)).toEqual([sibling, referralId]);
      await portal.as(admin, placeSms, { answerId: waiting!.id, choice: String(sibling) });
      expect(await incoming(sibling)).toMatchObject([{ state: "possibly" }]);
      expect(await incoming()).toEqual([]);
      expect((await rowOf(sibling)).status).toBe(6);
    });

    test("from a number that was changed on the referral: placed in its thread, and a possible cancellation is not carried out", async () => {
      await portal.db
        .updateTable("referral")
        .set({ mobile_phone: "30 30 30 30" })
        .where("id", "=", referralId)
        .execute();
      await answer("Afbud");
      expect(await incoming()).toMatchObject([{ state: "possibly" }]);
      expect((await rowOf()).status).toBe(6);
    });

    test("without a future appointment: a possible cancellation is not carried out", async () => {
      portal.clock.set("2026-12-03T11:00:00.000Z");
      await answer("Afbud");
      expect(await incoming()).toMatchObject([{ state: "possibly" }]);
    });

    test("placed hours late: a possible cancellation is not carried out", async () => {
      const reply = { kind: "reply", eventId: `event-${(events += 1)}`, from: `+45${number}`, text: "Afbud" };
      await portal.as(SYSTEM, receiveSmsEvent, reply);
      portal.clock.advance({ hours: 6 });
      await placeAnswers(portal, caller);
      expect(await incoming()).toMatchObject([{ state: "possibly" }]);
      expect((await rowOf()).status).toBe(6);
    });

    test("a closed referral of the same number is not asked about; a message that only waits was never answered", async () => {
      const closed = await aPatient({ day: "02-12-2026", firstName: "Emma" });
      await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", closed).execute();
      await answer("Tak for det");
      expect(await incoming()).toMatchObject([{ text: "Tak for det" }]);
      await portal.db.deleteFrom("outbox").execute();
      await portal.as(admin, sendSmsWithoutCancellation, { referralId });
      await answer("Afbud");
      expect(await queues()).toMatchObject({ unplaced: 1 });
    });

    test("a message in the wrong thread is moved back to the unplaced ones", async () => {
      await answer("Ring til mig");
      expect(await queues()).toMatchObject({ unread: 1 });
      const [message] = await incoming();
      await portal.as(admin, unplaceSms, { answerId: message!.id });
      expect(await queues()).toEqual({ unplaced: 1, possibly: 0, unread: 0 });
      expect((await rowOf()).sms_count).toBe(1);
    });
  });

  test("an acknowledgement needs no attention; any other message is new until it is read or answered", async () => {
    await answer("Ok tak 👍");
    expect(await queues()).toMatchObject({ unread: 0 });
    await answer("Hvor kan jeg parkere?");
    expect(await queues()).toMatchObject({ unread: 1 });
    await portal.as(admin, markSmsRead, { referralId });
    expect(await queues()).toMatchObject({ unread: 0 });
    await answer("Er der elevator?");
    await portal.as(admin, replySms, {
      referralId,
      formKey: `form-${(events += 1)}`,
      kind: "smsReply",
      text: "Ja, vi ses.",
    });
    expect(await queues()).toMatchObject({ unread: 0 });
    await work();
    expect((await thread()).messages.at(-1)).toMatchObject({ isIncoming: false, text: "Ja, vi ses.", status: 1 });
  });

  test.each([
    ["Dit nummer er 010190-1234", "Her står et CPR-nummer. Andre kan læse med: slet nummeret."],
    ["Husk din operation", /Det hører ikke hjemme i en SMS: “operation”/],
    ["Kære ((fornavn))", /udfyldes ikke her/],
    [" ", "Skriv et svar."],
  ])("an answer may not say “%s”", async (text, why) => {
    const reply = portal.as(admin, replySms, { referralId, formKey: `form-${(events += 1)}`, kind: "smsReply", text });
    if (text === " ") return expect(reply).rejects.toMatchObject({ name: "invalid" });
    await expect(reply).rejects.toMatchObject({
      name: "invalid",
      fields: { text: [typeof why === "string" ? why : expect.stringMatching(why)] },
    });
    expect((await thread()).messages).toHaveLength(1);
  });

  test("STOP ends reminders to the number, nothing else; staff lift it", async () => {
    const e164 = `+45${number}`;
    await answer(" Stop ");
    expect(await isStopped(portal.db, portal.secrets, e164)).toBe(true);
    expect((await thread()).stoppedSince).toBe("2026-12-01T09:01:00.000Z");
    expect(await queues()).toEqual({ unplaced: 0, possibly: 0, unread: 0 });
    await portal.as(admin, replySms, {
      referralId,
      formKey: `form-${(events += 1)}`,
      kind: "smsReply",
      text: "Det er noteret.",
    });
    await portal.as(admin, liftSmsStop, { referralId });
    expect(await isStopped(portal.db, portal.secrets, e164)).toBe(false);
    await expect(portal.as(admin, liftSmsStop, { referralId })).rejects.toMatchObject({ name: "conflict" });
    await answer("STOP", "+4577665544");
    expect(await isStopped(portal.db, portal.secrets, "+4577665544")).toBe(true);
    expect(await queues()).toMatchObject({ unplaced: 0 });
  });

  test("the clinic's words and the provider's keyword count from when they are set", async () => {
    for (const words of ["ja, nej", "stop", "afbud, ikke"])
      await expect(portal.as(admin, saveAnswerSettings, { smsCancellationWords: words })).rejects.toMatchObject({
        name: "invalid",
      });
    await portal.as(admin, saveAnswerSettings, { smsCancellationWords: "Framelding  afbud,", smsKeyword: "kirurg" });
    expect((await portal.as(admin, readAnswerSettings, {})).settings.smsCancellationWords).toBe("framelding, afbud");
    await answer("KIRURG framelding");
    expect(await incoming()).toMatchObject([{ text: "framelding", isCancellation: true }]);
  });

  test("only staff read a thread or place a message", async () => {
    await answer("Ring til mig");
    const [message] = await incoming();
    for (const [operation, input] of [
      [readSmsThread, { referralId }],
      [markSmsRead, { referralId }],
      [unplaceSms, { answerId: message!.id }],
    ] as const)
      await expect(portal.as(dentist, operation as typeof readSmsThread, input as never)).rejects.toMatchObject({
        name: "notAllowed",
      });
  });

  describe("the list", () => {
    const list = async (input: object = {}) =>
      (await portal.as(admin, listSms, { f: null, ...input })).rows.map(({ id }) => id);

    beforeEach(async () => {
      await portal.db.updateTable("referral").set({ status: -1 }).where("id", "<>", referralId).execute();
    });

    test("shows today's and later appointments by default, next first, without those that have no thread", async () => {
      number = String((numbers += 1));
      const sooner = await aPatient({ day: "02-12-2026" });
      number = String((numbers += 1));
      const without = await aPatient({ day: null });
      expect(await list()).toEqual([sooner, referralId]);
      portal.clock.set("2026-12-03T22:30:00.000Z");
      expect(await list()).toEqual([referralId]);
      expect(await list({ filter: {} })).toEqual([sooner, referralId]);
      await portal.as(admin, replySms, {
        referralId: without,
        formKey: `form-${(events += 1)}`,
        kind: "smsReply",
        text: "Hej",
      });
      expect(await list({ filter: {} })).toEqual([without, sooner, referralId]);
    });

    test("counts today's cancellations and tomorrow's confirmed and unanswered appointments, each with its filter", async () => {
      const onDay = async (day: string) => {
        number = String((numbers += 1));
        return aPatient({ day });
      };
      const cancelled = await onDay("02-12-2026");
      await answer("Afbud");
      const confirmed = await onDay("02-12-2026");
      await portal.db
        .updateTable("referral")
        .set({ confirmed_at: toMoment(portal.clock.now()) })
        .where("id", "=", confirmed)
        .execute();
      const unanswered = await onDay("02-12-2026");
      // Nobody waits for these, though their times stand there.
      const left = { closed: await onDay("02-12-2026"), test: await onDay("02-12-2026") };
      const change = (id: number, to: object) =>
        portal.db.updateTable("referral").set(to).where("id", "=", id).execute();
      await change(left.closed, { status: 7 });
      await change(left.test, { is_test: 1 });
      await change(await onDay("02-12-2026"), { status: 8, confirmed_at: toMoment(portal.clock.now()) });
      const found = (await portal.as(admin, listSms, {})).queues!;
      expect(await list({ f: found.cancelledToday.f })).toEqual([cancelled]);
      expect(await list({ f: found.confirmedTomorrow.f })).toEqual([confirmed]);
      expect(await list({ f: found.unansweredTomorrow.f })).toEqual([unanswered]);
      expect(found).toMatchObject({
        cancelledToday: { count: 1 },
        confirmedTomorrow: { count: 1 },
        unansweredTomorrow: { count: 1 },
      });
      portal.clock.advance({ hours: 24 });
      expect((await portal.as(admin, listSms, {})).queues).toMatchObject({
        cancelledToday: { count: 0 },
        confirmedTomorrow: { count: 0 },
        unansweredTomorrow: { count: 1 },
      });
    });

    test("sorts by patient, time and cancellation; filters by name, days, number, CPR, cancellation and what waits", async () => {
      number = String((numbers += 1));
      const other = await aPatient({ day: "02-12-2026", firstName: "Aage" });
      await answer("Afbud");
      number = String((numbers += 1));
      const third = await aPatient({ day: "04-12-2026", firstName: "Åse" });
      await answer("Jeg kan ikke");
      expect(await list({ sort: "0" })).toEqual([referralId, other, third]);
      expect(await list({ sort: "-0" })).toEqual([third, other, referralId]);
      expect(await list({ sort: "-1" })).toEqual([third, referralId, other]);
      expect((await list({ sort: "-2" }))[0]).toBe(other);
      expect(await list({ filter: { patientName: "aage" } })).toEqual([other]);
      expect(await list({ filter: { dateFrom: "2026-12-03", dateTo: "2026-12-03" } })).toEqual([referralId]);
      expect(await list({ filter: { visitNumber: "" + third } })).toEqual([third]);
      expect(await list({ filter: { onlyCancelled: true } })).toEqual([other]);
      expect(await list({ filter: { possiblyCancelled: true } })).toEqual([third]);
      const { rows } = await portal.as(admin, listSms, { filter: { visitNumber: String(other) } });
      expect(rows).toMatchObject([
        { hasCancellationMessage: true, cancelledAt: "2026-12-01T09:01:00.000Z", messageCount: 3, status: 13 },
      ]);
      expect(await list({ filter: { cpr: rows[0]!.cpr } })).toEqual([other]);
    });
  });
});

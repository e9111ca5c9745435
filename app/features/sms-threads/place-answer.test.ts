import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { type ListedReferrals, listReferrals } from "~/features/referrals/list/list-referrals.server";
import { receiveSmsEvent } from "~/features/delivery/receive-reports.server";
import { isStopped, liftSmsStop } from "~/features/sms-stops/stopped-numbers.server";
import { aPerson } from "../../../tests/factories/people";
import { caller, smsThreadsPortal, SYSTEM } from "../../../tests/support/portals/sms-threads-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import {
  listUnplacedSms,
  readAnswerSettings,
  replySms,
  saveAnswerSettings,
  sendSmsWithoutCancellation,
} from "./operations.server";
import { placeAnswers } from "./place-answer.server";
import { decideSms, dismissSms, markSmsRead, placeSms, undoSmsDecision, unplaceSms } from "./settle-answer.server";
import { ALARMING, POSSIBLY_CANCELLED } from "./sms-list";
import { listSms } from "./sms-list.server";

forEachDatabase("threads of SMS", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let number: string;
  const { nextNumber, rowOf, aPatient, answer, thread, incoming, queues } = smsThreadsPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId, number } = begun);
  });

  test("a sure cancellation: date, status 13, one reply, until it is undone", async () => {
    await answer("Afbud, jeg er syg");
    expect(await rowOf()).toMatchObject({
      status: 13,
      cancellationDate: "2026-12-01T09:01:00.000Z",
      hasCancellationMessage: true,
      smsCount: 3,
      smsList: 2,
    });
    expect(await incoming()).toMatchObject([
      { from: `+45${number}`, text: "Afbud, jeg er syg", isCancellation: true, state: "settled" },
    ]);
    expect((await thread()).messages.map(({ isIncoming }) => isIncoming)).toEqual([false, true, false]);
    expect(await queues()).toEqual({ unplaced: 0, possibly: 0, unread: 0 });
    await portal.as(admin, undoCancellation, { referralId });
    expect(await rowOf()).toMatchObject({
      status: 6,
      cancellationDate: null,
      hasCancellationMessage: false,
      smsList: 1,
    });
    expect(await incoming()).toMatchObject([{ isCancellation: false }]);
  });

  test("an alarm in a cancellation stays unread, and comes first", async () => {
    const surgeon = await aPerson(portal, { role: "Surgeon" });
    const front = async () => (await portal.as(surgeon, listReferrals, {})) as ListedReferrals;
    const count = async () => (await front()).queues.find(({ kind }) => kind === "alarmingSms")?.count ?? 0;
    const before = await count();
    await answer("Afbud. Jeg bløder meget efter operationen og er kørt på skadestuen");
    expect(await rowOf()).toMatchObject({ status: 6, cancellationDate: null });
    expect(await incoming()).toMatchObject([{ isCancellation: false, state: "possibly" }]);
    const alarm = portal.db.selectFrom("alarm").select(["cause", "referralId"]).orderBy("id", "desc");
    expect(await alarm.executeTakeFirst()).toEqual({ cause: "answer", referralId });
    expect(await count()).toBe(before + 1);
    expect((await front()).queues[0]).toMatchObject({ kind: "alarmingSms" });
    const list = await portal.as(admin, listSms, { f: ALARMING });
    expect(list.rows.map(({ id }) => id)).toContain(referralId);
    expect(list.queues?.alarming.count).toBe(before + 1);
    const [asked] = await incoming();
    await portal.as(admin, decideSms, { answerId: asked!.id, isCancellation: "false" });
    expect(await count()).toBe(before);
  });

  test("an answer that nobody can place comes first where it names something clinical", async () => {
    await answer("Hvor ligger I?", "+4599887711");
    await answer("Kinden er hævet og jeg kan ikke synke", "+4599887722");
    const texts = (await portal.as(admin, listUnplacedSms, {})).answers.map(({ text }) => text);
    expect(texts.indexOf("Kinden er hævet og jeg kan ikke synke")).toBeLessThan(texts.indexOf("Hvor ligger I?"));
  });

  test("an event delivered three times is one message, also with two workers", async () => {
    await portal.as(SYSTEM, receiveSmsEvent, { kind: "reply", eventId: "same", from: `+45${number}`, text: "afbud" });
    await Promise.all([placeAnswers(portal, caller), placeAnswers(portal, caller)]);
    await answer("afbud", undefined, "same");
    await answer("afbud", undefined, "same");
    expect(await incoming()).toHaveLength(1);
    expect((await rowOf()).smsCount).toBe(3);
  });

  test("a possible cancellation waits: 'Ja' cancels, 'Nej' keeps, each once", async () => {
    await answer("Jeg kan ikke komme");
    expect(await rowOf()).toMatchObject({ status: 6, cancellationDate: null, hasCancellationMessage: false });
    expect(await queues()).toMatchObject({ possibly: 1 });
    const [asked] = await incoming();
    await portal.as(admin, decideSms, { answerId: asked!.id, isCancellation: "true" });
    expect(await rowOf()).toMatchObject({ status: 13, hasCancellationMessage: true });
    const again = portal.as(admin, decideSms, { answerId: asked!.id, isCancellation: "false" });
    await expect(again).rejects.toMatchObject({ name: "conflict" });

    nextNumber();
    const other = await aPatient({ day: "04-12-2026" });
    await answer("aflys ikke");
    const [another] = await incoming(other);
    await portal.as(admin, decideSms, { answerId: another!.id, isCancellation: "false" });
    expect(await rowOf(other)).toMatchObject({ status: 6, cancellationDate: null });
    expect(await queues()).toMatchObject({ possibly: 0 });
  });

  test("a decision is undone: 'Nej' waits again, 'Ja' gives the time back", async () => {
    await answer("Jeg kan ikke komme");
    const [asked] = await incoming();
    const listed = async () => (await portal.as(admin, listSms, { f: POSSIBLY_CANCELLED })).rows;
    const undecided = [{ id: asked!.id, text: "Jeg kan ikke komme" }];
    expect(await listed()).toMatchObject([{ id: referralId, undecided }]);
    const decide = async (isCancellation: string) =>
      (await portal.as(admin, decideSms, { answerId: asked!.id, isCancellation })).flash!.undo!;
    const kept = await decide("false");
    expect(kept).toEqual({ intent: "undoSmsDecision", fields: { answerId: asked!.id } });
    expect(await listed()).toEqual([]);
    await portal.as(admin, undoSmsDecision, kept.fields);
    await expect(portal.as(admin, undoSmsDecision, kept.fields)).rejects.toMatchObject({ name: "conflict" });
    expect(await listed()).toMatchObject([{ id: referralId, undecided }]);
    const cancelled = await decide("true");
    expect(cancelled).toEqual({ intent: "undoCancellation", fields: { referralId } });
    await portal.as(admin, undoCancellation, cancelled.fields);
    expect(await rowOf()).toMatchObject({ status: 6, cancellationDate: null });
  });

  test("an answer that nobody had to decide about is not asked about", async () => {
    await answer("Tak for sidst, skal jeg tage noget med?");
    await portal.as(admin, markSmsRead, { referralId });
    const [read] = await incoming();
    const undo = portal.as(admin, undoSmsDecision, { answerId: read!.id });
    await expect(undo).rejects.toMatchObject({ name: "conflict" });
    expect(await incoming()).toMatchObject([{ state: "settled" }]);
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
      await expect(place({ visitNumber: String(referralId) })).rejects.toMatchObject({
        name: "conflict",
        text: expect.stringContaining(` Det ligger på nr. ${referralId}, `),
      });
      expect(await incoming()).toMatchObject([{ state: "possibly", text: "Afbud" }]);
      expect(await rowOf()).toMatchObject({ status: 6, smsCount: 2 });
      const dismiss = () => portal.as(admin, dismissSms, { answerId: answers[1]!.id });
      await dismiss();
      await expect(dismiss()).rejects.toMatchObject({
        name: "conflict",
        text: "En anden har allerede taget sig af svaret. Det kom fra +4599887766. Det er afvist.",
      });
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

    test("from a former number: placed in its thread, a possible one not carried out", async () => {
      await portal.db
        .updateTable("referral")
        .set({ mobilePhone: "30 30 30 30" })
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
      const reply = { kind: "reply", eventId: "late", from: `+45${number}`, text: "Afbud" };
      await portal.as(SYSTEM, receiveSmsEvent, reply);
      portal.clock.advance({ hours: 6 });
      await placeAnswers(portal, caller);
      expect(await incoming()).toMatchObject([{ state: "possibly" }]);
      expect((await rowOf()).status).toBe(6);
    });

    test("a closed referral of the number is not asked about", async () => {
      const closed = await aPatient({ day: "02-12-2026", firstName: "Emma" });
      await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", closed).execute();
      await answer("Tak for det");
      expect(await incoming()).toMatchObject([{ text: "Tak for det" }]);
      await portal.db.deleteFrom("outbox").execute();
      await portal.as(admin, sendSmsWithoutCancellation, { referralId });
      await answer("Afbud");
      expect(await queues()).toMatchObject({ unplaced: 1 });
    });

    test("a reminder whose button is pressed twice is sent once, and answered alike", async () => {
      await portal.db.deleteFrom("outbox").execute();
      const press = (formNonce: string) => portal.as(admin, sendSmsWithoutCancellation, { referralId }, { formNonce });
      const first = await press("one page");
      expect(first.flash?.text).toBe("SMS er sat i kø.");
      expect(await press("one page")).toEqual(first);
      expect(await portal.db.selectFrom("outbox").select("id").execute()).toHaveLength(1);
    });

    test("an answer whose question is answered twice by one press is settled once", async () => {
      await answer("Kan ikke komme");
      await portal.db.updateTable("incomingSms").set({ state: "possibly" }).execute();
      const answerId = (await incoming())[0]!.id;
      const press = () => portal.as(admin, decideSms, { answerId, isCancellation: "false" }, { formNonce: "one page" });
      expect(await press()).toEqual(await press());
    });

    test("a message in the wrong thread is moved back to the unplaced ones", async () => {
      await answer("Ring til mig");
      expect(await queues()).toMatchObject({ unread: 1 });
      const [message] = await incoming();
      await portal.as(admin, unplaceSms, { answerId: message!.id });
      expect(await queues()).toEqual({ unplaced: 1, possibly: 0, unread: 0 });
      expect((await rowOf()).smsCount).toBe(1);
    });
  });

  test("STOP ends reminders to the number, nothing else; staff lift it", async () => {
    const e164 = `+45${number}`;
    await answer(" Stop ");
    expect(await isStopped(portal.db, portal.secrets, e164)).toBe(true);
    expect((await thread()).stoppedSince).toBe("2026-12-01T09:01:00.000Z");
    expect(await queues()).toEqual({ unplaced: 0, possibly: 0, unread: 0 });
    await portal.as(admin, replySms, {
      referralId,
      formKey: "stop",
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
      [markSmsRead, { referralId }],
      [unplaceSms, { answerId: message!.id }],
    ] as const)
      await expect(portal.as(dentist, operation as typeof markSmsRead, input as never)).rejects.toMatchObject({
        name: "notAllowed",
      });
  });
});

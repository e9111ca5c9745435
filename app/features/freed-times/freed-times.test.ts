import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { type ChangeContext, execute, plainInput } from "~/access/operation.server";
import { patientCaller } from "~/access/patient-links.server";
import {
  acceptOfferedTime,
  cancelAppointment,
  confirmAppointment,
  declineOfferedTime,
} from "~/features/appointment-answers/answer-appointment.server";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { downloadCalendar, readAppointment } from "~/features/appointment-answers/open-appointment.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { lockSentReferral } from "~/features/referrals/store/treatment-store.server";
import { queueReminder } from "~/features/reminders/send-due-reminders.server";
import { aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { withinChange } from "../../../tests/support/within-change";
import { listFreedTimes } from "./list-freed-times.server";
import { offerTime, removeFreedTime, withdrawOffer } from "./offer-time.server";

const SYSTEM = { kind: "system", job: "test" } as const;

forEachDatabase("freed times", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let cancelled: number;
  let waiting: number[];

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T08:00:00.000Z");
    for (const table of ["outbox", "freedTime", "timeOffer", "accessToken"] as const)
      await portal.db.deleteFrom(table).execute();
    await portal.db.updateTable("referral").set({ status: 7, operationDate: null }).execute();
    cancelled = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56", firstName: "Ane" });
    waiting = [];
    for (const [index, status] of [12, 3, 15].entries()) {
      portal.clock.advance({ days: 1 });
      const id = await aReferral(portal, dentist, { mobilePhone: `40 22 00 0${index}`, firstName: "Bo" });
      await portal.db.updateTable("referral").set({ status }).where("id", "=", id).execute();
      waiting.push(id);
    }
    await portal.db
      .updateTable("referral")
      .set({
        status: 6,
        operationDate: "2026-12-10",
        operationHour: 10,
        operationMinute: 15,
        operationDuration: 45,
      })
      .where("id", "=", cancelled)
      .execute();
    await within((context) => cancelByPatient(context, { referralId: cancelled, source: "sms" }));
  });
  const within = (work: (context: ChangeContext) => Promise<unknown>) => portal.as(SYSTEM, withinChange(work), {});
  const listed = async () => (await portal.as(admin, listFreedTimes, {})).freedTimes;
  const freedTimeId = async () => (await portal.db.selectFrom("freedTime").select("id").executeTakeFirstOrThrow()).id;
  const offer = async (referralId: number, who = admin) =>
    portal.as(who, offerTime, { freedTimeId: await freedTimeId(), referralId });
  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  async function tokenTo(referralId: number) {
    const row = await portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("referralId", "=", referralId)
      .where("kind", "in", ["timeOffer", "appointmentReminder"])
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    return /tk=([\w-]{22})/.exec(unsealMessage(portal.secrets, row).content!)![1]!;
  }
  const patient = (token: string) =>
    patientCaller(portal, { token, purpose: "appointmentAnswer" }, { site: "public", address: "203.0.113.8" });
  const answer = async (operation: typeof acceptOfferedTime, token: string, more = {}) =>
    execute(portal, await patient(token), operation, plainInput({ token, ...more }));
  const page = async (token: string) => execute(portal, await patient(token), readAppointment);

  test("lists the patients waiting for the same treatment, oldest first", async () => {
    const [time] = await listed();
    expect(time).toMatchObject({
      moment: "2026-12-10 10:15",
      durationMinutes: 45,
      offer: null,
    });
    expect(time!.waiting.map(({ referralId }) => referralId)).toEqual(waiting);
    portal.clock.set("2026-12-10T09:15:00.000Z");
    expect(await listed()).toEqual([]);
  });

  test("accepting an offer sets date and time, and removes the time from the list", async () => {
    const [first] = waiting as [number];
    await offer(first);
    expect((await listed())[0]).toMatchObject({ offer: { referralId: first } });
    const token = await tokenTo(first);
    expect(await page(token)).toMatchObject({
      offer: { outcome: "open" },
      moment: "2026-12-10 10:15",
      firstName: "Bo",
    });
    await answer(acceptOfferedTime, token);
    await answer(acceptOfferedTime, token);
    expect(await rowOf(first)).toMatchObject({
      operationDate: "2026-12-10",
      operationHour: 10,
      operationMinute: 15,
      operationDuration: 45,
      status: 6,
    });
    expect(await page(token)).toMatchObject({ offer: null, answer: "confirmed" });
    expect(await listed()).toEqual([]);
    await expect(offer(waiting[1]!)).rejects.toMatchObject({ name: "conflict" });
  });

  test("a time has one open offer, also for simultaneous requests", async () => {
    const results = await Promise.allSettled(waiting.map((id) => offer(id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await portal.db.selectFrom("timeOffer").select("id").execute()).toHaveLength(1);
    expect(await portal.db.selectFrom("outbox").select("id").where("kind", "=", "timeOffer").execute()).toHaveLength(1);
  });

  test("of an acceptance and an undo at once, one gets the time and one a refusal", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [first] = waiting as [number];
      await within(async (context) => {
        await context.tx
          .updateTable("referral")
          .set({ cancellationDate: null, status: 6 })
          .where("id", "=", cancelled)
          .execute();
        await queueReminder(context, (await lockSentReferral(context.tx, cancelled))!, { withCancellation: true });
      });
      const own = await tokenTo(cancelled);
      await portal.db.deleteFrom("timeOffer").execute();
      await portal.db.deleteFrom("freedTime").execute();
      await portal.db.updateTable("referral").set({ status: 3, operationDate: null }).where("id", "=", first).execute();
      await answer(cancelAppointment, own, { word: "Syg" });
      await offer(first);
      const token = await tokenTo(first);
      if (round % 2 === 1) portal.clock.advance({ hours: 30 });
      await Promise.all([answer(acceptOfferedTime, token), answer(confirmAppointment, own)]);
      const [mine, theirs] = [await rowOf(cancelled), await rowOf(first)];
      const iCome = mine.cancellationDate === null;
      const theyCome = theirs.operationDate === "2026-12-10";
      expect([iCome, theyCome]).toEqual(round % 2 === 1 ? [true, false] : [false, true]);
      if (theyCome) expect(await page(own)).toMatchObject({ answer: "cancelled", canComeAfterAll: false });
      else expect(await page(token)).toMatchObject({ offer: { outcome: "expired" } });
    }
  });

  test("an offer ends by deadline, no, staff or status; then the time is free again", async () => {
    const [first, second, third] = waiting as [number, number, number];
    await offer(first);
    const late = await tokenTo(first);
    portal.clock.set("2026-12-05T12:00:00.000Z");
    await answer(acceptOfferedTime, late);
    expect((await rowOf(first)).operationDate).toBeNull();
    expect(await page(late)).toMatchObject({ offer: { outcome: "expired" } });
    expect((await listed())[0]).toMatchObject({ refused: [{ referralId: first, outcome: "expired" }] });
    await portal.audit.flush();
    const lastRead = portal.db
      .selectFrom("auditEvent")
      .select((eb) => eb.fn.max("id").as("id"))
      .where("operation", "=", "listFreedTimes");
    const names = await portal.db
      .selectFrom("auditReferral")
      .select("referralId")
      .where("auditEventId", "=", lastRead)
      .execute();
    expect(names.map(({ referralId: id }) => id)).toContain(first);
    await offer(second);
    await answer(declineOfferedTime, await tokenTo(second));
    expect((await listed())[0]!.waiting.map(({ referralId }) => referralId)).toEqual([third]);
    await offer(third);
    await portal.as(admin, withdrawOffer, { freedTimeId: await freedTimeId() });
    await answer(acceptOfferedTime, await tokenTo(third));
    expect((await rowOf(third)).operationDate).toBeNull();
    await offer(third);
    await portal.db.updateTable("referral").set({ status: 8 }).where("id", "=", third).execute();
    await expect(answer(acceptOfferedTime, await tokenTo(third))).resolves.toBeDefined();
    expect((await rowOf(third)).operationDate).toBeNull();
    await portal.as(admin, removeFreedTime, { freedTimeId: await freedTimeId() });
    expect(await listed()).toEqual([]);
  });

  test("a time that another patient was given by hand is not free", async () => {
    const surgeon = await aPerson(portal, { role: "Surgeon" });
    await portal.db.updateTable("freedTime").set({ surgeonId: surgeon.id }).execute();
    await offer(waiting[0]!);
    await portal.db
      .updateTable("referral")
      .set({
        operationDate: "2026-12-10",
        operationHour: 10,
        operationMinute: 15,
        surgeonId: surgeon.id,
        status: 6,
      })
      .where("id", "=", waiting[2]!)
      .execute();
    await answer(acceptOfferedTime, await tokenTo(waiting[0]!));
    expect((await rowOf(waiting[0]!)).operationDate).toBeNull();
    expect(await listed()).toEqual([]);
    await expect(offer(waiting[1]!)).rejects.toMatchObject({ name: "conflict" });
  });

  test("the link expires when its appointment is moved", async () => {
    await portal.db
      .updateTable("referral")
      .set({ cancellationDate: null, status: 6 })
      .where("id", "=", cancelled)
      .execute();
    await within(async (context) =>
      queueReminder(context, (await lockSentReferral(context.tx, cancelled))!, { withCancellation: true }),
    );
    const token = await tokenTo(cancelled);
    const calendar = await execute(portal, await patient(token), downloadCalendar);
    const parts: Buffer[] = [];
    for await (const part of calendar.open()) parts.push(Buffer.from(part as string));
    const ics = Buffer.concat(parts).toString();
    expect(ics).toContain("\r\nDTSTART:20261210T091500Z\r\nDTEND:20261210T100000Z\r\n");
    expect(ics).not.toMatch(/fjernelse|Møller/);
    for (const line of ics.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    await portal.db.updateTable("referral").set({ operationHour: 11 }).where("id", "=", cancelled).execute();
    await expect(page(token)).rejects.toMatchObject({ name: "linkExpired" });
    await answer(confirmAppointment, token);
    expect((await rowOf(cancelled)).confirmedAt).toBeNull();
    portal.clock.set("2026-12-11T00:00:00.000Z");
    await expect(patient(token)).rejects.toMatchObject({ name: "linkExpired" });
  });

  test("a patient with an open offer is offered no other time", async () => {
    await offer(waiting[0]!);
    const row = await portal.db.selectFrom("freedTime").selectAll().executeTakeFirstOrThrow();
    const { id: _id, ...other } = { ...row, operationMoment: "2026-12-11 10:15" };
    await portal.db.insertInto("freedTime").values(other).execute();
    const second = (await listed()).find(({ moment }) => moment === "2026-12-11 10:15")!;
    expect(second.waiting.map(({ referralId }) => referralId)).toEqual(waiting.slice(1));
    const again = portal.as(admin, offerTime, { freedTimeId: second.id, referralId: waiting[0]! });
    await expect(again).rejects.toMatchObject({ name: "conflict" });
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { toMoment } from "~/text/dates";
import { recordStatements } from "../../../tests/support/record-statements";
import { smsThreadsPortal } from "../../../tests/support/portals/sms-threads-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { listSms } from "./sms-list.server";
import { replySms } from "./operations.server";

forEachDatabase("threads of SMS", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const { nextNumber, aPatient, answer } = smsThreadsPortal(dialect, (begun) => {
    ({ portal, admin, referralId } = begun);
  });

  describe("the list", () => {
    const list = async (input: object = {}) =>
      (await portal.as(admin, listSms, { f: null, ...input })).rows.map(({ id }) => id);

    beforeEach(async () => {
      await portal.db.updateTable("referral").set({ status: -1 }).where("id", "<>", referralId).execute();
    });

    test("shows today's and later appointments with a thread, next first", async () => {
      nextNumber();
      const sooner = await aPatient({ day: "02-12-2026" });
      nextNumber();
      const without = await aPatient({ day: null });
      expect(await list()).toEqual([sooner, referralId]);
      portal.clock.set("2026-12-03T22:30:00.000Z");
      expect(await list()).toEqual([referralId]);
      expect(await list({ filter: {} })).toEqual([sooner, referralId]);
      await portal.as(admin, replySms, {
        referralId: without,
        formKey: "hej",
        kind: "smsReply",
        text: "Hej",
      });
      expect(await list({ filter: {} })).toEqual([without, sooner, referralId]);
    });

    test("with threads each row has its own messages, and no row costs a question", async () => {
      nextNumber();
      const other = await aPatient({ day: "02-12-2026" });
      await answer("Må jeg komme senere?");
      const { db, recorded } = recordStatements(portal.db);
      const recording: TestPortal = { ...portal, db };
      const asked = async () => {
        recorded.length = 0;
        const { rows } = await recording.as(admin, listSms, { f: null, withThreads: true });
        return { rows, statements: recorded.length };
      };
      const two = await asked();
      const texts = (id: number) =>
        two.rows.find((row) => row.id === id)!.messages!.map(({ isIncoming, text }) => [isIncoming, text]);
      expect(texts(other).at(-1)).toEqual([true, "Må jeg komme senere?"]);
      expect(texts(referralId).map(([isIncoming]) => isIncoming)).toEqual([false]);
      for (let more = 0; more < 5; more += 1) {
        nextNumber();
        await aPatient({ day: "02-12-2026" });
      }
      const seven = await asked();
      expect([seven.rows.length, seven.statements]).toEqual([7, two.statements]);
    });

    test("counts cancellations today and answers for tomorrow, each with its filter", async () => {
      const onDay = async (day: string) => {
        nextNumber();
        return aPatient({ day });
      };
      const cancelled = await onDay("02-12-2026");
      await answer("Afbud");
      const confirmed = await onDay("02-12-2026");
      await portal.db
        .updateTable("referral")
        .set({ confirmedAt: toMoment(portal.clock.now()) })
        .where("id", "=", confirmed)
        .execute();
      const unanswered = await onDay("02-12-2026");
      const left = { closed: await onDay("02-12-2026"), test: await onDay("02-12-2026") };
      const change = (id: number, to: object) =>
        portal.db.updateTable("referral").set(to).where("id", "=", id).execute();
      await change(left.closed, { status: 7 });
      await change(left.test, { isTest: true });
      await change(await onDay("02-12-2026"), { status: 8, confirmedAt: toMoment(portal.clock.now()) });
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

    test("sorts by patient, time, cancellation; filters by name, day, number, CPR", async () => {
      nextNumber();
      const other = await aPatient({ day: "02-12-2026", firstName: "Aage" });
      await answer("Afbud");
      nextNumber();
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

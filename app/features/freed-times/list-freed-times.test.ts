import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { toMoment } from "~/text/dates";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { recordStatements } from "../../../tests/support/record-statements";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { listFreedTimes } from "./list-freed-times.server";

forEachDatabase("the list of freed times", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let surgeon: Person;
  let types: [number, number];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    portal.clock.set("2026-12-01T08:00:00.000Z");
    admin = await aPerson(portal, { role: "Admin" });
    surgeon = await aPerson(portal, { role: "Surgeon" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    types = [await treatmentType("Implantat"), await treatmentType("Udtagning")];
  });
  afterAll(() => portal.close());

  async function treatmentType(name: string): Promise<number> {
    const { insertId } = await portal.db
      .insertInto("treatmentType")
      .values({
        name,
        nameSort: name,
        externalAppointmentIds: "",
        patientRecommendationLink: null,
        deletedAt: null,
      })
      .executeTakeFirstOrThrow();
    return Number(insertId);
  }

  let minutes = 0;
  async function waitingFor(treatmentTypeId: number | null): Promise<number> {
    portal.clock.advance({ minutes: (minutes += 1) });
    const id = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
    await portal.db.updateTable("referral").set({ status: 3, treatmentTypeId }).where("id", "=", id).execute();
    return id;
  }

  async function freedTime(referralId: number, treatmentTypeId: number | null, moment: string): Promise<number> {
    const { insertId } = await portal.db
      .insertInto("freedTime")
      .values({
        referralId,
        operationMoment: moment,
        durationMinutes: 30,
        treatmentTypeId,
        surgeonId: surgeon.id,
        freedAt: toMoment(portal.clock.now()),
        closedAt: null,
        closedBecause: null,
        takenBy: null,
      })
      .executeTakeFirstOrThrow();
    return Number(insertId);
  }

  const declined = (freedTimeId: number, referralId: number) =>
    portal.db
      .insertInto("timeOffer")
      .values({
        freedTimeId,
        openFreedTimeId: null,
        referralId,
        outboxId: null,
        offeredBy: admin.id,
        offeredAt: toMoment(portal.clock.now()),
        expiresAt: toMoment(portal.clock.now()),
        outcome: "declined",
        settledAt: null,
      })
      .execute();

  test("shows who waits for each time, with as many statements for twelve as for one", async () => {
    const [first, second] = types;
    const ofFirst: number[] = [];
    for (let count = 0; count < 7; count += 1) ofFirst.push(await waitingFor(first));
    const ofSecond = [await waitingFor(second)];
    const ofNone = [await waitingFor(null), await waitingFor(null)];
    const { db, recorded } = recordStatements(portal.db);
    const recording: TestPortal = { ...portal, db };
    const listed = async () => {
      recorded.length = 0;
      const { freedTimes } = await recording.as(admin, listFreedTimes, {});
      const shown = freedTimes.map(({ moment, waiting, waitingCount }) => ({
        moment,
        waiting: waiting.map(({ referralId }) => referralId),
        waitingCount,
      }));
      return { shown, statements: recorded.length };
    };

    const one = await freedTime(ofFirst[0]!, first, "2026-12-10 08:00");
    await declined(one, ofFirst[2]!);
    const before = await listed();
    expect(before.shown).toEqual([
      { moment: "2026-12-10 08:00", waiting: [1, 3, 4, 5].map((index) => ofFirst[index]), waitingCount: 5 },
    ]);

    await freedTime(ofSecond[0]!, first, "2026-12-10 09:00");
    await freedTime(ofSecond[0]!, second, "2026-12-10 10:00");
    await freedTime(ofNone[0]!, null, "2026-12-10 11:00");
    for (let day = 11; day < 19; day += 1) await freedTime(ofNone[0]!, second, `2026-12-${day} 08:00`);
    await freedTime(ofNone[0]!, second, "2026-12-20 08:00");
    const booked = await waitingFor(first);
    await portal.db
      .updateTable("referral")
      .set({
        status: 6,
        operationDate: "2026-12-20",
        operationHour: 8,
        operationMinute: 0,
        surgeonId: surgeon.id,
      })
      .where("id", "=", booked)
      .execute();

    const { shown, statements } = await listed();
    expect(shown).toHaveLength(12);
    expect(shown.slice(0, 5)).toEqual([
      before.shown[0],
      { moment: "2026-12-10 09:00", waiting: ofFirst.slice(0, 4), waitingCount: 7 },
      { moment: "2026-12-10 10:00", waiting: [], waitingCount: 0 },
      { moment: "2026-12-10 11:00", waiting: ofNone.slice(1), waitingCount: 1 },
      { moment: "2026-12-11 08:00", waiting: ofSecond, waitingCount: 1 },
    ]);
    expect(shown.map(({ moment }) => moment)).not.toContain("2026-12-20 08:00");
    expect(statements).toBe(before.statements);
  });
});

import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { aReferral } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { downloadCalendar } from "./open-appointment.server";

forEachDatabase("the appointment in the patient's calendar", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  async function timeIs(referralId: number, day: string, hour: string) {
    const { version: seenVersion } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, editPlan, {
      referralId,
      seenVersion,
      operationDate: day,
      operationTimeHours: hour,
      operationTimeMinutes: "15",
    });
  }
  async function entryOf(referralId: number, operationMoment: string) {
    const patient = {
      kind: "patientToken",
      referralId,
      purpose: "appointmentAnswer",
      letterNumber: null,
      operationMoment,
    } as const;
    const file = await portal.as(patient, downloadCalendar, {});
    const ics = await text(file.open());
    const field = (name: string) => new RegExp(`^${name}:(.*)\r$`, "m").exec(ics)?.[1];
    return { uid: field("UID")!, sequence: Number(field("SEQUENCE")), start: field("DTSTART") };
  }

  test("a moved time is the same calendar entry with a higher sequence", async () => {
    const referralId = await aReferral(portal, dentist);
    await timeIs(referralId, "10.12.2026", "10");
    const first = await entryOf(referralId, "2026-12-10 10:15");
    expect(await entryOf(referralId, "2026-12-10 10:15")).toEqual(first);
    await timeIs(referralId, "11.12.2026", "12");
    const moved = await entryOf(referralId, "2026-12-11 12:15");
    expect(moved).toMatchObject({ uid: first.uid, start: "20261211T111500Z" });
    expect(moved.sequence).toBeGreaterThan(first.sequence);
    const other = await aReferral(portal, dentist);
    await timeIs(other, "10.12.2026", "10");
    expect((await entryOf(other, "2026-12-10 10:15")).uid).not.toBe(first.uid);
  });
});

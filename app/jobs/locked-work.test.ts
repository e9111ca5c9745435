import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { startImport } from "~/features/appointments/operations.server";
import { receiveSmsEvent } from "~/features/delivery/receive-reports.server";
import { placeAnswers } from "~/features/sms-threads/place-answer.server";
import { aReferral } from "../../tests/factories/referrals";
import { appointmentsPortal, head, lineOf } from "../../tests/support/portals/appointments-portal";
import { caller, smsThreadsPortal, SYSTEM } from "../../tests/support/portals/sms-threads-portal";
import type { TestPortal } from "../../tests/support/test-portal";
import { whileReferralIsLocked } from "../../tests/support/write-lock";
import { jobs } from "./jobs.server";

describe("work that meets a referral another transaction holds, on MariaDB", () => {
  describe("an import of appointment times", () => {
    let portal: TestPortal;
    let admin: Person;
    let dentist: Person;
    const { upload, read, shown } = appointmentsPortal("mariadb", (begun) => {
      ({ portal, admin, dentist } = begun);
    });

    test("is left to the next run, which imports it, and is not marked as failed", async () => {
      const referralId = await aReferral(portal, dentist, { cpr6: "610181", cpr4: "4001" });
      const file = await upload(`${head}\n${lineOf("610181-4001", "17.12.2026")}`);
      await portal.as(admin, startImport, { fileId: file });
      await whileReferralIsLocked(portal, referralId, () => jobs.importAppointments.run(portal));
      expect(await read(file)).toMatchObject({ isFailed: false, isImporting: true, rowsDone: 0 });
      await jobs.importAppointments.run(portal);
      expect(await read(file)).toMatchObject({ isFailed: false, isImporting: false, rowsDone: 1 });
      expect(await shown(file)).toEqual(["Tid importeret"]);
    });
  });

  describe("a patient's answer by SMS", () => {
    let portal: TestPortal;
    let referralId: number;
    let number: string;
    const { rowOf, incoming } = smsThreadsPortal("mariadb", (begun) => {
      ({ portal, referralId, number } = begun);
    });

    test("is left to the next run, which reads it, and is not handed to a person", async () => {
      await portal.as(SYSTEM, receiveSmsEvent, { kind: "reply", eventId: "e", from: `+45${number}`, text: "afbud" });
      await whileReferralIsLocked(portal, referralId, () => placeAnswers(portal, caller));
      expect(await incoming()).toEqual([]);
      await placeAnswers(portal, caller);
      expect(await incoming()).toMatchObject([{ isCancellation: true, state: "settled" }]);
      expect((await rowOf()).status).toBe(13);
    });
  });
});

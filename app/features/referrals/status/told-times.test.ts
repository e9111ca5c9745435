import { beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { cancelByPatient, undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { sendAppointmentLetter } from "~/features/appointment-letters/operations.server";
import { callUpByPhone } from "~/features/call-ups/send-call-up.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { followOutcome } from "~/features/delivery/settle-messages.server";
import { settledMessageOf } from "~/features/delivery/port";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { readQueues } from "~/features/referrals/list/read-queues.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { CALLED_UP, IN_TREATMENT, NEEDS_NEW_TIME, TRIAGED, TU } from "~/features/referrals/model/statuses";
import { saveReminderSettings } from "~/features/reminders/reminder-settings.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { aReferral, type ReferralChanges } from "../../../../tests/factories/referrals";
import { appointmentsPortal, head, lineOf, SYSTEM } from "../../../../tests/support/portals/appointments-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { withinChange } from "../../../../tests/support/within-change";
import { confirmToldTime } from "./told-times.server";

const EBOKS = 2;
let patients = 4000;

forEachDatabase("the time that a patient was told", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let cpr4: string;
  const { upload, importAll } = appointmentsPortal(dialect, (begun) => void ({ portal, admin, dentist } = begun));

  beforeEach(async () => {
    portal.clock.set("2026-11-30T09:00:00.000Z");
    patients += 1;
    cpr4 = String(patients);
    referralId = await aReferral(portal, dentist, { cpr6: "610181", cpr4, mobilePhone: "40 12 34 56" });
    await set({ status: IN_TREATMENT, operationDate: "2026-12-02", operationHour: 8, operationMinute: 15 });
  });

  const set = (columns: ReferralChanges) =>
    portal.db.updateTable("referral").set(columns).where("id", "=", referralId).execute();
  const rowOf = () =>
    portal.db
      .selectFrom("referral")
      .select(["status", "tellUntil", "operationDate"])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
  const tellUntil = async () => (await rowOf()).tellUntil;
  async function letterLeaves() {
    await portal.as(admin, sendAppointmentLetter, { referralId, appointmentType: EBOKS });
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "eboks" });
  }
  async function moveTo(operationDate: string) {
    const { version: seenVersion } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    const time = { operationDate, operationTimeHours: "10", operationTimeMinutes: "15" };
    await portal.as(admin, editPlan, { referralId, seenVersion, ...time });
  }
  const cancel = () =>
    portal.as(
      SYSTEM,
      withinChange((context) => cancelByPatient(context, { referralId, source: "sms" })),
      {},
    );
  const inQueue = async () => {
    portal.cache.invalidate("queues of");
    const queue = (await readQueues(portal, admin, portal.clock.now())).find(({ kind }) => kind === "toTell");
    if (queue === undefined) return [];
    const list = await portal.as(admin, listReferrals, { f: queue.f, sort: queue.sort });
    return "redirectTo" in list ? [] : list.rows.map(({ id, isToBeTold }) => [id, isToBeTold]);
  };
  const importLines = async (...lines: string[]) => importAll(await upload(`${head}\n${lines.join("")}`));
  const line = (day: string, status = "") => lineOf(`610181-${cpr4}`, day, status);

  test("a moved time waits in the queue until a message with the new one has left", async () => {
    await letterLeaves();
    expect(await inQueue()).not.toContainEqual([referralId, true]);
    await moveTo("09.12.2026");
    expect(await inQueue()).toContainEqual([referralId, true]);
    expect((await portal.as(admin, readOpenReferral, { referralId })).toTell).toMatchObject({
      told: { moment: "2026-12-02 08:15", how: "eboks" },
      planned: "2026-12-09 10:15",
    });
    expect((await portal.as(dentist, readOpenReferral, { referralId })).toTell).toBeNull();
    await letterLeaves();
    expect(await inQueue()).not.toContainEqual([referralId, true]);
  });

  test("a message that fails afterwards has told nothing", async () => {
    await letterLeaves();
    await moveTo("09.12.2026");
    await letterLeaves();
    const row = await portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("referralId", "=", referralId)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    await portal.as(
      SYSTEM,
      withinChange(({ tx, now }) =>
        followOutcome(tx, portal, settledMessageOf(row), { outcome: "failed", code: 9, detail: "Kom retur" }, now),
      ),
      {},
    );
    expect(await tellUntil()).toBe("2026-12-09");
  });

  test("'Patienten ved det' takes it out; pressed again it refuses", async () => {
    await letterLeaves();
    await moveTo("09.12.2026");
    const { flash } = await portal.as(admin, confirmToldTime, { referralId });
    expect(flash!.text).toBe("Patienten ved, at tiden er 09.12.2026 kl. 10.15.");
    expect(await tellUntil()).toBeNull();
    await expect(portal.as(admin, confirmToldTime, { referralId })).rejects.toMatchObject({ name: "conflict" });
    await moveTo("10.12.2026");
    expect(await tellUntil()).toBe("2026-12-10");
  });

  test("a time that a file cancels is to be told, and sets 'Skal kontaktes for ny tid'", async () => {
    await set({ operationDate: null, operationHour: null, operationMinute: null });
    await importLines(line("03.12.2026"));
    await letterLeaves();
    await importLines(line("03.12.2026", "aflyst"));
    expect(await rowOf()).toMatchObject({ status: NEEDS_NEW_TIME, tellUntil: "2026-12-03", operationDate: null });
    const { flash } = await portal.as(admin, confirmToldTime, { referralId });
    expect(flash!.text).toBe("Patienten ved, at tiden er aflyst.");
    await importLines(line("08.12.2026"));
    expect(await rowOf()).toMatchObject({ status: NEEDS_NEW_TIME, tellUntil: "2026-12-08" });
  });

  test.each([
    [CALLED_UP, NEEDS_NEW_TIME],
    [TRIAGED, TRIAGED],
    [TU, TU],
  ])("a file that cancels the only time makes status %i %i", async (status, after) => {
    await set({ operationDate: null, operationHour: null, operationMinute: null });
    await importLines(line("03.12.2026"));
    await set({ status });
    await importLines(line("03.12.2026", "aflyst"));
    expect(await rowOf()).toMatchObject({ status: after });
  });

  test("a file that cancels one of two times leaves the status", async () => {
    await importLines(line("03.12.2026"), line("10.12.2026"));
    await importLines(line("03.12.2026", "aflyst"));
    expect(await rowOf()).toMatchObject({ status: IN_TREATMENT, operationDate: "2026-12-10" });
  });

  test("a clinic that tells of imported times itself has no such work", async () => {
    const off = { isOn: "", skipsHolidays: "", quietFrom: "20", quietTo: "8", hour1: "10", hour2: "10", hour3: "10" };
    await portal.as(admin, saveReminderSettings, { ...off, tellsImportedTimes: "on" });
    await importLines(line("03.12.2026"));
    await importLines(line("03.12.2026", "aflyst"), line("04.12.2026"));
    expect(await tellUntil()).toBeNull();
    await portal.as(admin, saveReminderSettings, off);
    await importLines(line("04.12.2026", "aflyst"), line("07.12.2026"));
    expect(await tellUntil()).toBe("2026-12-07");
  });

  test("a patient who cancelled is to be told a new time, unless given by phone", async () => {
    await cancel();
    expect(await tellUntil()).toBeNull();
    await moveTo("09.12.2026");
    expect(await tellUntil()).toBe("2026-12-09");
    await portal.as(admin, callUpByPhone, { referralId, patientMobilePhone: "40 12 34 56" });
    expect(await tellUntil()).toBeNull();
  });

  test("a cancellation that is undone before its answer left has told nothing", async () => {
    await letterLeaves();
    await cancel();
    await portal.as(admin, undoCancellation, { referralId, to: "/management/sms" });
    expect(await tellUntil()).toBeNull();
    await cancel();
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).where("kind", "=", "reminderReply").execute();
    await portal.as(admin, undoCancellation, { referralId, to: "/management/sms" });
    expect(await tellUntil()).toBe("2026-12-02");
  });

  test("what was told before this was kept makes no work", async () => {
    await moveTo("09.12.2026");
    expect(await tellUntil()).toBeNull();
  });
});

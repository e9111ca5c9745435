import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendMessage } from "~/features/delivery/send-message.server";
import { resendFailure } from "~/features/logs/handle-failure.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { aReferral, type ReferralChanges } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { sendAppointmentLetter } from "./operations.server";

const EMAIL = 0;
const EBOKS = 2;

forEachDatabase("letters with the patient's time", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("outbox").execute();
    referralId = await aReferral(portal, dentist);
    await change({ operationDate: "2026-12-10", operationHour: 10, operationMinute: 15 });
  });

  const change = (columns: ReferralChanges) =>
    portal.db.updateTable("referral").set(columns).where("id", "=", referralId).execute();
  const send = (appointmentType: number) => portal.as(admin, sendAppointmentLetter, { referralId, appointmentType });
  const letters = async () => (await portal.as(admin, readReferral, { referralId })).sections.appointmentLetters;

  test("writes day and hour in words, and shows the state of its outbox row", async () => {
    await send(EBOKS);
    expect(await letters()).toMatchObject([{ type: EBOKS, status: 0, sentAt: null }]);
    await portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel: "eboks" });
    const [letter] = await letters();
    expect(letter).toMatchObject({ type: EBOKS, status: 3 });
    expect(letter!.content).toContain("torsdag den 10. december 2026 kl. 10.15");
  });

  test("without an e-mail: 'Udfyld venligst E-mail-feltet.'", async () => {
    await expect(send(EMAIL)).rejects.toMatchObject({ name: "emailMissing" });
    expect(await letters()).toEqual([]);
  });

  test("refuses an e-mail address that belongs to another patient", async () => {
    await aReferral(portal, dentist, { email: "en.anden@eksempel.dk", emailConfirm: "en.anden@eksempel.dk" });
    await change({ email: "en.anden@eksempel.dk", emailNorm: "en.anden@eksempel.dk" });
    await expect(send(EMAIL)).rejects.toMatchObject({ name: "patientEmailTaken" });
  });

  test("names the missing date or hour", async () => {
    await change({ operationHour: null });
    await expect(send(EBOKS)).rejects.toMatchObject({
      name: "invalid",
      text: "Mangler til teksten: klokkeslættet for behandlingen.",
    });
    const [way] = (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.appointmentWays;
    expect(way!.missing).toEqual(["klokkeslæt"]);
  });

  test("a failed letter is sent once through another channel from the list of failures", async () => {
    await change({ email: "aase@eksempel.dk" });
    await send(EBOKS);
    const system = { kind: "system", job: "test" } as const;
    const eboks = {
      label: "",
      mode: "live" as const,
      deduplicates: true,
      send: async () => ({ outcome: "refused" as const, detail: "Modtager ikke aktiv i eboks", code: 4 }),
    };
    const on: TestPortal = { ...portal, eboks };
    await on.as(system, sendMessage, { owner: "a", channel: "eboks" });
    const { id: messageId } = await portal.db.selectFrom("outbox").select("id").executeTakeFirstOrThrow();
    await portal.as(admin, resendFailure, { messageId, channel: "email" });
    expect((await letters()).map(({ type, status }) => [type, status])).toEqual([
      [EMAIL, 0],
      [EBOKS, 4],
    ]);
    await expect(portal.as(admin, resendFailure, { messageId, channel: "email" })).rejects.toMatchObject({
      name: "conflict",
    });
  });

  test("a test referral sends nothing by e-Boks, and its e-mail is marked", async () => {
    await change({ isTest: true, email: "prøve@eksempel.dk" });
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid" });
    const [way] = (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.appointmentWays;
    expect(way!.subject).toBe("TEST: Din tid hos Kæbekirurgisk Klinik");
  });
});

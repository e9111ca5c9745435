import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { aReferral, type ReferralChanges } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { withinChange } from "../../../tests/support/within-change";
import type { AnswerSource } from "./answer-store.server";
import { cancelByPatient, undoCancellation } from "./cancel-by-patient.server";
import { confirmByPatient } from "./answer-appointment.server";

const SYSTEM = { kind: "system", job: "test" } as const;
const DONE = "har sin tid igen.";

forEachDatabase("a cancellation that is undone", { mariadb: "matrix" }, (dialect) => {
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
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56", firstName: "Nancy" });
    await change({ status: 6, operationDate: "2026-12-03", operationHour: 10, operationMinute: 15 });
  });

  const change = (columns: ReferralChanges) =>
    portal.db.updateTable("referral").set(columns).where("id", "=", referralId).execute();
  const cancel = (source: AnswerSource) =>
    portal.as(
      SYSTEM,
      withinChange((context) => cancelByPatient(context, { referralId, source })),
      {},
    );
  const undo = async () => (await portal.as(admin, undoCancellation, { referralId })).flash!;
  const work = () => portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
  const told = async () =>
    (await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "cancellationUndone").execute()).map(
      (row) => `${row.channel} ${(JSON.parse(unsealMessage(portal.secrets, row).content!) as { text: string }).text}`,
    );

  test("who was told by SMS of the cancellation is told by SMS that the time stands", async () => {
    await cancel("sms");
    await work();
    expect(await undo()).toMatchObject({
      tone: "success",
      text: `Afbuddet er fortrudt. Nr. ${referralId} ${DONE} Patienten får besked pr. SMS.`,
    });
    expect(await told()).toEqual([
      expect.stringMatching(/^sms Kære Nancy\. Afbuddet er slettet: .*03\.12\.2026 kl\. 10\.15/),
    ]);
    await work();
    expect(await portal.db.selectFrom("outbox").select("outcome").execute()).toEqual([
      { outcome: "sent" },
      { outcome: "sent" },
    ]);
  });

  test("who cancelled on the page has been told there, also when the SMS was stopped", async () => {
    await cancel("link");
    expect((await undo()).text).toContain("Patienten får besked pr. SMS.");
  });

  test("nothing is sent where the first SMS had not left, or the patient undoes it", async () => {
    await cancel("sms");
    expect((await undo()).text).toBe(`Afbuddet er fortrudt. Nr. ${referralId} ${DONE}`);
    await cancel("link");
    await portal.as(
      SYSTEM,
      withinChange((context) => confirmByPatient(context, { referralId, source: "link" })),
      {},
    );
    expect(await told()).toEqual([]);
  });

  test("without a number the patient is mailed, and without both staff are asked to call", async () => {
    await cancel("link");
    await change({ mobilePhone: null, email: "nancy@eksempel.dk" });
    expect((await undo()).text).toContain("Patienten får besked i en e-mail.");
    await cancel("link");
    await change({ email: null });
    expect(await undo()).toMatchObject({
      tone: "error",
      text: expect.stringContaining("Ring til patienten") as string,
    });
  });

  test("what the patient wrote on the page stands in the SMS thread", async () => {
    const word = "Jeg er syg";
    await portal.as(
      SYSTEM,
      withinChange((context) => cancelByPatient(context, { referralId, source: "link", word })),
      {},
    );
    expect((await portal.as(admin, readOpenReferral, { referralId })).toPatient!.sms).toMatchObject({
      cancellationWord: word,
    });
    await undo();
    expect((await portal.as(admin, readOpenReferral, { referralId })).toPatient!.sms).toMatchObject({
      cancellationWord: null,
    });
  });

  test("a time that has begun is told to nobody", async () => {
    await cancel("link");
    portal.clock.set("2026-12-03T10:00:00.000Z");
    expect((await undo()).text).toBe(`Afbuddet er fortrudt. Nr. ${referralId} ${DONE}`);
    expect(await told()).toEqual([]);
  });
});

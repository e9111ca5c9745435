import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { PersonAnswer } from "~/gateways/person-register/port";
import { aReferral } from "../../../tests/factories/referrals";
import { callUpsPortal, contact } from "../../../tests/support/portals/call-ups-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readAccount } from "~/features/shell/read-shell.server";
import { callUpByPhone, sendAnotherCallUp, withdrawCallUp, updateCallUp } from "./send-call-up.server";

const EMAIL = 0;
const LETTER = 1;
const SMS = 2;
const EBOKS = 3;

forEachDatabase("call-ups", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { rowOf, statusIs, send, work, callUp, withGateway } = callUpsPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId } = begun);
  });
  const log = async () =>
    (
      await portal.db
        .selectFrom("visitLog")
        .select(["event", "status", "logType"])
        .where("referralId", "=", referralId)
        .orderBy("id")
        .execute()
    ).slice(-3);

  const newestMessage = () =>
    portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("kind", "=", "callUp")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();

  function withRegister(answer: PersonAnswer, print: "batch" | "live" = "batch"): TestPortal {
    const on = {
      ...portal,
      personRegister: { label: "", isReal: true, find: async () => answer },
      ...(print === "live"
        ? {
            print: { label: "", mode: "live", deduplicates: true, send: async () => ({ outcome: "sent", detail: "" }) },
          }
        : {}),
    };
    return on as TestPortal;
  }

  test("the poll tells staff when a sending is under way and when it has ended", async () => {
    const news = async (who: Person) =>
      (
        (await portal.as(who, readAccount, { visitId: referralId })) as {
          sendings?: { isUnderWay: boolean; state: string };
        }
      ).sendings;
    const before = await news(admin);
    await send(SMS);
    const queued = await news(admin);
    expect([before?.isUnderWay, queued?.isUnderWay]).toEqual([false, true]);
    await work("sms");
    const ended = await news(admin);
    expect(ended?.isUnderWay).toBe(false);
    expect(new Set([before?.state, queued?.state, ended?.state]).size).toBe(3);
    expect(await news(dentist)).toBeNull();
  });

  test.each([
    [1, 5],
    [2, 5],
    [3, 5],
    [14, 5],
    [11, 5],
    [13, 5],
    [5, 9],
    [9, 9],
    [6, 6],
  ])("a referral in status %i is in status %i once its call-up has been sent", async (before, after) => {
    await statusIs(before);
    await send(SMS);
    expect(await rowOf()).toMatchObject({ status: before, callUpStatus: 1, callUpType: SMS });
    await work("sms");
    expect(await rowOf()).toMatchObject({ status: after, callUpStatus: 3 });
  });

  test("a call-up does not move a referral whose status was changed meanwhile", async () => {
    await send(SMS);
    await statusIs(12);
    await work("sms");
    expect(await rowOf()).toMatchObject({ status: 12, callUpStatus: 3 });
  });

  test("a second call-up is refused while one is queued, also simultaneously", async () => {
    await send(SMS);
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "callUpPlanned" });
    await portal.as(admin, withdrawCallUp, { referralId });
    const both = await Promise.allSettled([send(SMS), send(EBOKS)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { count } = await portal.db
      .selectFrom("outbox")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("outcome", "=", "queued")
      .where("kind", "=", "callUp")
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(1);
  });

  test("a queued call-up is withdrawn and leaves nothing to send", async () => {
    await send(SMS);
    expect(await callUp()).toMatchObject({ isPlanned: true, callUpStatus: 1 });
    await portal.as(admin, withdrawCallUp, { referralId });
    expect(await callUp()).toMatchObject({ isPlanned: false, callUpStatus: null });
    expect((await work("sms")).data).toEqual({ sent: false });
    await expect(portal.as(admin, withdrawCallUp, { referralId })).rejects.toMatchObject({ name: "conflict" });
  });

  test("choosing another channel while e-Boks has not answered asks for confirmation", async () => {
    const on = withGateway("eboks", { outcome: "accepted", detail: "" });
    await send(EBOKS);
    await work("eboks", on);
    expect(await callUp()).toMatchObject({ isPlanned: false, awaitingType: EBOKS, callUpStatus: 1 });
    await expect(send(SMS)).rejects.toMatchObject({
      name: "stillAwaiting",
      text: "e-Boks har ikke svaret endnu. Send også som SMS?",
    });
    await portal.as(admin, sendAnotherCallUp, { referralId, ...contact, incallType: SMS });
    await work("sms");
    expect(await rowOf()).toMatchObject({ status: 5, callUpStatus: 1, callUpType: SMS });
  });

  test("does not offer e-Boks again for a patient without e-Boks", async () => {
    await send(EBOKS);
    await work("eboks", withGateway("eboks", { outcome: "refused", detail: "Modtager ikke aktiv i eboks", code: 4 }));
    expect(await rowOf()).toMatchObject({ status: 3, callUpStatus: 2, patientWithoutEboks: true });
    expect((await callUp()).ways.find(({ type }) => type === EBOKS)!.obstacle).toBe("withoutEboks");
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid", text: "Ikke tilmeldt e-Boks." });
  });

  test.each([
    ["dead", { ...found(), status: "90" }, "failed", 6, "dead"],
    ["emigrated", { ...found(), status: "80" }, "failed", 6, "emigrated"],
    ["unknown to the register", { kind: "notFound" }, "failed", 6, "noSuchCpr"],
    ["protected, by SMS", { kind: "protected" }, "sent", 1, null],
    ["to be asked for again later", { kind: "unavailable", detail: "x" }, "queued", 0, "registerSilent"],
  ] as [string, PersonAnswer, string, number, string | null][])(
    "a patient who is %s",
    async (_name, answer, outcome, code, reason) => {
      await send(SMS);
      await work("sms", withRegister(answer));
      expect(await newestMessage()).toMatchObject({ outcome, code, reason });
    },
  );

  test("no letter goes to a protected address", async () => {
    await send(LETTER);
    await work("print", withRegister({ kind: "protected" }, "live"));
    expect(await newestMessage()).toMatchObject({ outcome: "failed", code: 10 });
    expect(await rowOf()).toMatchObject({ status: 3, callUpStatus: 4 });
  });

  test("sends to the address that the referral has when the message is sent", async () => {
    const sent: string[] = [];
    const on = withGateway("sms", { outcome: "sent", detail: "" }, ({ to }) => sent.push(to));
    await send(SMS);
    await portal.as(admin, updateCallUp, { referralId, ...contact, patientMobilePhone: "50 12 34 56" });
    await work("sms", on);
    expect(sent).toEqual(["+4550123456"]);
    await statusIs(3);
    await send(SMS, { patientMobilePhone: "50 12 34 56" });
    await portal.as(admin, updateCallUp, { referralId, ...contact, patientMobilePhone: undefined });
    await work("sms", on);
    expect(sent).toEqual(["+4550123456"]);
    expect(await newestMessage()).toMatchObject({ outcome: "failed", detail: "Der er intet mobilnummer" });
  });

  test.each([7, 8])("status %i withdraws the queued call-up", async (status) => {
    await send(SMS);
    await statusIs(status);
    await work("sms");
    expect(await newestMessage()).toMatchObject({ outcome: "withdrawn" });
    expect(await rowOf()).toMatchObject({ status });
  });

  test("a call-up by telephone withdraws the queued one and is logged once", async () => {
    await send(SMS);
    for (let press = 0; press < 2; press += 1) await portal.as(admin, callUpByPhone, { referralId, ...contact });
    expect(await rowOf()).toMatchObject({ status: 6 });
    const noted = (await log()).filter(({ event }) => event === "Patienten har fået tid pr. telefon");
    expect(noted).toHaveLength(1);
    expect((await work("sms")).data).toEqual({ sent: false });
  });

  test("refuses another patient's e-mail, and a version that somebody has changed", async () => {
    await aReferral(portal, dentist, { email: "optaget@eksempel.dk", emailConfirm: "optaget@eksempel.dk" });
    await expect(send(EMAIL, { patientEmail: "optaget@eksempel.dk" })).rejects.toMatchObject({
      name: "patientEmailTaken",
      fields: { patientEmail: [expect.stringContaining("en anden patient")] },
    });
    await expect(send(SMS, { patientAddress: "Ny vej 2", seenVersion: 1 })).rejects.toMatchObject({ name: "conflict" });
    expect(await rowOf()).toMatchObject({ address: "Åvej 1", callUpStatus: null });
  });

  test("the preview is the text that is sent, also with a name like a placeholder", async () => {
    await portal.db
      .updateTable("referral")
      .set({ firstName: "((link)) vind.eksempel.dk" })
      .where("id", "=", referralId)
      .execute();
    const sms = (await callUp()).ways.find(({ type }) => type === SMS)!;
    expect(sms.body).toBe(
      "Kære link vind eksempel dk. Ring til Kæbekirurgisk Klinik på 70 00 00 00, så finder vi en tid, der passer dig.",
    );
  });

  test("makes the letter's PDF when it is sent, and the log serves that same file", async () => {
    await send(EBOKS);
    await work("eboks");
    const [entry] = (await callUp()).log;
    expect(entry).toMatchObject({ type: EBOKS, status: 3, hasPdf: true });
  });
});

function found() {
  return {
    kind: "found" as const,
    firstName: "Søren",
    lastName: "Møller",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
  };
}

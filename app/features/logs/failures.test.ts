import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import type { Updateable } from "kysely";
import type { Database } from "~db/schema";
import type { Person } from "~/access/actor";
import { sendAnotherCallUp, sendCallUp } from "~/features/call-ups/send-call-up.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { countOpenFailures, readOpenFailures } from "~/features/delivery/open-failures.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { toMoment } from "~/text/dates";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { correctAndResend } from "./correct-and-resend.server";
import { causeOf } from "~/features/delivery/failure-causes";
import { markFailureHandled, reopenFailure, resendFailure, settleAsArrived } from "./handle-failure.server";
import { listFailures } from "./list-failures.server";

const SMS = 2;
const EBOKS = 3;

describe("why a message failed", () => {
  test.each([
    ["eboks", "failed", 4, null, "Modtager ikke aktiv i eboks"],
    ["print", "failed", 10, null, "Fejl hemmelig adresse"],
    ["print", "failed", 6, "dead", "Patienten er død"],
    ["sms", "failed", 2, "unreachable", "Nummeret kan ikke nås"],
    ["sms", "failed", 2, "loginRefused", "Login blev afvist"],
    ["sms", "failed", 2, "wrongMobilePhone", "Nummeret mangler eller er forkert"],
    ["email", "failed", 9, "noMailbox", "Postkassen findes ikke"],
    ["email", "failed", 9, "mailboxFull", "Postkassen er fuld"],
    ["email", "failed", 9, "noConnection", "Forbindelsen svarede ikke"],
    ["eboks", "failed", 8, "notConfigured", "Ikke indstillet"],
    ["eboks", "unknown", 9, null, "Ukendt: kontrollér hos modtageren"],
    ["archive", "failed", 9, "otherPatient", "Filen nævner en anden patient"],
    ["archive", "failed", 9, "noConnection", "Forbindelsen svarede ikke"],
    ["archive", "queued", 0, "registerSilent", "Venter på CPR-registret"],
    ["sms", "awaiting", 0, null, "Intet svar i to døgn"],
    ["sms", "queued", 0, null, "Ligger stadig i kø"],
  ] as const)("%s, %s, %i, %s: %s", (channel, outcome, code, reason, title) => {
    const detail = "What the provider said";
    expect(causeOf({ channel, outcome, code, reason, detail })).toMatchObject({ title, answer: null });
  });

  test("an unknown cause shows the provider's own answer", () => {
    expect(causeOf({ channel: "email", outcome: "failed", code: 9, reason: null, detail: "X-42" })).toMatchObject({
      title: "Fejl",
      answer: "X-42",
    });
  });
});

forEachDatabase("failures", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let other: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    other = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    portal.cache.invalidate("");
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
    await portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", referralId).execute();
  });

  const rows = () => portal.db.selectFrom("outbox").selectAll().where("kind", "=", "callUp").orderBy("id").execute();
  const referral = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  const setRow = (id: number, values: Updateable<Database["outbox"]>) =>
    portal.db.updateTable("outbox").set(values).where("id", "=", id).execute();
  const failures = (more: object = {}) => portal.as(admin, listFailures, { withHandled: false, ...more });
  const work = (channel: ChannelName) =>
    portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel });

  /** A call-up that was queued and came to this end. */
  async function callUpThat(
    outcome: "failed" | "unknown" | "awaiting" | "queued",
    values: Updateable<Database["outbox"]> = {},
    type = SMS,
  ): Promise<number> {
    await portal.as(admin, sendCallUp, {
      referralId,
      patientAddress: "Åvej 1",
      patientZip: "8000",
      patientCity: "Aarhus",
      patientMobilePhone: "40 12 34 56",
      incallType: type,
    });
    const { id } = (await rows()).at(-1)!;
    const at = toMoment(portal.clock.now());
    const isSettled = outcome === "failed" || outcome === "unknown";
    await setRow(id, { outcome, attempts: 1, ...(isSettled ? { settled_at: at } : {}), ...values });
    if (isSettled)
      await portal.db.updateTable("call_up").set({ planned_referral_id: null }).where("outbox_id", "=", id).execute();
    portal.cache.invalidate("");
    return id;
  }

  test("resending while another channel has not answered asks for confirmation", async () => {
    const id = await callUpThat("failed", { code: 2 });
    await portal.as(admin, sendAnotherCallUp, {
      referralId,
      patientAddress: "Åvej 1",
      patientZip: "8000",
      patientCity: "Aarhus",
      patientMobilePhone: "40 12 34 56",
      incallType: EBOKS,
    });
    const [, eboks] = await rows();
    await setRow(eboks!.id, { outcome: "awaiting", sent_at: toMoment(portal.clock.now()) });
    await portal.db
      .updateTable("call_up")
      .set({ planned_referral_id: null })
      .where("outbox_id", "=", eboks!.id)
      .execute();
    const again = { messageId: id, channel: "sms" };
    await expect(portal.as(admin, resendFailure, again)).rejects.toMatchObject({
      name: "stillAwaiting",
      text: "e-Boks har ikke svaret endnu. Send også som SMS?",
    });
    await portal.as(admin, resendFailure, { ...again, mayOverlap: "on" });
    expect((await rows()).at(-1)).toMatchObject({ channel: "sms", outcome: "queued", resends_id: id });
  });

  test("a failure says whom, why, and what can be done; a dentist sees none", async () => {
    const id = await callUpThat("failed", { code: 2, reason: "unreachable", detail: "GatewayAPI: UNDELIVERABLE" });
    const { rows: found, open } = await failures();
    expect(open.count).toBe(1);
    expect(found).toMatchObject([
      {
        id,
        referralId,
        patient: { name: "Søren Møller" },
        can: {
          again: true,
          instead: ["eboks", "print"],
          arrived: false,
          handle: true,
          correct: { field: "patientMobilePhone", value: "40 12 34 56" },
          none: null,
        },
      },
    ]);
    await expect(portal.as(dentist, listFailures, { withHandled: false })).rejects.toMatchObject({
      name: "notAllowed",
    });
  });

  test("offers only channels that the patient can receive, and none for a dead patient or a closed referral", async () => {
    await callUpThat("failed", { code: 4 }, EBOKS);
    await portal.db.updateTable("referral").set({ patient_without_eboks: 1 }).where("id", "=", referralId).execute();
    expect((await failures()).rows[0]!.can).toMatchObject({ again: false, instead: ["sms", "print"] });
    const [row] = await rows();
    await setRow(row!.id, { code: 6, reason: "dead" });
    expect((await failures()).rows[0]!.can).toMatchObject({ again: false, instead: [], none: "gone" });
    await setRow(row!.id, { code: 9, reason: null });
    await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", referralId).execute();
    expect((await failures()).rows[0]!.can).toMatchObject({ again: false, instead: [], none: "closed" });
  });

  test("resending through another channel marks the failure as handled, and the status changes when the new message is sent", async () => {
    const id = await callUpThat("failed", { code: 4 }, EBOKS);
    await portal.as(admin, resendFailure, { messageId: id, channel: "sms" });
    const [failed, again] = await rows();
    expect(failed).toMatchObject({ handled_by: admin.id, handled_note: "Sendt som SMS i stedet" });
    expect(again).toMatchObject({ channel: "sms", outcome: "queued", resends_id: id, requested_by: admin.id });
    expect((await failures()).rows).toEqual([]);
    expect((await failures({ withHandled: true })).rows[0]).toMatchObject({ id, handled: { canUndo: false } });
    await work("sms");
    expect((await referral()).status).toBe(5);
  });

  test("a failure is handled automatically when a later call-up succeeds", async () => {
    const id = await callUpThat("failed", { code: 2 });
    await portal.as(admin, sendCallUp, { referralId, patientMobilePhone: "40 12 34 56", incallType: SMS });
    expect((await failures()).rows.map((row) => row.id)).toEqual([id]);
    await work("sms");
    portal.cache.invalidate("");
    expect((await failures()).rows).toEqual([]);
    expect((await failures({ withHandled: true })).rows[0]).toMatchObject({
      id,
      handled: { by: null, note: "En senere indkaldelse er sendt" },
    });
  });

  test("a failed message is resent once, also for two simultaneous requests", async () => {
    const id = await callUpThat("failed", { code: 2 });
    const send = (person: Person) => portal.as(person, resendFailure, { messageId: id, channel: "sms" });
    const ends = await Promise.allSettled([send(admin), send(other)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(send(other)).rejects.toMatchObject({ name: "conflict" });
    expect((await rows()).filter(({ resends_id }) => resends_id === id)).toHaveLength(1);
  });

  test("a failure stays open when its kind refuses to resend", async () => {
    const id = await callUpThat("failed", { code: 2 });
    // Another call-up is under way by now.
    await portal.as(admin, sendCallUp, { referralId, patientMobilePhone: "40 12 34 56", incallType: SMS });
    await expect(portal.as(admin, resendFailure, { messageId: id, channel: "sms" })).rejects.toMatchObject({
      name: "callUpPlanned",
    });
    expect((await failures()).rows.map((row) => row.id)).toContain(id);
  });

  test("corrects the number on the referral and resends to it; an invalid number changes nothing", async () => {
    const id = await callUpThat("failed", { code: 2, reason: "unreachable", detail: "GatewayAPI: UNDELIVERABLE" });
    await expect(
      portal.as(admin, correctAndResend, { messageId: id, patientMobilePhone: "10 20 44 1" }),
    ).rejects.toMatchObject({ name: "invalid" });
    expect((await referral()).mobile_phone).toBe("40 12 34 56");
    await portal.as(admin, correctAndResend, { messageId: id, patientMobilePhone: "51 22 33 44" });
    const { mobile_phone: phone, address, email } = await referral();
    expect([phone, address, email]).toEqual(["51 22 33 44", "Åvej 1", null]);
    const [failed, again] = await rows();
    expect(failed!.handled_at).not.toBeNull();
    expect(again).toMatchObject({ resends_id: id, channel: "sms" });
  });

  test("'Den er kommet frem' settles an unknown one as sent by that person, and the call-up moves its status", async () => {
    const id = await callUpThat("unknown", { code: 2 });
    expect((await failures()).rows[0]!.can).toMatchObject({ arrived: true, again: true, instead: [], correct: null });
    await portal.as(admin, settleAsArrived, { messageId: id });
    const [row] = await rows();
    expect(row).toMatchObject({ outcome: "sent", code: 1, handled_by: admin.id });
    const after = await referral();
    expect([after.status, after.call_up_status]).toEqual([5, 3]);
    const log = await portal.db.selectFrom("visit_log").select("event").where("referral_id", "=", referralId).execute();
    expect(log.map(({ event }) => event)).toContain(
      `Indkaldelse: Sendt (meldt kommet frem af ${admin.firstName} ${admin.lastName})`,
    );
    expect((await failures()).rows).toEqual([]);
  });

  test("resending a message with an unknown outcome marks it as failed, and a failed one cannot be marked as arrived", async () => {
    const id = await callUpThat("unknown", { code: 2 });
    await portal.as(admin, resendFailure, { messageId: id, channel: "sms" });
    const [row, again] = await rows();
    expect([row!.outcome, row!.code, again!.outcome]).toEqual(["failed", 2, "queued"]);
    expect((await referral()).call_up_status).toBe(1);
    const failed = await callUpOf(again!.id);
    await expect(portal.as(admin, settleAsArrived, { messageId: failed })).rejects.toMatchObject({ name: "conflict" });
  });
  async function callUpOf(id: number) {
    await setRow(id, { outcome: "failed", settled_at: toMoment(portal.clock.now()) });
    return id;
  }

  test("marked as handled it leaves the list and can come back", async () => {
    const id = await callUpThat("failed", { code: 2 });
    expect(await countOpenFailures(portal, portal.clock.now())).toBe(1);
    await portal.as(admin, markFailureHandled, { messageId: id });
    expect(await countOpenFailures(portal, portal.clock.now())).toBe(0);
    expect((await failures()).rows).toEqual([]);
    expect((await failures({ withHandled: true })).rows[0]).toMatchObject({ id, handled: { canUndo: true } });
    await expect(portal.as(other, markFailureHandled, { messageId: id })).rejects.toMatchObject({ name: "conflict" });
    await portal.as(other, reopenFailure, { messageId: id });
    expect((await failures()).rows.map((row) => row.id)).toEqual([id]);
    await expect(portal.as(other, reopenFailure, { messageId: id })).rejects.toMatchObject({ name: "conflict" });
  });

  test("a message overdue by 30 minutes or unanswered for two days is listed as a failure", async () => {
    const id = await callUpThat("queued", { attempts: 0 });
    portal.clock.advance({ minutes: 30 });
    portal.cache.invalidate("");
    expect((await failures()).rows).toEqual([]);
    portal.clock.advance({ minutes: 1 });
    portal.cache.invalidate("");
    expect((await failures()).rows).toMatchObject([{ id, can: { again: false, handle: false, none: "waits" } }]);
    await expect(portal.as(admin, resendFailure, { messageId: id, channel: "sms" })).rejects.toMatchObject({
      name: "conflict",
    });
    await setRow(id, { outcome: "awaiting", sent_at: toMoment(portal.clock.now()) });
    portal.cache.invalidate("");
    expect((await failures()).rows).toEqual([]);
    portal.clock.advance({ days: 2, minutes: 1 });
    portal.cache.invalidate("");
    expect((await failures()).rows).toMatchObject([{ id, can: { arrived: true, again: true, handle: false } }]);
    await portal.as(admin, settleAsArrived, { messageId: id });
    expect((await rows())[0]).toMatchObject({ outcome: "sent" });
  });

  test("a channel that is down shows one notice instead of its messages, until a message is sent through it", async () => {
    await inTransaction(portal.db, async (tx) => {
      for (let n = 0; n < 3; n += 1)
        await portal.outboxIn(tx).sms({ kind: "callUp", to: "+4540123456", referralId, text: "Hej" });
    });
    portal.clock.advance({ minutes: 40 });
    await portal.db.updateTable("outbox").set({ attempts: 1, reason: "noConnection" }).execute();
    portal.cache.invalidate("");
    const { rows: found, down } = await failures();
    expect(found).toEqual([]);
    expect(down).toMatchObject([{ channel: "sms", count: 3, isTried: true, since: "2026-12-01T09:00:00.000Z" }]);
    expect(await countOpenFailures(portal, portal.clock.now())).toBe(1);
    const [one] = await rows();
    await setRow(one!.id, { outcome: "sent", settled_at: toMoment(portal.clock.now()) });
    portal.cache.invalidate("");
    expect((await readOpenFailures(portal, portal.clock.now())).down).toEqual([]);
    expect((await failures()).rows).toHaveLength(2);
  });

  test("is filtered by number, channel and kind, and leaves out test messages to oneself", async () => {
    const id = await callUpThat("failed", { code: 2 });
    await inTransaction(portal.db, async (tx) => {
      await portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", userId: admin.id, text: "Prøve" });
    });
    await portal.db.updateTable("outbox").set({ outcome: "failed" }).where("kind", "=", "testMessage").execute();
    portal.cache.invalidate("");
    const idsOf = async (more: object) => (await failures(more)).rows.map((row) => row.id);
    expect(await idsOf({})).toEqual([id]);
    expect(await idsOf({ visitNumber: String(referralId), channel: "sms", kind: "callUp" })).toEqual([id]);
    expect(await idsOf({ visitNumber: "999999" })).toEqual([]);
    expect(await idsOf({ channel: "eboks" })).toEqual([]);
    expect(await idsOf({ kind: "invoice" })).toEqual([]);
    expect(await failures({ visitNumber: "abc" })).toMatchObject({ isWrongNumber: true, rows: [] });
  });

  test("a mail to somebody else names the receiver and is not sent again from here", async () => {
    await inTransaction(portal.db, async (tx) => {
      await portal.outboxIn(tx).email({
        kind: "statusNews",
        to: "en@eksempel.dk",
        referralId,
        userId: dentist.id,
        subject: "S",
        text: "T",
        html: "H",
      });
    });
    await portal.db.updateTable("outbox").set({ outcome: "failed", code: 9 }).execute();
    portal.cache.invalidate("");
    const { rows: found } = await failures();
    expect(found).toMatchObject([
      { receiver: `${dentist.firstName} ${dentist.lastName}`, can: { none: "elsewhere", handle: true, again: false } },
    ]);
    await expect(portal.as(admin, resendFailure, { messageId: found[0]!.id, channel: "email" })).rejects.toMatchObject({
      name: "conflict",
    });
  });
});

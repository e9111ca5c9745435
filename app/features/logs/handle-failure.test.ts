import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendAnotherCallUp, sendCallUp } from "~/features/call-ups/send-call-up.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { toMoment } from "~/text/dates";
import { failuresPortal, SMS } from "../../../tests/support/portals/failures-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import {
  correctAndResend,
  markFailureHandled,
  reopenFailure,
  resendFailure,
  settleAsArrived,
} from "./handle-failure.server";

const EBOKS = 3;

forEachDatabase("failures", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let other: Person;
  let referralId: number;
  const { rows, referral, setRow, failures, callUpThat } = failuresPortal(dialect, (begun) => {
    ({ portal, admin, other, referralId } = begun);
  });
  const work = (channel: ChannelName) =>
    portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel });

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
    await setRow(eboks!.id, { outcome: "awaiting", sentAt: toMoment(portal.clock.now()) });
    await portal.db.updateTable("callUp").set({ plannedReferralId: null }).where("outboxId", "=", eboks!.id).execute();
    const again = { messageId: id, channel: "sms" };
    await expect(portal.as(admin, resendFailure, again)).rejects.toMatchObject({
      name: "stillAwaiting",
      text: "e-Boks har ikke svaret endnu. Send også som SMS?",
    });
    await portal.as(admin, resendFailure, { ...again, mayOverlap: "on" });
    expect((await rows()).at(-1)).toMatchObject({ channel: "sms", outcome: "queued", resendsId: id });
  });

  test("resending by another channel handles the failure, and the status follows", async () => {
    const id = await callUpThat("failed", { code: 4 }, EBOKS);
    await portal.as(admin, resendFailure, { messageId: id, channel: "sms" });
    const [failed, again] = await rows();
    expect(failed).toMatchObject({ handledBy: admin.id, handledNote: "Sendt som SMS i stedet" });
    expect(again).toMatchObject({ channel: "sms", outcome: "queued", resendsId: id, requestedBy: admin.id });
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
    expect((await rows()).filter(({ resendsId }) => resendsId === id)).toHaveLength(1);
  });

  test("a failure stays open when its kind refuses to resend", async () => {
    const id = await callUpThat("failed", { code: 2 });
    await portal.as(admin, sendCallUp, { referralId, patientMobilePhone: "40 12 34 56", incallType: SMS });
    await expect(portal.as(admin, resendFailure, { messageId: id, channel: "sms" })).rejects.toMatchObject({
      name: "callUpPlanned",
    });
    expect((await failures()).rows.map((row) => row.id)).toContain(id);
  });

  test("corrects the referral's number and resends; an invalid one changes nothing", async () => {
    const id = await callUpThat("failed", { code: 2, reason: "unreachable", detail: "GatewayAPI: UNDELIVERABLE" });
    await expect(
      portal.as(admin, correctAndResend, { messageId: id, patientMobilePhone: "10 20 44 1" }),
    ).rejects.toMatchObject({ name: "invalid" });
    expect((await referral()).mobilePhone).toBe("40 12 34 56");
    await portal.as(admin, correctAndResend, { messageId: id, patientMobilePhone: "51 22 33 44" });
    const { mobilePhone: phone, address, email } = await referral();
    expect([phone, address, email]).toEqual(["51 22 33 44", "Åvej 1", null]);
    const [failed, again] = await rows();
    expect(failed!.handledAt).not.toBeNull();
    expect(again).toMatchObject({ resendsId: id, channel: "sms" });
  });

  test("an address for a mail to the referrer is never saved as the patient's", async () => {
    const content = { subject: "Emne", text: "Hej", html: "Hej" };
    const id = await portal.db
      .transaction()
      .execute((tx) =>
        portal.outboxIn(tx).email({ kind: "statusNews", to: "klinik@eksempel.dk", referralId, ...content }),
      );
    const settledAt = toMoment(portal.clock.now());
    await setRow(id, { outcome: "failed", code: 2, reason: "notConfigured", attempts: 1, settledAt });
    await expect(
      portal.as(admin, correctAndResend, { messageId: id, patientEmail: "ny@eksempel.dk" }),
    ).rejects.toMatchObject({ name: "notInScope" });
    expect((await referral()).email).toBeNull();
  });

  test("'Den er kommet frem' settles an unknown one, and the call-up moves its status", async () => {
    const id = await callUpThat("unknown", { code: 2 });
    expect((await failures()).rows[0]!.can).toMatchObject({ arrived: true, again: true, instead: [], correct: null });
    await portal.as(admin, settleAsArrived, { messageId: id });
    const [row] = await rows();
    expect(row).toMatchObject({ outcome: "sent", code: 1, handledBy: admin.id });
    const after = await referral();
    expect([after.status, after.callUpStatus]).toEqual([5, 3]);
    const log = await portal.db.selectFrom("visitLog").select("event").where("referralId", "=", referralId).execute();
    expect(log.map(({ event }) => event)).toContain(
      `Indkaldelse: Sendt (meldt kommet frem af ${admin.firstName} ${admin.lastName})`,
    );
    expect((await failures()).rows).toEqual([]);
  });

  test("resending an unknown one marks it as failed; a failed one cannot arrive", async () => {
    const id = await callUpThat("unknown", { code: 2 });
    await portal.as(admin, resendFailure, { messageId: id, channel: "sms" });
    const [row, again] = await rows();
    expect([row!.outcome, row!.code, again!.outcome]).toEqual(["failed", 2, "queued"]);
    expect((await referral()).callUpStatus).toBe(1);
    const failed = await callUpOf(again!.id);
    await expect(portal.as(admin, settleAsArrived, { messageId: failed })).rejects.toMatchObject({ name: "conflict" });
  });
  async function callUpOf(id: number) {
    await setRow(id, { outcome: "failed", settledAt: toMoment(portal.clock.now()) });
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
});

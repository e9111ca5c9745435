import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { readProfile } from "~/features/accounts/change-profile.server";
import { sendTestEmail, sendTestSms } from "~/features/accounts/send-test-message.server";
import { createGatewayApi } from "~/gateways/sms/gatewayapi.server";
import type { Portal } from "~/portal.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import {
  type GatewayApiPeer,
  receiptEvent,
  replyEvent,
  signedEvent,
  SMS_TOKEN,
  type SignedEvent,
  startGatewayApiPeer,
  WEBHOOK_SECRET,
} from "../../../tests/support/delivery/gatewayapi-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { answerSms, readDevOutbox } from "./read-dev-outbox.server";
import { receiveSmsEvent } from "./receive-sms.server";
import { readDeliveryMetrics } from "./read-delivery-metrics.server";
import { sendMessage } from "./send-message.server";
import { settleOverdue } from "./settle-overdue.server";

const system: Caller = { actor: { kind: "system", job: "test" }, site: "inside", address: "", sessionId: null };

forEachDatabase("SMS", (dialect) => {
  let peer: GatewayApiPeer;
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;

  beforeAll(async () => {
    peer = await startGatewayApiPeer();
    portal = await createTestPortal(dialect, {
      env: { SMS_URL: peer.url, SMS_TOKEN, SMS_WEBHOOK_SECRET: WEBHOOK_SECRET, SMS_SENDER: "Kirurgerne" },
    });
    admin = await aPerson(portal, { role: "Admin" });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    referralId = await aReferral(portal, dentist);
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  beforeEach(async () => {
    peer.reset();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["outbox", "outbox_attempt", "delivery_event", "throttle"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const queue = (text = "Kære Åse, æøå.") =>
    portal.db
      .transaction()
      .execute((tx) => portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", text, referralId }));
  const workOnce = async (on: Portal = portal) =>
    (await execute(on, system, sendMessage, plainInput({ owner: "a", channel: "sms" }))).data;
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const logOf = async () =>
    (
      await portal.db
        .selectFrom("visit_log")
        .select(["event", "log_type"])
        .where("referral_id", "=", referralId)
        .where("log_type", "=", "sms")
        .orderBy("id")
        .execute()
    ).map(({ event }) => event);
  /** As the webhook does it: the signature first, then the operation. */
  async function receiveEvent({ body, signature }: SignedEvent) {
    const event = portal.sms.readEvent!(Buffer.from(body), signature, portal.clock.now());
    if (typeof event === "string") return event;
    await portal.as(system.actor, receiveSmsEvent, event);
    return "taken";
  }
  const receipt = (id: number, status: string, more: { eventId?: string; at?: Date; secret?: string } = {}) =>
    receiveEvent(receiptEvent(`outbox-${id}`, status, { at: portal.clock.now(), ...more }));
  async function handedOver() {
    const id = await queue();
    await workOnce();
    return id;
  }

  test("is handed over with its own reference and awaits the receipt", async () => {
    const id = await handedOver();
    expect(peer.deliveries).toEqual([
      { sender: "Kirurgerne", message: "Kære Åse, æøå.", recipient: 4540123456, reference: `outbox-${id}` },
    ]);
    expect(await rowOf(id)).toMatchObject({
      outcome: "awaiting",
      code: 0,
      provider_reference: "01PEER1",
      sent_at: "2026-12-01 09:00:00.000",
      settled_at: null,
      attempts: 1,
      lease_owner: null,
    });
    portal.clock.advance({ hours: 20 });
    expect(await workOnce()).toEqual({ sent: false });
  });

  test.each([
    [
      422,
      { message: "recipient: not a number" },
      "failed",
      "rejected",
      "GatewayAPI 422: recipient: not a number",
      false,
    ],
    [400, {}, "failed", "rejected", "GatewayAPI 400", false],
    [403, { message: "Forbidden" }, "queued", "loginRefused", "GatewayAPI 403: Forbidden", true],
    [402, {}, "queued", "loginRefused", "GatewayAPI 402", true],
    [429, {}, "queued", null, "GatewayAPI 429", true],
    [503, {}, "queued", null, "GatewayAPI 503", true],
    [500, {}, "unknown", null, "GatewayAPI 500", false],
  ] as const)("an answer of %s %j makes it %s, %s", async (status, body, outcome, reason, detail, isChannelDown) => {
    const id = await queue();
    peer.refuse = { status, body };
    expect(await workOnce()).toEqual({ sent: true, isChannelDown });
    expect(await rowOf(id)).toMatchObject({ outcome, reason, detail });
    expect(peer.deliveries).toEqual([]);
    if (outcome !== "queued") return;
    peer.refuse = null;
    portal.clock.advance({ minutes: 1 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "awaiting", attempts: 2, detail: null });
  });

  test("an unreachable provider is retried; a connection lost after the message leaves the outcome unknown, and it is not resent", async () => {
    const gone = await startGatewayApiPeer();
    await gone.stop();
    const elsewhere = { ...portal, sms: createGatewayApi({ url: gone.url, token: SMS_TOKEN, webhookSecret: null }) };
    const early = await queue();
    expect(await workOnce(elsewhere)).toEqual({ sent: true, isChannelDown: true });
    expect(await rowOf(early)).toMatchObject({ outcome: "queued", attempts: 1, detail: expect.any(String) as string });
    await portal.db.deleteFrom("outbox").execute();
    const lost = await queue();
    peer.afterTaking = "close";
    await workOnce();
    expect([peer.deliveries.length, (await rowOf(lost)).outcome]).toEqual([1, "unknown"]);
    portal.clock.advance({ days: 2 });
    expect(await workOnce()).toEqual({ sent: false });
    // A late receipt settles the unknown outcome.
    await receipt(lost, "DELIVERED");
    expect(await rowOf(lost)).toMatchObject({ outcome: "sent", code: 1, detail: "Leveret" });
  });

  test("without a secret for receipts, what the provider has taken counts as sent", async () => {
    const id = await queue();
    await workOnce({ ...portal, sms: createGatewayApi({ url: peer.url, token: SMS_TOKEN, webhookSecret: null }) });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", code: 1, settled_at: "2026-12-01 09:00:00.000" });
  });

  describe("receipts", () => {
    test.each([
      ["DELIVERED", "sent", 1],
      ["ACCEPTED", "sent", 1],
      ["EXPIRED", "failed", 2],
      ["UNDELIVERABLE", "failed", 2],
      ["REJECTED", "failed", 2],
      ["ENROUTE", "awaiting", 0],
      ["BUFFERED", "awaiting", 0],
      ["SOMETHING_NEW", "awaiting", 0],
    ])("%s: %s, state %s", async (status, outcome, code) => {
      const id = await handedOver();
      expect(await receipt(id, status)).toBe("taken");
      expect(await rowOf(id)).toMatchObject({ outcome, code });
    });

    test("a repeated, late, misordered or unknown receipt does not change a message in its final state", async () => {
      const id = await handedOver();
      const before = (await logOf()).length;
      const eventId = randomUUID();
      await receipt(id, "DELIVERED", { eventId });
      const whole = await rowOf(id);
      for (const again of ["DELIVERED", "UNDELIVERABLE"]) expect(await receipt(id, again, { eventId })).toBe("taken");
      portal.clock.advance({ hours: 3 });
      for (const later of ["ENROUTE", "EXPIRED", "DELIVERED"]) expect(await receipt(id, later)).toBe("taken");
      expect(await rowOf(id)).toEqual(whole);
      expect((await logOf()).slice(before)).toEqual(["Prøve: Sendt"]);
      for (const reference of ["outbox-999999999", "outbox-1e9", "another system's", ""])
        expect(await receiveEvent(receiptEvent(reference, "EXPIRED", { at: portal.clock.now() }))).toBe("taken");
    });

    test("a receipt that overtakes the answer to the sending wins", async () => {
      const id = await queue();
      await portal.db
        .updateTable("outbox")
        .set({ lease_owner: "a", sending_since: "2026-12-01 09:00:00.000", lease_until: "2026-12-01 09:01:00.000" })
        .where("id", "=", id)
        .execute();
      await receipt(id, "UNDELIVERABLE");
      expect(await rowOf(id)).toMatchObject({
        outcome: "failed",
        detail: "GatewayAPI: UNDELIVERABLE",
        reason: "unreachable",
        lease_owner: null,
      });
      portal.clock.advance({ minutes: 5 });
      expect(await workOnce()).toEqual({ sent: false });
    });

    test("refuses an event that is forged, too old, from the future or of an unknown shape", async () => {
      const id = await handedOver();
      const at = portal.clock.now();
      const { body, signature } = receiptEvent(`outbox-${id}`, "DELIVERED", { at });
      expect(await receipt(id, "DELIVERED", { secret: "another secret" })).toBe("forged");
      expect(await receiveEvent({ body: body.replace("DELIVERED", "REJECTED!"), signature })).toBe("forged");
      for (const wrong of ["", "v1=", signature.replace("v1", "v2"), `v1=${"0".repeat(64)}`, signature.slice(0, -1)])
        expect(await receiveEvent({ body, signature: wrong })).toBe("forged");
      expect(portal.sms.readEvent!(Buffer.from(body), null, at)).toBe("forged");
      expect(await receipt(id, "DELIVERED", { at: new Date(at.getTime() - 26 * 3_600_000) })).toBe("stale");
      expect(await receipt(id, "DELIVERED", { at: new Date(at.getTime() + 3_600_000) })).toBe("stale");
      for (const event of [null, "text", { status: 1 }])
        expect(await receiveEvent(signedEvent("message.status.sms", event, { at }))).toBe("unreadable");
      expect((await rowOf(id)).outcome).toBe("awaiting");
      expect(await receiveEvent(signedEvent("message.status.rcs", { any: 1 }, { at }))).toBe("taken");
    });

    test("without a receipt for two days the message is listed as a failure; a late receipt still counts", async () => {
      const id = await handedOver();
      portal.clock.advance({ hours: 47 });
      await portal.as(system.actor, settleOverdue, {});
      expect((await rowOf(id)).outcome).toBe("awaiting");
      portal.clock.advance({ hours: 2 });
      await portal.as(system.actor, settleOverdue, {});
      expect(await rowOf(id)).toMatchObject({
        outcome: "unknown",
        code: 2,
        detail: "Udbyderen har ikke meldt tilbage",
        reason: "noReport",
      });
      await receipt(id, "DELIVERED");
      expect(await rowOf(id)).toMatchObject({ outcome: "sent" });
    });

    test("stand in the referral's log and in the audit with its id", async () => {
      await portal.db.deleteFrom("visit_log").execute();
      const id = await handedOver();
      await receipt(id, "UNDELIVERABLE");
      expect(await logOf()).toEqual([
        "Prøve: Afleveret, venter på svar",
        "Prøve: Mislykkedes (GatewayAPI: UNDELIVERABLE)",
      ]);
      const audited = await portal.db
        .selectFrom("audit_event")
        .innerJoin("audit_referral", "audit_event_id", "audit_event.id")
        .select(["operation", "detail", "actor_kind"])
        .where("referral_id", "=", referralId)
        .orderBy("audit_event.id", "desc")
        .limit(2)
        .execute();
      expect(audited).toEqual([
        { operation: "receiveSmsEvent", detail: "testMessage: failed", actor_kind: "system" },
        { operation: "outbox.send", detail: "testMessage: awaiting", actor_kind: "system" },
      ]);
    });
  });

  test("polls a provider that can be asked until it reports the outcome", async () => {
    let answer: "sent" | null = null;
    let asked = 0;
    const poll = async () => {
      asked += 1;
      return answer === null ? null : ({ outcome: answer, detail: "" } as const);
    };
    const polling: Portal = { ...portal, sms: { ...portal.sms, poll } };
    const id = await queue();
    await workOnce(polling);
    for (let round = 1; round <= 3; round += 1) {
      portal.clock.advance({ minutes: 10 });
      expect(await workOnce(polling)).toMatchObject({ sent: true });
      expect([asked, await rowOf(id)]).toMatchObject([round, { outcome: "awaiting", attempts: 1 }]);
      expect(await workOnce(polling)).toEqual({ sent: false });
    }
    answer = "sent";
    portal.clock.advance({ minutes: 10 });
    await workOnce(polling);
    expect(await rowOf(id)).toMatchObject({
      outcome: "sent",
      code: 1,
      sent_at: "2026-12-01 09:00:00.000",
      settled_at: "2026-12-01 09:40:00.000",
    });
    expect(peer.deliveries).toHaveLength(1);
  });

  test("'Send en prøve til mig': staff see what becomes of it", async () => {
    await portal.as(admin, sendTestSms, { mobilePhone: "40 12 34 56" });
    await portal.as(admin, sendTestEmail, {});
    const tests = async () => (await portal.as(admin, readProfile, {})).tests!;
    expect(await tests()).toMatchObject({
      mobilePhone: "40 12 34 56",
      channels: [
        { name: "email", mode: "embedded" },
        { name: "sms", mode: "live" },
      ],
      messages: [
        { channel: "email", to: admin.email, outcome: "queued" },
        { channel: "sms", to: "+4540123456", outcome: "queued" },
      ],
    });
    await workOnce();
    await portal.as(system.actor, sendMessage, { owner: "a", channel: "email" });
    const id = (await tests()).messages[1]!.id;
    expect((await tests()).messages).toMatchObject([
      { outcome: "sent", detail: "Prøve: gemt på denne maskine, ikke sendt" },
      { outcome: "awaiting" },
    ]);
    await receipt(id, "DELIVERED");
    expect((await tests()).messages[1]).toMatchObject({ outcome: "sent", detail: "Leveret" });
    await expect(portal.as(admin, sendTestSms, { mobilePhone: "ring" })).rejects.toMatchObject({ name: "invalid" });
    for (let sent = 2; sent < 20; sent += 1) await portal.as(admin, sendTestEmail, {});
    await expect(portal.as(admin, sendTestEmail, {})).rejects.toMatchObject({ name: "tooManyAttempts" });
  });

  test("in production without a provider it says at once that it is not configured", async () => {
    const production = await createTestPortal(dialect, {
      env: {
        NODE_ENV: "production",
        ADMIN_ORIGIN: "https://klinik.eksempel.dk",
        PUBLIC_ORIGIN: "https://www.eksempel.dk",
        ADMIN_IP_ALLOW: "any",
        PARKING_IP_ALLOW: "any",
        APP_SECRET: "kQ3v8ZrT1mXw6NpB0yLd5sHf9gJc2aEu",
      },
    });
    const owner = await aPerson(production, { role: "Admin" });
    await production.as(owner, sendTestSms, { mobilePhone: "40123456" });
    await production.as(owner, sendTestEmail, {});
    for (const channel of ["sms", "email"]) await production.as(system.actor, sendMessage, { owner: "a", channel });
    const { tests } = await production.as(owner, readProfile, {});
    expect(tests).toMatchObject({
      channels: [{ mode: "notConfigured" }, { mode: "notConfigured" }],
      messages: [
        { outcome: "failed", detail: "Ikke indstillet" },
        { outcome: "failed", detail: "Ikke indstillet" },
      ],
    });
    expect(await production.db.selectFrom("outbox").select("code").orderBy("id").execute()).toEqual([
      { code: 2 },
      { code: 8 },
    ]);
    await expect(production.as({ kind: "anonymous" }, readDevOutbox, {})).rejects.toMatchObject({ name: "notInScope" });
    await production.close();
  });

  test("the development page shows what was sent, and answers as its receiver by the webhook's way", async () => {
    const id = await handedOver();
    await portal.as({ kind: "anonymous" }, answerSms, { outboxId: id, text: "Jeg kommer" });
    await receiveEvent(replyEvent(4540123456, "Afbud, desværre", { at: portal.clock.now() }));
    const { messages } = await portal.as({ kind: "anonymous" }, readDevOutbox, {});
    expect(messages).toMatchObject([
      { id, to: "+4540123456", text: "Kære Åse, æøå.", replies: [{ text: "Afbud, desværre" }, { text: "Jeg kommer" }] },
    ]);
    const stored = await portal.db.selectFrom("delivery_event").selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/Jeg kommer|40123456/);
    await expect(portal.as({ kind: "anonymous" }, answerSms, { outboxId: 999_999, text: "x" })).rejects.toMatchObject({
      name: "notInScope",
    });
  });

  test("the figures count each lane", async () => {
    await handedOver();
    const [waiting] = [await queue(), await handedOver()];
    expect(waiting).toBeGreaterThan(0);
    await queue();
    portal.clock.advance({ minutes: 2 });
    const [, sms] = await portal.as(system.actor, readDeliveryMetrics, {});
    expect(sms).toMatchObject({ channel: "sms", queued: 2, awaiting: 2, oldestSeconds: 120 });
  });
});

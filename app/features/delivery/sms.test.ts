import { beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { readProfile } from "~/features/accounts/change-profile.server";
import { sendTestEmail, sendTestSms } from "~/features/accounts/operations.server";
import { createGatewayApi } from "~/gateways/sms/gatewayapi.server";
import type { Portal } from "~/portal.server";
import { aPerson } from "../../../tests/factories/people";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../../tests/support/peers/gatewayapi-peer";
import { smsPortal, system } from "../../../tests/support/portals/sms-portal";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readDevOutbox } from "./dev-outbox.server";
import { readDeliveryMetrics } from "./read-messages.server";
import { sendMessage } from "./send-message.server";

forEachDatabase("SMS", { mariadb: "matrix" }, (dialect) => {
  let peer: GatewayApiPeer;
  let portal: TestPortal;
  let admin: Person;
  const { queue, workOnce, rowOf, receipt, handedOver } = smsPortal(dialect, (opened) => {
    ({ portal, peer } = opened);
  });
  beforeAll(async () => {
    admin = await aPerson(portal, { role: "Admin" });
  });

  test("is handed over with its own reference and awaits the receipt", async () => {
    const id = await handedOver();
    expect(peer.deliveries).toEqual([
      { sender: "Kirurgerne", message: "Kære Åse, æøå.", recipient: 4540123456, reference: `outbox-${id}` },
    ]);
    expect(await rowOf(id)).toMatchObject({
      outcome: "awaiting",
      code: 0,
      providerReference: "01PEER1",
      sentAt: "2026-12-01T09:00:00.000Z",
      settledAt: null,
      attempts: 1,
      leaseOwner: null,
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
    [404, {}, "queued", null, "GatewayAPI 404", true],
    [500, {}, "unknown", null, "GatewayAPI 500", true],
    [502, {}, "unknown", null, "GatewayAPI 502", true],
    [504, {}, "unknown", null, "GatewayAPI 504", true],
  ] as const)("an answer of %s %j makes it %s, %s", async (status, body, outcome, reason, detail, isChannelDown) => {
    const id = await queue();
    peer.refuse = { status, body };
    expect(await workOnce()).toEqual({ sent: true, isChannelDown, isInDoubt: outcome === "unknown" });
    expect(await rowOf(id)).toMatchObject({ outcome, reason, detail });
    expect(peer.deliveries).toEqual([]);
    if (outcome !== "queued") return;
    peer.refuse = null;
    portal.clock.advance({ minutes: 1 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "awaiting", attempts: 1, detail: null });
  });

  test("an unreachable provider is retried; a loss after the message is not resent", async () => {
    const gone = await startGatewayApiPeer();
    await gone.stop();
    const elsewhere = { ...portal, sms: createGatewayApi({ url: gone.url, token: SMS_TOKEN, webhookSecret: null }) };
    const early = await queue();
    expect(await workOnce(elsewhere)).toMatchObject({ isChannelDown: true, isInDoubt: false });
    expect(await rowOf(early)).toMatchObject({ outcome: "queued", attempts: 0, detail: expect.any(String) as string });
    await portal.db.deleteFrom("outbox").execute();
    const lost = await queue();
    peer.afterTaking = "close";
    expect(await workOnce()).toMatchObject({ isChannelDown: true, isInDoubt: true });
    expect([peer.deliveries.length, (await rowOf(lost)).outcome]).toEqual([1, "unknown"]);
    portal.clock.advance({ days: 2 });
    expect(await workOnce()).toEqual({ sent: false });
    await receipt(lost, "DELIVERED");
    expect(await rowOf(lost)).toMatchObject({ outcome: "sent", code: 1, detail: "Leveret" });
  });

  test("without a secret for receipts, what the provider has taken counts as sent", async () => {
    const id = await queue();
    await workOnce({ ...portal, sms: createGatewayApi({ url: peer.url, token: SMS_TOKEN, webhookSecret: null }) });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent", code: 1, settledAt: "2026-12-01T09:00:00.000Z" });
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
      sentAt: "2026-12-01T09:00:00.000Z",
      settledAt: "2026-12-01T09:40:00.000Z",
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

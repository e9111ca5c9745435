import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { receiptEvent, replyEvent, signedEvent } from "../../../tests/support/peers/gatewayapi-peer";
import { smsPortal, system } from "../../../tests/support/portals/sms-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { answerSms, readDevOutbox } from "./dev-outbox.server";
import { settleOverdue } from "./settle-messages.server";

forEachDatabase("SMS", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let referralId: number;
  const { queue, workOnce, rowOf, receiveEvent, receipt, handedOver } = smsPortal(dialect, (opened) => {
    ({ portal, referralId } = opened);
  });
  const logOf = async () =>
    (
      await portal.db
        .selectFrom("visitLog")
        .select(["event", "logType"])
        .where("referralId", "=", referralId)
        .where("logType", "=", "sms")
        .orderBy("id")
        .execute()
    ).map(({ event }) => event);

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

    test("a repeated, late or unknown receipt does not change a final state", async () => {
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
        .set({ leaseOwner: "a", sendingSince: "2026-12-01T09:00:00.000Z", leaseUntil: "2026-12-01T09:01:00.000Z" })
        .where("id", "=", id)
        .execute();
      await receipt(id, "UNDELIVERABLE");
      expect(await rowOf(id)).toMatchObject({
        outcome: "failed",
        detail: "GatewayAPI: UNDELIVERABLE",
        reason: "unreachable",
        leaseOwner: null,
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
      expect(portal.sms.readEvent!(Buffer.from(body), new Headers(), at)).toBe("forged");
      expect(await receipt(id, "DELIVERED", { at: new Date(at.getTime() - 26 * 3_600_000) })).toBe("stale");
      expect(await receipt(id, "DELIVERED", { at: new Date(at.getTime() + 3_600_000) })).toBe("stale");
      for (const event of [null, "text", { status: 1 }])
        expect(await receiveEvent(signedEvent("message.status.sms", event, { at }))).toBe("unreadable");
      expect((await rowOf(id)).outcome).toBe("awaiting");
      expect(await receiveEvent(signedEvent("message.status.rcs", { any: 1 }, { at }))).toBe("taken");
    });

    test("without a receipt for two days it is a failure; a late receipt still counts", async () => {
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
      await portal.db.deleteFrom("visitLog").execute();
      const id = await handedOver();
      await receipt(id, "UNDELIVERABLE");
      expect(await logOf()).toEqual([
        "Prøve: Afleveret, venter på svar",
        "Prøve: Mislykkedes (GatewayAPI: UNDELIVERABLE)",
      ]);
      const audited = await portal.db
        .selectFrom("auditEvent")
        .innerJoin("auditReferral", "auditEventId", "auditEvent.id")
        .select(["operation", "detail", "actorKind"])
        .where("referralId", "=", referralId)
        .orderBy("auditEvent.id", "desc")
        .limit(2)
        .execute();
      expect(audited).toEqual([
        { operation: "receiveSmsEvent", detail: "testMessage: failed", actorKind: "system" },
        { operation: "outbox.send", detail: "testMessage: awaiting", actorKind: "system" },
      ]);
    });
  });

  test("the development page shows what was sent, and answers by the webhook", async () => {
    const id = await handedOver();
    await portal.as({ kind: "anonymous" }, answerSms, { outboxId: id, text: "Jeg kommer" });
    await receiveEvent(replyEvent(4540123456, "Afbud, desværre", { at: portal.clock.now() }));
    const { messages } = await portal.as({ kind: "anonymous" }, readDevOutbox, {});
    expect(messages).toMatchObject([
      { id, to: "+4540123456", text: "Kære Åse, æøå.", replies: [{ text: "Afbud, desværre" }, { text: "Jeg kommer" }] },
    ]);
    const stored = await portal.db.selectFrom("deliveryEvent").selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/Jeg kommer|40123456/);
    await expect(portal.as({ kind: "anonymous" }, answerSms, { outboxId: 999_999, text: "x" })).rejects.toMatchObject({
      name: "notInScope",
    });
  });

  test("a reply is kept as typed text is: composed, and without what turns its direction", async () => {
    await handedOver();
    const reply = replyEvent(4540123456, "\u202eJeg kommer til A\u030arhus 👩‍👧", { at: portal.clock.now() });
    expect(await receiveEvent(reply)).toBe("taken");
    const { messages } = await portal.as({ kind: "anonymous" }, readDevOutbox, {});
    expect(messages.flatMap(({ replies }) => replies.map(({ text }) => text))).toContain("Jeg kommer til Århus 👩‍👧");
  });
});

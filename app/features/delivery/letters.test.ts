// @module-tag matrix
// @module-tag openssh
import { describe, expect, test } from "vitest";
import { lettersPortal } from "../../../tests/support/portals/letters-portal";
import type { NetsSharePeer } from "../../../tests/support/peers/nets-share-peer";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

forEachDatabase("letters", (dialect) => {
  let peer: NetsSharePeer;
  let portal: TestPortal;
  const { queue, workOnce, readReports, rowOf, logOf, letterIdOf, handedOver, report } = lettersPortal(
    dialect,
    (opened, netsShare) => {
      portal = opened;
      peer = netsShare;
    },
  );

  test.each(["eboks", "print"] as const)("%s: handed over, received, and confirmed by a report", async (channel) => {
    const id = await queue(channel);
    expect(await workOnce(channel)).toMatchObject({ sent: true, isChannelDown: false });
    const letterId = await letterIdOf(id, channel);
    expect(await rowOf(id)).toMatchObject({
      outcome: "awaiting",
      code: 2,
      attempts: 1,
      providerReference: `netsshare_${letterId}.zip`,
      sentAt: "2026-12-01T09:00:00.000Z",
      leaseOwner: null,
    });
    peer.receiveShipments();
    expect(peer.shipments.map((shipment) => shipment.letterId)).toEqual([letterId]);
    portal.clock.advance({ minutes: 5 });
    await readReports();
    expect(await rowOf(id)).toMatchObject({ outcome: "awaiting", code: 2 });
    await report(letterId, "CONFIRMED");
    expect(await rowOf(id)).toMatchObject({
      outcome: "sent",
      code: 3,
      detail: null,
      sentAt: "2026-12-01T09:00:00.000Z",
      settledAt: "2026-12-01T09:05:00.000Z",
    });
    const logType = channel === "eboks" ? "EBOKS" : "print";
    expect(await logOf()).toEqual([
      { event: "Indkaldelse: Afleveret, venter på svar", logType },
      { event: "Indkaldelse: Sendt", logType },
    ]);
    expect(await workOnce(channel)).toEqual({ sent: false });
    expect(peer.outbound()).toEqual([]);
  });

  test.each([
    ["RECEIVER_NOT_ACTIVE", 4],
    ["MESSAGE_TOO_LONG", 5],
    ["RECEIVER_NOT_FOUND", 6],
    ["INVALID_DATE", 7],
    ["PROTECTED_ADDRESS", 10],
    ["X-4711", 9],
  ])("rejected for %s: state %i, with its own words beside it", async (reason, code) => {
    const { id, letterId } = await handedOver();
    await report(letterId, "REJECTED", reason);
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", code, detail: `REJECTED ${reason}` });
    expect((await logOf()).at(-1)).toEqual({
      event: `Indkaldelse: Mislykkedes (REJECTED ${reason})`,
      logType: "EBOKS",
    });
  });

  test("a shipment that is refused as a whole", async () => {
    const id = await queue();
    await workOnce();
    const name = `tDK12345678_${peer.inbound()[0]}.receipt`;
    peer.writeReport(
      name,
      "<receipt><status>400</status><messages><message>eboks:description is too long</message></messages></receipt>",
    );
    await readReports();
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", code: 5, detail: "eboks:description is too long" });
  });

  describe("a connection that is lost", () => {
    test("lost during the upload: retried, and sent once", async () => {
      peer.cut = "during";
      const id = await queue();
      await workOnce();
      expect(await rowOf(id)).toMatchObject({ outcome: "queued", code: 0, attempts: 1, providerReference: null });
      peer.cut = null;
      portal.clock.advance({ minutes: 1 });
      await workOnce();
      peer.receiveShipments();
      expect([(await rowOf(id)).outcome, peer.shipments.length]).toEqual(["awaiting", 1]);
    });

    test("lost after the upload: the second shipment is a duplicate, nothing goes twice", async () => {
      peer.cut = "afterRename";
      const id = await queue();
      await workOnce();
      expect(await rowOf(id)).toMatchObject({ outcome: "queued", providerReference: expect.any(String) as string });
      peer.cut = null;
      peer.receiveShipments();
      portal.clock.advance({ minutes: 1 });
      await workOnce();
      peer.receiveShipments();
      await readReports();
      expect(await rowOf(id)).toMatchObject({ outcome: "awaiting", code: 2 });
      expect(peer.shipments).toHaveLength(1);
    });

    test("lost after the upload, and the receipt arrives first: not sent again", async () => {
      peer.cut = "afterRename";
      const id = await queue();
      await workOnce();
      peer.cut = null;
      peer.receiveShipments();
      await readReports();
      expect(await rowOf(id)).toMatchObject({ outcome: "awaiting", code: 2 });
      portal.clock.advance({ hours: 1 });
      expect(await workOnce()).toEqual({ sent: false });
      expect((await logOf()).map(({ event }) => event)).toEqual(["Indkaldelse: Afleveret, venter på svar"]);
    });

    test("lost after the upload, then withdrawn: the outcome is unknown", async () => {
      peer.cut = "afterRename";
      const id = await queue();
      await workOnce();
      portal.clock.advance({ minutes: 1 });
      const recheck = async () => ({ outcome: "withdrawn", detail: "Tiden er flyttet" }) as const;
      await workOnce("eboks", { ...portal, kindHooks: { ...portal.kindHooks, callUp: { recheck } } });
      expect(await rowOf(id)).toMatchObject({ outcome: "unknown", code: 9, detail: "Tiden er flyttet" });
    });

    test("lost for a week: failed, or unknown if an attempt may have got through", async () => {
      peer.cut = "before";
      const [never, perhaps] = [await queue(), await queue()];
      await portal.db
        .updateTable("outbox")
        .set({ providerReference: "netsshare_x.zip" })
        .where("id", "=", perhaps)
        .execute();
      for (const days of [0, 1, 6]) {
        portal.clock.advance({ days });
        expect([(await rowOf(never)).outcome, (await rowOf(perhaps)).outcome]).toEqual(["queued", "queued"]);
        await workOnce();
        await workOnce();
      }
      expect(await rowOf(never)).toMatchObject({ outcome: "failed", attempts: 0 });
      expect(await rowOf(perhaps)).toMatchObject({ outcome: "unknown", code: 9, attempts: 2 });
    });
  });

  test("login refused: reports the channel as down", async () => {
    peer.server.letIn(false);
    const id = await queue();
    expect(await workOnce()).toMatchObject({ sent: true, isChannelDown: true });
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 0 });
    await expect(readReports()).rejects.toThrow("authentication methods failed");
  });
});

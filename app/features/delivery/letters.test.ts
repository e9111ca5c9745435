import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { execute, plainInput } from "~/access/operation.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";
import { aLetterFile } from "../../../tests/factories/letters";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { type NetsSharePeer, startNetsSharePeer } from "../../../tests/support/delivery/nets-share-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readLetterReports } from "./receive-letter-reports.server";
import { sendMessage } from "./send-message.server";
import { settleOverdue } from "./settle-overdue.server";

const caller = systemCaller("test");
type Letters = "eboks" | "print";

forEachDatabase("letters", (dialect) => {
  let peer: NetsSharePeer;
  let portal: TestPortal;
  let storedFileId: number;
  let referralId: number;

  beforeAll(async () => {
    peer = await startNetsSharePeer();
    portal = await createTestPortal(dialect, { env: peer.env });
    // What a call-up asks before it leaves is its own matter.
    portal.kindHooks = { ...portal.kindHooks, callUp: {} };
    storedFileId = await aLetterFile(portal, `%PDF-1.7 ${"Kære Åse. ".repeat(10_000)}`);
    referralId = await aReferral(
      portal,
      await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }),
    );
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  beforeEach(async () => {
    peer.reset();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["outbox", "outbox_attempt", "delivery_event", "visit_log"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const queue = (channel: Letters = "eboks") =>
    portal.db.transaction().execute((tx) =>
      portal.outboxIn(tx)[channel]({
        kind: "callUp",
        to: channel === "eboks" ? "251248-9996" : "Åse Øst\nÅvej 1\n8000 Aarhus C",
        title: "Indkaldelse",
        text: "Kære Åse",
        storedFileId,
        referralId,
      }),
    );
  const workOnce = async (channel: Letters = "eboks", on: Portal = portal) =>
    (await execute(on, caller, sendMessage, plainInput({ owner: "a", channel }))).data;
  const readReports = () => readLetterReports(portal, caller);
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const logOf = () => portal.db.selectFrom("visit_log").select(["event", "log_type"]).orderBy("id").execute();
  const letterIdOf = async (id: number, channel: Letters = "eboks") =>
    `${channel}-${id}-${(await rowOf(id)).row_key!.slice(0, 16)}`;

  async function handedOver(channel: Letters = "eboks") {
    const id = await queue(channel);
    await workOnce(channel);
    peer.receiveShipments();
    await readReports();
    return { id, letterId: await letterIdOf(id, channel) };
  }
  let reports = 0;
  async function report(letterId: string, status: string, reason?: string) {
    peer.report(`DK12345678_${(reports += 1)}.report.xml`, [{ letterId, status, ...(reason ? { reason } : {}) }]);
    await readReports();
  }

  test.each(["eboks", "print"] as const)("%s: handed over, received, and confirmed by a report", async (channel) => {
    const id = await queue(channel);
    expect(await workOnce(channel)).toEqual({ sent: true, isChannelDown: false });
    const letterId = await letterIdOf(id, channel);
    expect(await rowOf(id)).toMatchObject({
      outcome: "awaiting",
      code: 2,
      attempts: 1,
      provider_reference: `netsshare_${letterId}.zip`,
      sent_at: "2026-12-01 09:00:00.000",
      lease_owner: null,
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
      sent_at: "2026-12-01 09:00:00.000",
      settled_at: "2026-12-01 09:05:00.000",
    });
    const log_type = channel === "eboks" ? "EBOKS" : "print";
    expect(await logOf()).toEqual([
      { event: "Indkaldelse: Afleveret, venter på svar", log_type },
      { event: "Indkaldelse: Sendt", log_type },
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
      log_type: "EBOKS",
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

  describe("reports", () => {
    test("a repeated or later report does not change a letter that has reached its final state", async () => {
      const { id, letterId } = await handedOver();
      const again = () => peer.report("same.report.xml", [{ letterId, status: "CONFIRMED" }]);
      again();
      await readReports();
      const whole = await rowOf(id);
      const lines = await logOf();
      again();
      await readReports();
      portal.clock.advance({ days: 3 });
      for (const [status, reason] of [["CONFIRMED"], ["REJECTED", "RECEIVER_NOT_FOUND"], ["RECEIVED"]] as const)
        await report(letterId, status, reason);
      expect(await rowOf(id)).toEqual(whole);
      expect(await logOf()).toEqual(lines);
      expect(peer.outbound()).toEqual([]);
    });

    test("without a receipt for two days the message is listed as a failure; a late receipt still counts", async () => {
      const { id, letterId } = await handedOver();
      portal.clock.advance({ hours: 49 });
      await portal.as(caller.actor, settleOverdue, {});
      expect(await rowOf(id)).toMatchObject({ outcome: "unknown", code: 9 });
      await report(letterId, "SOMETHING_NEW");
      expect((await rowOf(id)).outcome).toBe("unknown");
      await report(letterId, "CONFIRMED");
      expect(await rowOf(id)).toMatchObject({ outcome: "sent", code: 3 });
    });

    test("a report of an unknown letter, another database's or another channel's changes nothing", async () => {
      const { id, letterId } = await handedOver();
      const before = await rowOf(id);
      const others = [
        `eboks-${id}-0123456789abcdef`,
        letterId.replace("eboks", "print"),
        letterId.replace("eboks", "fax"),
        `eboks-${id}-`,
        "eboks-999999-0123456789abcdef",
        "another system's",
        "",
      ];
      peer.report(
        "others.report.xml",
        others.map((each) => ({ letterId: each, status: "REJECTED" })),
      );
      await readReports();
      expect([await rowOf(id), peer.outbound()]).toEqual([before, []]);
    });

    test("leaves a truncated file until it is complete, and reads the others", async () => {
      const { id, letterId } = await handedOver();
      peer.writeReport("half.report.xml", `<report><message id="${letterId}"><status>CONF`);
      await report("eboks-999999-0123456789abcdef", "CONFIRMED");
      expect([peer.outbound(), (await rowOf(id)).outcome]).toEqual([["half.report.xml"], "awaiting"]);
      peer.report("half.report.xml", [{ letterId, status: "CONFIRMED" }]);
      await readReports();
      expect([peer.outbound(), (await rowOf(id)).outcome]).toEqual([[], "sent"]);
    });

    test("a report of more letters than fit in one transaction", async () => {
      const ids: number[] = [];
      for (let n = 0; n < 120; n += 1) ids.push(await queue());
      await portal.db.updateTable("outbox").set({ outcome: "awaiting", code: 2, attempts: 1 }).execute();
      const letters = [];
      for (const id of ids) letters.push({ letterId: await letterIdOf(id), status: "CONFIRMED" });
      peer.report("DK12345678_20261201.report.xml", letters);
      await readReports();
      expect(await portal.db.selectFrom("outbox").select("outcome").distinct().execute()).toEqual([
        { outcome: "sent" },
      ]);
    });

    test("keeps the file of a report that could not be stored", async () => {
      const { letterId } = await handedOver();
      peer.report("later.report.xml", [{ letterId, status: "CONFIRMED" }]);
      const broken = {
        ...portal,
        kindHooks: { ...portal.kindHooks, callUp: { onSettled: () => Promise.reject(new Error("on purpose")) } },
      };
      await expect(readLetterReports(broken, caller)).rejects.toThrow("on purpose");
      expect(peer.outbound()).toEqual(["later.report.xml"]);
      await readReports();
      expect(peer.outbound()).toEqual([]);
    });
  });

  describe("a connection that is lost", () => {
    test("lost during the upload: retried, and sent once", async () => {
      peer.cut = "during";
      const id = await queue();
      await workOnce();
      expect(await rowOf(id)).toMatchObject({ outcome: "queued", code: 0, attempts: 1, provider_reference: null });
      peer.cut = null;
      portal.clock.advance({ minutes: 1 });
      await workOnce();
      peer.receiveShipments();
      expect([(await rowOf(id)).outcome, peer.shipments.length]).toEqual(["awaiting", 1]);
    });

    test("lost after the upload: the second shipment is refused as a duplicate, and nothing is sent twice", async () => {
      peer.cut = "afterRename";
      const id = await queue();
      await workOnce();
      expect(await rowOf(id)).toMatchObject({ outcome: "queued", provider_reference: expect.any(String) as string });
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

    const tryOut = async () => {
      for (let turn = 0; turn < 9; turn += 1) {
        await workOnce();
        portal.clock.advance({ hours: 1 });
      }
    };

    test("lost for four hours: failed, or unknown if an attempt may have got through", async () => {
      peer.cut = "before";
      const [never, perhaps] = [await queue(), await queue()];
      await portal.db
        .updateTable("outbox")
        .set({ provider_reference: "netsshare_x.zip" })
        .where("id", "=", perhaps)
        .execute();
      await tryOut();
      await tryOut();
      expect(await rowOf(never)).toMatchObject({ outcome: "failed", code: 1, attempts: 9 });
      expect(await rowOf(perhaps)).toMatchObject({ outcome: "unknown", code: 9, attempts: 9 });
    });
  });

  test("login refused: reports the channel as down", async () => {
    peer.server.letIn(false);
    const id = await queue();
    expect(await workOnce()).toEqual({ sent: true, isChannelDown: true });
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 1 });
    await expect(readReports()).rejects.toThrow("authentication methods failed");
  });
});

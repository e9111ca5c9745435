// @module-tag matrix
// @module-tag openssh
import { rmSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "~/config/config.server";
import { type NetsSharePeer, startNetsSharePeer } from "../../../tests/support/peers/nets-share-peer";
import { FileNotInStore } from "../file-store/port";
import type { AttachedFile } from "../sending/port";
import { createNetsShareEboks, createNetsSharePrint } from "./letters.server";
import { createOutbound } from "./outbound.server";
import type { NetsShareSettings, ReportFile } from "./port";

const pdf = Buffer.from(`%PDF-1.7 ${"Kære Åse. ".repeat(20_000)}`);
const file: AttachedFile = { name: "brev.pdf", sizeBytes: pdf.length, open: async () => Readable.from([pdf]) };
const letter = {
  key: "outbox-12",
  letterId: "eboks-12-0f3c",
  cpr: "251248-9996",
  title: "Indkaldelse",
  text: "",
  file,
};
const SHIPMENT = "netsshare_eboks-12-0f3c.zip";
const inTime = () => AbortSignal.timeout(30_000);

const settingsOf = (peer: NetsSharePeer, more: Record<string, string> = {}) =>
  loadConfig({ NODE_ENV: "test", APP_SECRET: "test-secret-that-is-long-enough-for-the-rule", ...peer.env, ...more })
    .netsShare!;

describe("letters by SFTP", () => {
  let peer: NetsSharePeer;
  let settings: NetsShareSettings;
  beforeAll(async () => {
    peer = await startNetsSharePeer();
    settings = settingsOf(peer);
  });
  afterAll(() => peer.stop());
  afterEach(() => peer.reset());

  const send = (more: Partial<typeof letter> = {}, as = settings, signal = inTime()) =>
    createNetsShareEboks(as).send({ ...letter, ...more }, signal);

  test("a letter is one shipment with its very PDF, under its whole name", async () => {
    expect(await send()).toEqual({ outcome: "accepted", detail: "", reference: SHIPMENT });
    expect(peer.inbound()).toEqual([SHIPMENT]);
    peer.receiveShipments();
    expect(peer.shipments.map(({ letterId, pdf: sent }) => [letterId, sent.equals(pdf)])).toEqual([
      ["eboks-12-0f3c", true],
    ]);
    expect(peer.shipments[0]!.xml).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<shipment xmlns="http://www.nets.eu/nets-share/1.6" xmlns:eboks="http://www.nets.eu/nets-share/1.6/eboks" xmlns:print="http://www.nets.eu/nets-share/1.6/print">` +
        "<shipmentInfo><shipmentId>eboks-12-0f3c</shipmentId><sender><corporateIdentityNumber>12345678</corporateIdentityNumber><country>DK</country></sender></shipmentInfo>" +
        '<messages><message id="eboks-12-0f3c"><sender><senderName>Kæbekirurgisk Klinik</senderName><corporateIdentityNumber>12345678</corporateIdentityNumber><country>DK</country><eboks:eboksId>15723</eboks:eboksId></sender>' +
        "<eboks:receiver><eboks:personIdentityNumber>2512489996</eboks:personIdentityNumber><eboks:country>DK</eboks:country></eboks:receiver>" +
        "<eboks:config><eboks:description>Indkaldelse</eboks:description><eboks:realTime>true</eboks:realTime></eboks:config>" +
        "<document><documentType>163057</documentType><filepath>eboks-12-0f3c.pdf</filepath></document></message></messages></shipment>\n",
    );
  });

  test("many letters use one connection, reopened when it was closed", async () => {
    const gateway = createNetsShareEboks(settings);
    const sendTo = (n: number) => gateway.send({ ...letter, letterId: `eboks-${n}-0f3c` }, inTime());
    const before = peer.connections;
    for (let n = 1; n <= 5; n += 1) expect(await sendTo(n)).toMatchObject({ outcome: "accepted" });
    expect(peer.connections - before).toBe(1);
    peer.hangUp();
    expect(await sendTo(6)).toMatchObject({ outcome: "accepted" });
    peer.receiveShipments();
    expect([peer.connections - before, peer.shipments.length]).toEqual([2, 6]);
  });

  test("a printed letter carries its address, and where it goes back to", async () => {
    const address = ["Åse <b> & Søn", 'Øvej 1, "st."', "8000 Aarhus C"];
    const message = { key: "outbox-13", letterId: "print-13-0f3c", address, title: "Indkaldelse", text: "", file };
    expect(await createNetsSharePrint(settings).send(message, inTime())).toMatchObject({ outcome: "accepted" });
    peer.receiveShipments();
    expect(peer.shipments[0]!.xml).toContain(
      "<print:receiver><print:name>Åse &lt;b&gt; &amp; Søn</print:name><print:addressLine>Øvej 1, &quot;st.&quot;</print:addressLine>" +
        "<print:addressLine>8000 Aarhus C</print:addressLine><print:country>DK</print:country></print:receiver>" +
        "<print:config><print:returnAddress><print:name>Kæbekirurgisk Klinik</print:name><print:addressLine>Åvej 1</print:addressLine>",
    );
    expect(peer.shipments[0]!.xml).toContain("<documentType>163058</documentType>");
  });

  test("a title stays text: markup and control characters break nothing", async () => {
    await send({ title: "]]></eboks:description><x a='1'>&#0;\u0000\u001b\uD800 å" });
    peer.receiveShipments();
    expect(peer.shipments[0]!.xml).toContain(
      "<eboks:description>]]&gt;&lt;/eboks:description&gt;&lt;x a=&apos;1&apos;&gt;&amp;#0; å</eboks:description>",
    );
  });

  test.each([
    ["a title of 51 characters", { title: "å".repeat(51) }, 5],
    ["no CPR number", { cpr: "2512489996x" }, 6],
    ["a PDF of more than 10 MB", { file: { ...file, sizeBytes: 10 * 1024 * 1024 + 1 } }, undefined],
    [
      "a PDF that is gone",
      {
        file: {
          ...file,
          open: async () => {
            throw new FileNotInStore();
          },
        },
      },
      undefined,
    ],
  ])("%s is refused before anybody is asked", async (_, more, code) => {
    peer.cut = "before";
    const { outcome, code: sentCode } = await send(more);
    expect([outcome, sentCode]).toEqual(["refused", code]);
  });

  describe("a connection that is lost", () => {
    test("before the upload: nothing is stored, the channel is down, and it is retried", async () => {
      peer.cut = "before";
      expect(await send()).toMatchObject({ outcome: "retry", code: 1, isChannelDown: true });
      expect(await send({}, { ...settings, port: 1 })).toMatchObject({ outcome: "retry", isChannelDown: true });
      expect(await send({}, { ...settings, host: "findes-ikke.invalid" })).toMatchObject({ isChannelDown: true });
      expect(peer.inbound()).toEqual([]);
    });

    test("during the upload: the partial file is overwritten by the next attempt", async () => {
      peer.cut = "during";
      const result = await send();
      expect(result).toMatchObject({ outcome: "retry", code: 1, isChannelDown: false });
      expect((result as { reference?: string }).reference).toBeUndefined();
      expect(peer.inbound()).toEqual([`${SHIPMENT}.part`]);
      peer.receiveShipments();
      expect(peer.shipments).toEqual([]);
      peer.cut = null;
      expect(await send()).toMatchObject({ outcome: "accepted" });
      peer.receiveShipments();
      expect([peer.inbound(), peer.shipments.length, peer.shipments[0]!.pdf.equals(pdf)]).toEqual([[], 1, true]);
    });

    test("after the upload: unknown, and the next attempt finds the file", async () => {
      peer.cut = "afterRename";
      expect(await send()).toMatchObject({ outcome: "retry", reference: SHIPMENT });
      peer.cut = null;
      expect(await send()).toMatchObject({ outcome: "accepted" });
      peer.receiveShipments();
      expect(peer.shipments).toHaveLength(1);
    });

    test("once accepted: a second shipment of that name is a duplicate", async () => {
      peer.cut = "afterRename";
      await send();
      peer.cut = null;
      peer.receiveShipments();
      await send();
      peer.receiveShipments();
      expect(peer.shipments).toHaveLength(1);
      const readFiles: ReportFile[] = [];
      await createOutbound(settings).readEach(async (each) => (readFiles.push(each), "taken"));
      expect(readFiles.map(({ reports }) => reports)).toMatchObject([
        [{ letterId: "eboks-12-0f3c", state: "received", detail: "This shipment has already been received before" }],
      ]);
    });
  });

  test("a server that falls silent is given up with the attempt, and its socket with it", async () => {
    peer.cut = "falls silent";
    const before = Date.now();
    expect(await send({}, settings, AbortSignal.timeout(1500))).toMatchObject({ outcome: "retry", code: 1 });
    // The time limit of the attempt plus five seconds for closing.
    expect(Date.now() - before).toBeLessThan(15_000);
  });

  test("is down when login, host key or key fail", async () => {
    peer.server.letIn(false);
    expect(await send()).toMatchObject({ outcome: "retry", code: 1, isChannelDown: true });
    peer.server.letIn(true);
    const elsewhere = { ...settings, hostKey: `SHA256:${"A".repeat(43)}` };
    expect(await send({}, elsewhere)).toMatchObject({ outcome: "retry", code: 1, isChannelDown: true });
    expect(await send({}, { ...settings, keyFile: "/nowhere" })).toMatchObject({ isChannelDown: true });
    expect(peer.inbound()).toEqual([]);
  });

  test("reports the channel as down when the folder is missing", async () => {
    rmSync(peer.folders.inbound, { recursive: true });
    expect(await send()).toMatchObject({ outcome: "retry", code: 1, isChannelDown: true });
    rmSync(peer.folders.outbound, { recursive: true });
    await expect(createOutbound(settings).readEach(async () => "taken")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("reads reports in order and deletes those that were processed", async () => {
    await send();
    peer.receiveShipments();
    peer.report("DK12345678_20261201.report.xml", [{ letterId: "eboks-12-0f3c", status: "CONFIRMED" }]);
    peer.writeReport("unreadable.bin", "\u0000not XML");
    const readFiles: ReportFile[] = [];
    const readAll = () =>
      createOutbound(settings).readEach(
        async (each) => (readFiles.push(each), each.reports === null ? "left" : "taken"),
      );
    await readAll();
    expect(readFiles).toMatchObject([
      { name: `tTEST_DK12345678_0001_${SHIPMENT}.receipt`, reports: [{ state: "received" }] },
      { name: "DK12345678_20261201.report.xml", reports: [{ state: "delivered", letterId: "eboks-12-0f3c" }] },
      { name: "unreadable.bin", reports: null },
    ]);
    expect(peer.outbound()).toEqual(["unreadable.bin"]);
  });
});

describe("a full disk", () => {
  let peer: NetsSharePeer;
  beforeEach(async () => {
    peer = await startNetsSharePeer({ maxFileKilobytes: 64 });
  });
  afterEach(() => peer.stop());

  test("a letter that was not stored completely is retried", async () => {
    expect(await createNetsShareEboks(settingsOf(peer)).send(letter, inTime())).toMatchObject({
      outcome: "retry",
      code: 1,
      isChannelDown: false,
    });
    expect(peer.inbound()).toEqual([`${SHIPMENT}.part`]);
  });
});

// @module-tag matrix
// @module-tag openssh
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import type { CrashStep } from "../../../tests/support/crash/child";
import { deaths, killedPortal, LONG } from "../../../tests/support/portals/killed-portal";
import { aLetterFile } from "../../../tests/factories/letters";
import { type NetsSharePeer, startNetsSharePeer } from "../../../tests/support/peers/nets-share-peer";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../../tests/support/peers/gatewayapi-peer";
import { type SmtpPeer, startSmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { type ChannelName, channelNames, type Outcome } from "./delivery-outcome";
import { sendMessage } from "./send-message.server";

const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };
type MessageChannel = Exclude<ChannelName, "archive">;
const messageChannels = channelNames.filter((name): name is MessageChannel => name !== "archive");

forEachDatabase("kill -9", (dialect) => {
  let smtp: SmtpPeer;
  let gatewayApi: GatewayApiPeer;
  let netsShare: NetsSharePeer;
  let portal: TestPortal;

  beforeAll(async () => {
    smtp = await startSmtpPeer();
    gatewayApi = await startGatewayApiPeer();
    netsShare = await startNetsSharePeer();
  });
  afterAll(async () => {
    await smtp.stop();
    await gatewayApi.stop();
    await netsShare.stop();
  });

  const { run, lastStatement } = killedPortal(
    dialect,
    (opened) => {
      portal = opened;
      portal.kindHooks = { ...portal.kindHooks, callUp: {} };
    },
    () => ({ SMTP_URL: smtp.url, SMS_URL: gatewayApi.url, SMS_TOKEN, ...netsShare.env }),
  );

  /**
   * Expected end per channel: `sure` without doubt, `doubtful` when the process died while sending. A letter may be
   * sent again, since a second shipment is refused as a duplicate.
   */
  const ways: Record<MessageChannel, { sure: Outcome; doubtful: Outcome }> = {
    email: { sure: "sent", doubtful: "unknown" },
    sms: { sure: "sent", doubtful: "unknown" },
    eboks: { sure: "awaiting", doubtful: "awaiting" },
    print: { sure: "awaiting", doubtful: "awaiting" },
    edi: { sure: "sent", doubtful: "sent" },
  };

  describe.each(messageChannels)("during a send by %s", (channel) => {
    const steps: CrashStep[] = [{ does: "sendMessages", times: 1, channel }];
    const { sure, doubtful } = ways[channel];
    let storedFileId: number;
    beforeAll(async () => {
      storedFileId = await aLetterFile(portal);
    });
    const receiver = (n: number) => {
      const two = String(n).padStart(2, "0");
      if (channel === "email") return `modtager${n}@eksempel.dk`;
      if (channel === "sms") return `+45400000${two}`;
      if (channel === "edi") return `57900001203${two}`;
      return channel === "eboks" ? `25124899${two}` : `Åse Øst ${two}\nÅvej ${n}\n8000 Aarhus C`;
    };
    const queue = (to: string) =>
      portal.db.transaction().execute((tx) => {
        const outbox = portal.outboxIn(tx);
        const message = { kind: "testMessage", to, text: "Tekst" } as const;
        if (channel === "email") return outbox.email({ ...message, subject: "Emne", html: "<p>Tekst</p>" });
        if (channel === "sms") return outbox.sms(message);
        if (channel === "edi") return outbox.edi({ kind: "ediReceipt", to, syntax: "xml", text: `<to>${to}</to>` });
        return outbox[channel]({ kind: "callUp", to, text: "Tekst", title: "Indkaldelse", storedFileId });
      });
    const arrivedAt = (to: string) => {
      if (channel === "email") return smtp.deliveries.filter((mail) => mail.to === to).length;
      if (channel === "edi") return ediFilesTo(to);
      if (channel === "sms") return gatewayApi.deliveries.filter((sms) => `+${sms.recipient}` === to).length;
      netsShare.receiveShipments();
      return netsShare.shipments.filter(({ xml }) => xml.includes(`>${to.split("\n")[0]}<`)).length;
    };

    const ediFilesTo = (to: string) => {
      const out = path.join(portal.config.dataDir, "edi", "out");
      return readdirSync(out).filter((name) => readFileSync(path.join(out, name), "utf8").includes(`<to>${to}<`))
        .length;
    };

    /** Runs workers until nothing is due, now and a day later. */
    async function comesAround(on: Portal = portal) {
      for (const hours of [0, 1, 24]) {
        portal.clock.advance({ hours, minutes: 3 });
        while ((await execute(on, worker, sendMessage, plainInput({ owner: "fresh", channel }))).data?.sent === true);
      }
    }

    async function expectReported(id: number, to: string) {
      const row = await portal.db
        .selectFrom("outbox")
        .select(["outcome", "leaseOwner"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const arrived = arrivedAt(to);
      if (row.outcome === sure) expect(arrived).toBe(1);
      else expect(row).toEqual({ outcome: doubtful, leaseOwner: null });
      expect(arrived).toBeLessThanOrEqual(1);
      return { outcome: row.outcome, arrived };
    }

    test(
      "before its statements: sent once or left for a person; never lost or doubled",
      async () => {
        await queue(receiver(0));
        const last = await lastStatement(steps);
        expect(arrivedAt(receiver(0))).toBe(1);
        expect(last).toBeGreaterThan(6);
        const ends: { outcome: string; arrived: number }[] = [];
        for (const n of deaths(dialect, last)) {
          const to = receiver(n);
          const id = await queue(to);
          expect(await run({ dieBefore: n, steps })).toMatchObject({ signal: "SIGKILL" });
          await comesAround();
          ends.push(await expectReported(id, to));
        }
        // Both cases occurred: killed before sending began, and after the message had arrived.
        expect(ends[0]).toEqual({ outcome: sure, arrived: 1 });
        expect(ends.at(-1)).toEqual({ outcome: doubtful, arrived: 1 });
      },
      LONG,
    );

    test(
      "right after the gateway's yes: arrived once, with what is known of it",
      async () => {
        const id = await queue(receiver(90));
        expect(await run({ dieBefore: null, dieAfterSending: true, steps })).toMatchObject({ signal: "SIGKILL" });
        expect(arrivedAt(receiver(90))).toBe(1);
        await comesAround();
        expect(await expectReported(id, receiver(90))).toEqual({ outcome: doubtful, arrived: 1 });
      },
      LONG,
    );

    test(
      "two processes at once deliver each message once",
      async () => {
        const receivers = Array.from({ length: 8 }, (_, index) => receiver(70 + index));
        for (const to of receivers) await queue(to);
        const drain: CrashStep[] = [{ does: "sendMessages", times: 12, channel }];
        const ended = await Promise.all([
          run({ dieBefore: null, steps: drain }),
          run({ dieBefore: null, steps: drain }),
        ]);
        expect(ended.map(({ errors }) => errors)).toEqual(["", ""]);
        expect(receivers.map(arrivedAt)).toEqual(receivers.map(() => 1));
      },
      LONG,
    );
  });
});

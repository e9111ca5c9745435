import { createServer } from "node:net";
import { addDays } from "date-fns";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { createSmtpGateway } from "~/gateways/email/smtp.server";
import { createGatewayApi } from "~/gateways/sms/gatewayapi.server";
import type { Portal } from "~/portal.server";
import { aLetterFile } from "../../../tests/factories/letters";
import { type CuttingProxy, startCuttingProxy } from "../../../tests/support/peers/cutting-proxy";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../../../tests/support/peers/gatewayapi-peer";
import { listening } from "../../../tests/support/peers/listening";
import { type Cut, type NetsSharePeer, startNetsSharePeer } from "../../../tests/support/peers/nets-share-peer";
import { type SmtpPeer, startSmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { channels } from "./channels/index.server";
import { sendMessage } from "./send-message.server";

/* The line of each channel to its provider breaks in every way; what was surely not handed over arrives once, the rest is a person's to ask about. */

const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };
const CHANNELS = ["email", "sms", "eboks", "print"] as const;
type Tried = (typeof CHANNELS)[number];

/** `notHandedOver`: the message waits and arrives once. `perhaps`: one that may have arrived is asked about, and does not arrive a second time. */
type End = "notHandedOver" | "perhaps";

const faults: Record<Tried, Record<string, End>> = {
  email: {
    "refuses the port": "notHandedOver",
    "has an unknown name": "notHandedOver",
    "breaks TLS": "notHandedOver",
    "is away for a day": "notHandedOver",
    "closes before the greeting": "notHandedOver",
    "is silent": "notHandedOver",
    "closes within the commands": "notHandedOver",
    "closes within the message": "perhaps",
    "closes after the message": "perhaps",
    "is slow": "notHandedOver",
  },
  sms: {
    "refuses the port": "notHandedOver",
    "has an unknown name": "notHandedOver",
    "breaks TLS": "notHandedOver",
    "is away for a day": "notHandedOver",
    "closes within the message": "perhaps",
    "closes after the message": "perhaps",
    "is silent": "perhaps",
    "is slow": "notHandedOver",
    "answers 429": "notHandedOver",
    "answers 500": "perhaps",
    "answers 502": "perhaps",
    "answers 503": "notHandedOver",
  },
  // Their provider knows a letter that comes twice, so nothing is in doubt.
  eboks: {
    "refuses the login": "notHandedOver",
    "is away for a day": "notHandedOver",
    "closes before the greeting": "notHandedOver",
    "closes within the message": "notHandedOver",
    "closes after the message": "notHandedOver",
    "is silent": "notHandedOver",
  },
  print: { "closes within the message": "notHandedOver", "closes after the message": "notHandedOver" },
};

/** `npm test` tries one fault a channel on each database; `npm run fuzz` all. */
const drawn = (channel: Tried, dialect: string) => {
  const all = Object.entries(faults[channel]);
  if (process.env.FUZZ_RUNS) return all;
  return all.filter(
    ([fault]) => fault === (dialect === "sqlite" ? "closes within the message" : "closes after the message"),
  );
};

forEachDatabase("a provider that is away", (dialect) => {
  let portal: TestPortal;
  let smtp: SmtpPeer;
  let gatewayApi: GatewayApiPeer;
  let netsShare: NetsSharePeer;
  let mailLine: CuttingProxy;
  let smsLine: CuttingProxy;
  let storedFileId: number;
  const listen = listening();

  beforeAll(async () => {
    smtp = await startSmtpPeer();
    gatewayApi = await startGatewayApiPeer();
    netsShare = await startNetsSharePeer();
    mailLine = await startCuttingProxy(Number(new URL(smtp.url).port));
    smsLine = await startCuttingProxy(Number(new URL(gatewayApi.url).port));
    const env = { SMTP_URL: smtp.url, SMS_URL: gatewayApi.url, SMS_TOKEN, ...netsShare.env };
    portal = await createTestPortal(dialect, { env });
    portal.kindHooks = { ...portal.kindHooks, callUp: {} };
    storedFileId = await aLetterFile(portal);
  });
  afterAll(async () => {
    await portal.close();
    for (const peer of [mailLine, smsLine]) await peer.close();
    for (const peer of [smtp, gatewayApi, netsShare]) await peer.stop();
  });
  beforeEach(() => {
    for (const peer of [smtp, gatewayApi, netsShare]) peer.reset();
  });

  const queue = (channel: Tried) =>
    portal.db.transaction().execute((tx) => {
      const outbox = portal.outboxIn(tx);
      if (channel === "email")
        return outbox.email({
          kind: "statusNews",
          to: "a@eksempel.dk",
          subject: "Emne",
          text: LONG_TEXT,
          html: LONG_TEXT,
        });
      if (channel === "sms")
        return outbox.sms({
          kind: "testMessage",
          to: "+4540000001",
          text: "Tekst",
          expiresAt: addDays(portal.clock.now(), 7),
        });
      const to = channel === "eboks" ? "251248-9996" : "Åse Øst\nÅvej 1\n8000 Aarhus C";
      return outbox[channel]({ kind: "callUp", to, text: "Tekst", title: "Indkaldelse", storedFileId });
    });
  const arrived = (channel: Tried) => {
    if (channel === "email") return smtp.deliveries.length;
    if (channel === "sms") return gatewayApi.deliveries.length;
    netsShare.receiveShipments();
    return netsShare.shipments.length;
  };
  const work = (channel: Tried, on: Portal = portal) =>
    execute(on, worker, sendMessage, plainInput({ owner: "a", channel }));
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  /** The portal, whose way to the provider leads elsewhere. */
  const through = (host: string, scheme = ""): Portal => ({
    ...portal,
    email: createSmtpGateway(`smtp${scheme}://${host}`),
    sms: createGatewayApi({ url: `http${scheme}://${host}`, token: SMS_TOKEN, webhookSecret: null }),
  });
  const portOf = ({ origin }: CuttingProxy) => new URL(origin).port;
  const closedPort = async () => {
    const gone = await startGatewayApiPeer();
    await gone.stop();
    return new URL(gone.url).host;
  };
  const lineOf = (channel: Tried) => (channel === "email" ? mailLine : smsLine);
  const onLine = (channel: Tried) => through(`127.0.0.1:${portOf(lineOf(channel))}`);
  /** The bytes of the client up to the part of the exchange that is cut. */
  const cutAfter = (channel: Tried, bytes: number) => {
    lineOf(channel).cutAt(lineOf(channel).received() + bytes);
    return work(channel, onLine(channel));
  };
  const onLetters = (cut: Cut, channel: Tried) => {
    netsShare.cut = cut;
    return work(channel);
  };
  const answering = (status: number) => (channel: Tried) => {
    gatewayApi.refuse = { status, body: {} };
    return work(channel);
  };
  const isLetter = (channel: Tried) => channel === "eboks" || channel === "print";

  const breaks: Record<string, (channel: Tried) => Promise<unknown>> = {
    "refuses the port": async (channel) => work(channel, through(await closedPort())),
    "has an unknown name": (channel) => work(channel, through("nichts.invalid")),
    async "breaks TLS"(channel) {
      const plain = await listen(createServer((socket) => socket.on("error", () => undefined).end("no TLS\r\n")));
      return work(channel, through(`127.0.0.1:${plain}`, "s"));
    },
    async "is away for a day"(channel) {
      const away = through(await closedPort());
      if (isLetter(channel)) netsShare.cut = "before";
      for (let hour = 0; hour < 24; hour += 1) {
        await work(channel, isLetter(channel) ? portal : away);
        portal.clock.advance({ hours: 1 });
      }
    },
    async "closes before the greeting"(channel) {
      if (isLetter(channel)) return onLetters("before", channel);
      const rude = await listen(createServer((socket) => socket.on("error", () => undefined).destroy()));
      return work(channel, through(`127.0.0.1:${rude}`));
    },
    async "is silent"(channel) {
      const limits = channels[channel] as { timeoutSeconds: number };
      const { timeoutSeconds } = limits;
      limits.timeoutSeconds = 1;
      try {
        if (isLetter(channel)) return await onLetters("falls silent", channel);
        const silent = await listen(createServer((socket) => socket.on("error", () => undefined).resume()));
        return await work(channel, through(`127.0.0.1:${silent}`));
      } finally {
        limits.timeoutSeconds = timeoutSeconds;
      }
    },
    "closes within the commands": (channel) => cutAfter(channel, 10),
    "closes within the message": (channel) =>
      isLetter(channel) ? onLetters("during", channel) : cutAfter(channel, channel === "email" ? 20_000 : 100),
    async "closes after the message"(channel) {
      if (isLetter(channel)) return onLetters("afterRename", channel);
      smtp.afterData = "close";
      gatewayApi.afterTaking = "close";
      return work(channel);
    },
    async "is slow"(channel) {
      smtp.holdRecipient = () => new Promise((resolve) => setTimeout(resolve, 700));
      return work(channel);
    },
    async "refuses the login"(channel) {
      netsShare.hangUp();
      netsShare.server.letIn(false);
      return work(channel);
    },
    ...Object.fromEntries([429, 500, 502, 503].map((status) => [`answers ${status}`, answering(status)])),
  };
  const mend = () => {
    Object.assign(smtp, { afterData: "accept", holdRecipient: null });
    Object.assign(gatewayApi, { afterTaking: "accept", refuse: null });
    netsShare.cut = null;
    netsShare.server.letIn(true);
    for (const line of [mailLine, smsLine]) line.cutAt(Infinity);
  };

  describe.each(CHANNELS)("%s", (channel) => {
    test.each(drawn(channel, dialect))(
      "%s: %s",
      async (fault, end) => {
        await portal.db.deleteFrom("outbox").execute();
        const id = await queue(channel);
        await breaks[fault]!(channel);
        mend();
        const { outcome: atOnce } = await rowOf(id);
        // No message has failed, and only one that may have left is in doubt.
        expect(["queued", "unknown", "sent", "awaiting"]).toContain(atOnce);
        if (end === "notHandedOver") expect(atOnce).not.toBe("unknown");
        for (const minutes of [1, 16, 24 * 60]) {
          portal.clock.advance({ minutes });
          while ((await work(channel)).data?.sent === true);
        }
        const { outcome } = await rowOf(id);
        if (outcome === "unknown") expect([end, arrived(channel) <= 1]).toEqual(["perhaps", true]);
        else expect([["sent", "awaiting"].includes(outcome), arrived(channel)]).toEqual([true, 1]);
      },
      120_000,
    );
  });
});

/** So long that a line can be cut in the middle of a mail. */
const LONG_TEXT = "Kære patient, din tid er flyttet. ".repeat(1_500);

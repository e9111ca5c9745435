import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { SECRET, signIn, startServer } from "../../../scripts/test-server.mjs";
import { aClinic, aPerson } from "../../factories/people";
import { aQueuedMessage, type Queued, type Tried } from "../../factories/queued-messages";
import { startBuiltWorker } from "../built-process";
import { cert, startRegister } from "../peers/cpr-direct-peer";
import { type FaultyLine, startFaultyLine } from "../peers/faulty-line";
import { startGatewayApiPeer, SMS_TOKEN } from "../peers/gatewayapi-peer";
import { startNetsSharePeer } from "../peers/nets-share-peer";
import { startOrthanc } from "../peers/orthanc";
import { selfSigned } from "../peers/self-signed";
import { startSmtpPeer } from "../peers/smtp-peer";
import { createTestPortal, type Dialect, testClock } from "../test-portal";

/** What stands between the portal and the world; e-Boks and letters on paper go the same way. */
export type LineName = "email" | "sms" | "letters" | "edi" | "archive" | "register";
export const lineOf = (channel: Tried): LineName => (channel === "eboks" || channel === "print" ? "letters" : channel);

/** `serve`: one process. `worker`: the web side by itself, and a worker beside it. */
export type Command = "serve" | "worker";

export type OutagesPortal = Awaited<ReturnType<typeof openOutagesPortal>>;

interface Options {
  /** The way to its MariaDB, from there on. */
  viaDatabase?(url: string): Promise<string>;
  /** Where its data folder is made. */
  dataIn?: string;
}

/** Providers of every channel behind lines that may be at fault, and a database in which messages wait for a built portal. */
export async function openOutagesPortal(
  dialect: Dialect,
  { viaDatabase = async (url) => url, dataIn = os.tmpdir() }: Options = {},
) {
  const tls = selfSigned();
  const servers: Server[] = [];
  const register = await startRegister(async (server) => {
    servers.push(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  });
  register.knows = () => ({ 218: "Åvej 1", 286: "8000", 290: "Aarhus C", 332: "Søren", 382: "Møller" });
  const peers = {
    smtp: await startSmtpPeer(tls),
    gatewayApi: await startGatewayApiPeer(tls),
    netsShare: await startNetsSharePeer(),
    orthanc: await startOrthanc(),
    register,
  };
  const ports: Record<LineName, number> = {
    email: Number(new URL(peers.smtp.url).port),
    sms: Number(new URL(peers.gatewayApi.url).port),
    letters: peers.netsShare.server.port,
    edi: peers.netsShare.server.port,
    archive: peers.orthanc.port,
    register: register.port,
  };
  const lines = {} as Record<LineName, FaultyLine>;
  for (const name of Object.keys(ports) as LineName[]) lines[name] = await startFaultyLine(ports[name]);

  const moved = { clockMs: 0, passedMs: 0 };
  const now = () => new Date(Date.now() + moved.clockMs);
  const portal = await createTestPortal(dialect, {
    clock: { ...testClock(), now },
    env: { APP_SECRET: SECRET, IMAGE_ARCHIVE: "dimse://ORTHANC@127.0.0.1:1" },
    dataIn,
  });
  const { dataDir } = portal.config;
  const at = (name: string) => path.join(dataDir, name);
  for (const folder of ["in", "out"])
    mkdirSync(path.join(peers.netsShare.server.folder, "edi", folder), { recursive: true });
  const ediOut = path.join(peers.netsShare.server.folder, "edi", "out");
  const ediFiles = () => readdirSync(ediOut);
  const isWhole = (name: string) => !name.endsWith(".part");
  writeFileSync(at("ca.pem"), tls.cert);
  writeFileSync(at("register.pem"), cert);
  const writeClock = () => writeFileSync(at("clock.json"), JSON.stringify(moved));
  writeClock();

  const senders = {
    admin: await aPerson(portal, { role: "Admin", userName: "admin", password: "Demo1234" }),
    dentist: await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }),
  };
  const databaseUrl = portal.config.databaseUrl && (await viaDatabase(portal.config.databaseUrl));

  /** The settings of the built portal. The names of `unknown` lines are known to nobody. */
  const settings = (unknown: readonly LineName[] = []): Record<string, string> => {
    const to = (name: LineName) => `${unknown.includes(name) ? "nichts.invalid" : "127.0.0.1"}:${lines[name].port}`;
    const { user, folder, keyFile, hostKey } = peers.netsShare.server;
    return {
      ...peers.netsShare.env,
      NODE_ENV: "test",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      NODE_EXTRA_CA_CERTS: at("ca.pem"),
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "..", "moved-clock.mjs")}`,
      CLOCK_FILE: at("clock.json"),
      SMTP_URL: `smtp://${to("email")}`,
      SMS_URL: `https://${to("sms")}`,
      SMS_TOKEN,
      NETS_SHARE_URL: `sftp://${user}@${to("letters")}${folder}`,
      EDI_SFTP_URL: `sftp://${user}@${to("edi")}${folder}/edi`,
      EDI_SFTP_KEY_FILE: keyFile,
      EDI_SFTP_HOST_KEY: hostKey,
      EDI_GLN: "5790000000005",
      IMAGE_ARCHIVE: `dimse://ORTHANC@${to("archive")}?calling=PORTAL`,
      CPR_URL: `tls://${to("register")}`,
      CPR_CUSTOMER: "0384",
      CPR_USER: "KLINIK1",
      CPR_PASSWORD: "hemmelig",
      CPR_CA_FILE: at("register.pem"),
    };
  };

  return {
    portal,
    peers,
    lines,
    now,
    /** Time passes for the processes; negative: their clock is set back. */
    advance({ minutes }: { minutes: number }) {
      moved.clockMs += minutes * 60_000;
      moved.passedMs += Math.max(0, minutes * 60_000);
      writeClock();
    },
    async start(command: Command, unknown?: readonly LineName[]) {
      const env = settings(unknown);
      const server = await startServer({ env: { ...env, WORKER: command === "serve" ? "on" : "off" } });
      const worker = command === "worker" ? startBuiltWorker(env) : null;
      return {
        origin: server.origin,
        async stop() {
          await Promise.all([server.stop(), worker?.stop()]);
        },
      };
    },
    /** The web side by itself. */
    startWeb: () => startServer({ env: { ...settings(), WORKER: "off" } }),
    startWorker: () => startBuiltWorker(settings()),
    queue: (channel: Tried) => aQueuedMessage(portal, senders, channel),
    /** Number of complete files at the far end of a connection. */
    filesAt: (line: "letters" | "edi") =>
      (line === "edi" ? ediFiles() : peers.netsShare.inbound()).filter(isWhole).length,
    /** How many times a message arrived at its provider. */
    async arrived({ channel, mark }: Queued): Promise<number> {
      const { smtp, gatewayApi, netsShare, orthanc } = peers;
      if (channel === "email") return smtp.deliveries.filter(({ to }) => to === mark).length;
      if (channel === "sms") return gatewayApi.deliveries.filter(({ reference }) => reference === mark).length;
      if (channel === "archive")
        return (await orthanc.instances()).filter(({ AccessionNumber }) => AccessionNumber === mark).length;
      if (channel === "edi")
        return ediFiles().filter(
          (name) => isWhole(name) && readFileSync(path.join(ediOut, name), "latin1").includes(`<to>${mark}<`),
        ).length;
      netsShare.receiveShipments();
      return netsShare.shipments.filter(({ letterId }) => letterId.startsWith(`${mark}-`)).length;
    },
    /** The messages of a channel that the page 'Fejl' lists, each as often as it does. */
    async failures(origin: string, channel: Tried): Promise<number[]> {
      const cookie = await signIn(origin, "admin");
      const answer = await fetch(`${origin}/management/logs?type=fejl&kanal=${channel}`, { headers: { cookie } });
      return [...(await answer.text()).matchAll(/<li id="f(\d+)"/g)].map(([, id]) => Number(id));
    },
    async close() {
      await portal.close();
      for (const line of Object.values(lines)) await line.close();
      for (const peer of [peers.smtp, peers.gatewayApi, peers.netsShare, peers.orthanc]) await peer.stop();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

/**
 * `npm run cluster [-- --seconds 90]`: the portal on two machines, played on this one. Two web processes and two workers, two Galera nodes and an
 * arbitrator, one S3 store (Swift), behind haproxy with the configuration of `deploy/`. While dentists send referrals and staff answer
 * them, processes and the database node that writes are killed (SIGKILL), and come back. At the end every change that was acknowledged must
 * be there, and no mail may have come twice.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { findSwift, startSwift } from "../tests/support/swift.mjs";
import { checkAll } from "./cluster/checks.mjs";
import { askAt, findGalera, startGalera, until } from "./cluster/galera.mjs";
import { dentist, newLedger, staff } from "./simulated-users/workload.mjs";
import { startMailServer } from "./simulated-users/mail-server.mjs";
import { freePorts, startProcess } from "./cluster/processes.mjs";
import {
  ensureBuilt,
  ensureInstalled,
  PreparationError,
  projectFolder,
  requireSupportedNode,
  runAsCommand,
} from "./preparation.mjs";

const HAPROXY = "/usr/sbin/haproxy";
const SECRET = "cL7vQ9xLm2Zr8WfJ6hYpD4sBnC3gAe5u";
const server = path.join(projectFolder, "build", "server.js");

await runAsCommand(async () => {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "90" } } });
  const seconds = Number(values.seconds);
  requireSupportedNode();
  ensureInstalled();
  ensureBuilt();
  if (!findGalera() || !findSwift() || !existsSync(HAPROXY) || !existsSync("/usr/bin/wsrep_sst_rsync"))
    throw new PreparationError(
      "The cluster needs Debian's packages: apt-get install --no-install-recommends mariadb-server galera-4 galera-arbitrator-4 rsync haproxy " +
        "swift-proxy swift-account swift-container swift-object",
    );
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-cluster-"));
  const stops = [];
  try {
    const isGood = await play(folder, seconds, stops);
    process.exitCode = isGood ? 0 : 1;
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} folder @param {number} seconds @param {(() => Promise<unknown> | unknown)[]} stops */
async function play(folder, seconds, stops) {
  const galera = await startGalera(folder);
  stops.push(() => galera.stop());
  const swift = await startSwift();
  stops.push(() => swift.stop());
  const mail = await startMailServer();
  stops.push(() => mail.stop());
  const [front, database, webA, webB] = await freePorts(4);
  const proxy = startProcess(folder, "haproxy", HAPROXY, ["-f", path.join(projectFolder, "deploy", "haproxy.cfg")], {
    PORTAL_BIND: `127.0.0.1:${front}`,
    DATABASE_BIND: `127.0.0.1:${database}`,
    WEB_A: `127.0.0.1:${webA}`,
    WEB_B: `127.0.0.1:${webB}`,
    DATABASE_A: `127.0.0.1:${galera.ports.a}`,
    DATABASE_B: `127.0.0.1:${galera.ports.b}`,
  });
  stops.push(() => proxy.stop("SIGKILL"));
  const origins = { staff: `http://localhost:${front}`, dentists: `http://127.0.0.1:${front}` };
  const environment = (machine) => ({
    APP_SECRET: SECRET,
    DATABASE_URL: `mysql://root@127.0.0.1:${database}/portal`,
    DATA_DIR: path.join(folder, `machine-${machine}`),
    FILE_STORE: `s3://portal?endpoint=${encodeURIComponent(swift.endpoint)}`,
    FILE_STORE_KEY: swift.credentials.accessKeyId,
    FILE_STORE_SECRET: swift.credentials.secretAccessKey,
    ADMIN_ORIGIN: origins.staff,
    PUBLIC_ORIGIN: origins.dentists,
    ADMIN_IP_ALLOW: "any",
    PARKING_IP_ALLOW: "any",
    TRUSTED_PROXIES: "127.0.0.1",
    SMTP_URL: mail.url,
    MAIL_FROM: "portal@eksempel.dk",
    WORKER: "off",
  });
  await makeBucket(swift);
  await until(async () => {
    const made = spawnSync(process.execPath, [server, "demo-data", "--referrals", "20"], {
      cwd: projectFolder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, ...environment("a"), NODE_ENV: "development" },
    });
    if (made.status !== 0) console.log(`${made.stdout}${made.stderr}`);
    return made.status === 0;
  }, "demo data through the proxy");
  await galera.ask("a", "delete from portal.outbox_attempt", "delete from portal.outbox where channel = 'email'");

  const ports = { a: webA, b: webB };
  const web = (machine) =>
    startProcess(folder, `web-${machine}`, process.execPath, [server, "serve"], {
      ...environment(machine),
      NODE_ENV: "production",
      SECOND_FACTOR: "optional",
      PORT: String(ports[machine]),
      HOST: "127.0.0.1",
    });
  const worker = (machine) =>
    startProcess(folder, `worker-${machine}`, process.execPath, [server, "worker"], {
      ...environment(machine),
      NODE_ENV: "production",
      SECOND_FACTOR: "optional",
    });
  mkdirSync(path.join(folder, "machine-b"), { recursive: true });
  const running = { "web a": web("a"), "web b": web("b"), "worker a": worker("a"), "worker b": worker("b") };
  const start = {
    "web a": () => web("a"),
    "web b": () => web("b"),
    "worker a": () => worker("a"),
    "worker b": () => worker("b"),
  };
  stops.push(() => Promise.all(Object.values(running).map((each) => each.stop("SIGKILL"))));
  await until(
    async () => (await fetch(`${origins.staff}/login`).catch(() => undefined))?.status === 200,
    "the portal behind the proxy",
  );

  const ledger = newLedger();
  let isOver = false;
  const over = () => isOver;
  const people = Promise.all([
    dentist(origins.dentists, "tandlaege", 0, ledger, over),
    dentist(origins.dentists, "tandlaege2", 1, ledger, over),
    staff(origins.staff, "admin", 0, ledger, over),
    staff(origins.staff, "kirurg", 1, ledger, over),
  ]);
  // Bundled mails wait for minutes; this sends them at once.
  const hurrying = setInterval(() => {
    const statement =
      "update portal.outbox set not_before = created_at where channel = 'email' and outcome = 'queued' and attempts = 0";
    askAt(database, statement).catch(() => undefined);
  }, 2000);
  stops.push(() => clearInterval(hurrying));
  const kill = async (name) => {
    say(`${name} is killed`);
    await running[name].stop("SIGKILL");
  };
  const comeBack = (name) => {
    say(`${name} comes back`);
    running[name] = start[name]();
  };
  const disruptions = [
    () => kill("web a"),
    () => comeBack("web a"),
    () => kill("worker a"),
    async () => {
      say("the database node that writes is killed");
      await galera.kill("a");
    },
    () => comeBack("worker a"),
    async () => {
      say("the database node comes back");
      await galera.comeBack("a");
      await until(async () => (await galera.status("a", "wsrep_local_state_comment")) === "Synced", "node a in step");
    },
    () => kill("web b"),
    () => comeBack("web b"),
    async () => {
      say("the other database node is killed");
      await galera.kill("b");
    },
  ];
  const began = Date.now();
  const say = (words) =>
    console.log(
      `${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${words} (${ledger.referrals.size} referrals sent)`,
    );
  for (const disrupt of disruptions) {
    await Promise.race([pause((seconds * 1000) / (disruptions.length + 1)), people]);
    await disrupt();
  }
  await pause((seconds * 1000) / (disruptions.length + 1));
  isOver = true;
  const done = (await people).flatMap((person) => person ?? []);
  say("people stop; what waits is sent");
  const ask = async (statement) => galera.ask("a", "use portal", statement);
  await until(
    async () =>
      (await ask("select count(*) as n from outbox where channel = 'email' and outcome = 'queued'"))[0].n === 0,
    "the last mail",
    240,
  );
  const checks = await checkAll(ledger, ask, origins.staff, mail.deliveries);
  const unknown = await ask("select count(*) as n from outbox where channel = 'email' and outcome = 'unknown'");
  console.log(
    `\n${ledger.referrals.size} referrals with images, ${ledger.statuses.size} statuses, ${ledger.messages.size} messages, ${mail.deliveries.size} mails; ` +
      `${unknown[0].n} mails of which nobody knows whether they arrived, which a person is asked about`,
  );
  console.log(
    `Pressed again ${done.reduce((sum, { pressedAgain }) => sum + pressedAgain, 0)} times; the longest anybody waited for an answer: ` +
      `${(Math.max(...done.map(({ maxMs }) => maxMs)) / 1000).toFixed(1)} s\n`,
  );
  for (const [what, wrong] of Object.entries(checks)) {
    console.log(`${wrong.length === 0 ? "ok    " : "FAILED"}  ${what}`);
    for (const each of wrong.slice(0, 10)) console.log(`          ${each}`);
  }
  const wasPlayed =
    ledger.referrals.size > 0 && ledger.statuses.size > 0 && ledger.messages.size > 0 && mail.deliveries.size > 0;
  if (!wasPlayed) console.log("FAILED  something was done at all");
  return wasPlayed && Object.values(checks).every((wrong) => wrong.length === 0);
}

async function makeBucket({ endpoint, credentials }) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: "portal" }));
}

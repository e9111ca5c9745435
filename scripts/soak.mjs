/**
 * `npm run soak [-- --minutes 30] [-- --rate 50] [-- --referrals 100000] [-- --database mariadb]`: a working day at the portal, packed into minutes,
 * at two web processes behind haproxy and a worker (docs/operations.md). So many
 * requests a second, whatever the answers take: lists with random filters, open referrals, statuses, messages, the API; every second page is asked
 * for as a browser with JavaScript does, its data alone, the others as whole pages; beside them dentists who send referrals with images in pieces, changes of twenty referrals at once, exports, and the mails of it all. It tells how long answers took
 * and how much memory the processes held in the first tenth and in the last, and ends with 1 when anything was answered wrongly or not at all.
 *
 * `npm run soak -- --year 10000`: a simulated year of so many referrals on both databases instead (300 in `npm run test:matrix`), in which none may be silent unseen.
 * `npm run soak -- --forms 5000`: so many sequences of two people who edit the same forms (300 in `npm test`); `FUZZ_SEED` repeats them.
 * `npm run soak -- --unseen 10000`: so many sequences of events after which nothing may wait unseen (300 in `npm test`).
 * `npm run soak -- --fuzz 10000`: random and oversized requests instead (soak-fuzz.mjs).
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { emptyMariaDb } from "./bench-lists.mjs";
import { signInAs } from "./simulated-users/client.mjs";
import { startMailServer } from "./simulated-users/mail-server.mjs";
import { exportMonth, idsIn, setStatuses, staffActs } from "./simulated-users/staff.mjs";
import { dentist, newLedger } from "./simulated-users/workload.mjs";
import { freePorts, startProcess } from "./cluster/processes.mjs";
import {
  ensureBuilt,
  ensureInstalled,
  PreparationError,
  projectFolder,
  requireSupportedNode,
  runAsCommand,
} from "./preparation.mjs";
import { fuzz } from "./soak-fuzz.mjs";
import { makeDemoData, memoryOf, SECRET } from "./test-server.mjs";

const PASSWORD = "Demo1234";
const HAPROXY = "/usr/sbin/haproxy";
/** Concurrent requests; further ones count as errors. */
const MAX_CONCURRENT = 500;
/** Higher statuses are errors. */
const WRONG = (status) => status >= 400;

await runAsCommand(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "30" },
      rate: { type: "string", default: "50" },
      referrals: { type: "string", default: "100000" },
      database: { type: "string", default: "sqlite" },
      year: { type: "string" },
      forms: { type: "string" },
      unseen: { type: "string" },
      fuzz: { type: "string" },
    },
  });
  requireSupportedNode();
  ensureInstalled();
  if (values.year !== undefined) {
    process.exitCode = simulateYear(values.year);
    return;
  }
  if (values.unseen !== undefined) {
    process.exitCode = leaveUnseen(values.unseen);
    return;
  }
  ensureBuilt();
  if (values.forms !== undefined) {
    process.exitCode = editForms(values.forms);
    return;
  }
  if (values.fuzz !== undefined) {
    process.exitCode = fuzz(values.fuzz);
    return;
  }
  if (!["sqlite", "mariadb"].includes(values.database)) throw new Error("--database is sqlite or mariadb");
  if (!existsSync(HAPROXY))
    throw new PreparationError(
      "The soak needs a Debian package: apt-get install --no-install-recommends haproxy (as root). It is part of no test.",
    );
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-soak-"));
  const mariaDb = values.database === "mariadb" ? await emptyMariaDb() : null;
  const mail = await startMailServer();
  try {
    const databaseUrl = mariaDb ? await mariaDb.database("soak") : "";
    makeDemoData(dataDir, Number(values.referrals), databaseUrl, 1000);
    const portal = await startProcesses(dataDir, { DATABASE_URL: databaseUrl, SMTP_URL: mail.url });
    try {
      process.exitCode = (await soak(portal, mail, Number(values.minutes) * 60, Number(values.rate))) ? 0 : 1;
    } finally {
      await portal.stop();
    }
  } finally {
    await mail.stop();
    await mariaDb?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Returns the test's exit status. */
function simulateYear(referrals) {
  return spawnSync("npx", ["vitest", "run", "app/features/referrals/status/simulated-year.test.ts"], {
    cwd: projectFolder,
    stdio: "inherit",
    env: { ...process.env, YEAR_REFERRALS: referrals },
  }).status;
}

/** Returns the test's exit status. */
function leaveUnseen(sequences) {
  return spawnSync("npx", ["vitest", "run", "app/features/referrals/status/nothing-unseen.test.ts"], {
    cwd: projectFolder,
    stdio: "inherit",
    env: { ...process.env, UNSEEN_RUNS: sequences },
  }).status;
}

/** Returns the test's exit status. */
function editForms(sequences) {
  return spawnSync("npx", ["vitest", "run", "tests/http/edited-forms-model.test.ts", "--testTimeout=86400000"], {
    cwd: projectFolder,
    stdio: "inherit",
    env: { ...process.env, FUZZ_RUNS: sequences },
  }).status;
}

/** Two web processes behind haproxy and a worker on one data folder. */
async function startProcesses(dataDir, environment) {
  const [front, unused, webA, webB] = await freePorts(4);
  const origins = { staff: `http://localhost:${front}`, dentists: `http://127.0.0.1:${front}` };
  const start = (name, args, more) =>
    startProcess(dataDir, name, process.execPath, [path.join(projectFolder, "build", "server.js"), ...args], {
      ...environment,
      ...more,
      APP_SECRET: SECRET,
      DATA_DIR: dataDir,
      NODE_ENV: "production",
      SECOND_FACTOR: "optional",
      ADMIN_ORIGIN: origins.staff,
      PUBLIC_ORIGIN: origins.dentists,
      ADMIN_IP_ALLOW: "any",
      PARKING_IP_ALLOW: "any",
      TRUSTED_PROXIES: "127.0.0.1",
      WORKER: "off",
    });
  const web = [webA, webB].map((port) => start(`web-${port}`, ["serve"], { HOST: "127.0.0.1", PORT: String(port) }));
  const worker = start("worker", ["worker"], {});
  const addresses = { PORTAL_BIND: front, WEB_A: webA, WEB_B: webB, DATABASE_BIND: unused };
  const proxy = startProcess(dataDir, "haproxy", HAPROXY, ["-f", path.join(projectFolder, "deploy", "haproxy.cfg")], {
    ...Object.fromEntries(Object.entries(addresses).map(([name, port]) => [name, `127.0.0.1:${port}`])),
    DATABASE_A: "127.0.0.1:9",
    DATABASE_B: "127.0.0.1:9",
  });
  const all = [proxy, worker, ...web];
  for (let waited = 0; !(await fetch(`${origins.staff}/readyz`).catch(() => null))?.ok; waited += 1) {
    const ended = all.find((each) => each.hasEnded());
    if (ended || waited > 60) throw new PreparationError(`The portal did not come up:\n${(ended ?? web[0]).output()}`);
    await pause(1000);
  }
  return {
    origins,
    memory: () => [worker, ...web].reduce((sum, { pid }) => sum + (memoryOf(pid)?.now ?? 0), 0),
    stop: async () => {
      for (const each of all) await each.stop("SIGTERM");
    },
  };
}

async function soak(portal, mail, seconds, rate) {
  const [admin, surgeon] = await Promise.all(
    ["admin", "kirurg"].map((name) => signInAs(portal.origins.staff, name, PASSWORD)),
  );
  const [secretary, referrer] = await Promise.all(
    ["sekretaer", "tandlaege"].map((name) => signInAs(portal.origins.dentists, name, PASSWORD)),
  );
  const ids = idsIn((await admin.get("/management/overview")).text);
  /** @type {{ at: number, ms: number }[]} */
  const answers = [];
  /** @type {string[]} */
  const errors = [];
  /** @type {{ at: number, mb: number }[]} */
  const memory = [];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const isOver = () => elapsed() > seconds;
  let underWay = 0;

  async function timed(what, ask) {
    if (underWay >= MAX_CONCURRENT) return void errors.push(`${what}: ${MAX_CONCURRENT} others wait`);
    underWay += 1;
    const sentAt = performance.now();
    try {
      const answer = await ask();
      if (WRONG(answer.status)) errors.push(`${what}: ${answer.status}`);
      answers.push({ at: elapsed(), ms: performance.now() - sentAt });
      return answer;
    } catch (error) {
      errors.push(`${what}: ${error}`);
    } finally {
      underWay -= 1;
    }
  }
  const acts = staffActs({ admin, surgeon, secretary, referrer }, ids);
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  const oneOf = () => {
    let at = Math.random() * total;
    return acts.find(([weight]) => (at -= weight) < 0) ?? acts[0];
  };
  const every = async (ms, work) => {
    while (!isOver()) {
      await pause(ms);
      if (!isOver()) await work();
    }
  };
  const ledger = newLedger();
  const beside = Promise.all([
    dentist(portal.origins.dentists, "tandlaege", 0, ledger, isOver, 4000),
    every(30_000, () => timed("twenty statuses", () => setStatuses(admin))),
    every(60_000, () => timed("export", () => exportMonth(admin))),
    every(2_000, async () => void memory.push({ at: elapsed(), mb: portal.memory() })),
    every(60_000, async () => console.log(line(answers, memory, errors, elapsed() - 60, elapsed()))),
  ]);
  for (let n = 0; !isOver(); n += 1) {
    const [, what, ask] = oneOf() ?? [];
    void timed(what, ask);
    await pause(Math.max(0, (n + 1) * (1000 / rate) - (performance.now() - began)));
  }
  const [sender] = await beside;
  for (let waited = 0; underWay > 0 && waited < 60; waited += 1) await pause(1000);
  errors.push(...ledger.surprises);
  for (const { pressedAgain } of [admin, surgeon, secretary, referrer, sender].flatMap((person) => person ?? []))
    if (pressedAgain > 0) errors.push(`${pressedAgain} requests were not answered, or by a server error`);
  console.log(`\nThe first tenth: ${line(answers, memory, [], 0, seconds / 10)}`);
  console.log(`The last tenth:  ${line(answers, memory, [], seconds * 0.9, seconds)}`);
  console.log(
    `${answers.length} answers, ${ledger.referrals.size} referrals with images sent, ${mail.deliveries.size} mails, ${errors.length} errors`,
  );
  const counted = new Map();
  for (const error of errors) counted.set(error, (counted.get(error) ?? 0) + 1);
  for (const [error, times] of [...counted].slice(0, 20)) console.log(`  ${times} ×  ${error}`);
  const wasPlayed = answers.length >= seconds * rate * 0.95 && ledger.referrals.size > 0;
  if (!wasPlayed) console.log("Fewer answers than were wanted, or nothing was sent.");
  return wasPlayed && errors.length === 0;
}

function line(answers, memory, errors, from, to) {
  const took = answers
    .filter(({ at }) => at >= from && at < to)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  const held = memory.filter(({ at }) => at >= from && at < to).map(({ mb }) => mb);
  const quantile = (share) => Math.round(took[Math.floor(took.length * share)] ?? 0);
  return (
    `${String(Math.round(to / 60)).padStart(3)} min  ${(took.length / (to - from)).toFixed(1)} answers/s  median ${quantile(0.5)} ms  p95 ${quantile(0.95)} ms  p99 ${quantile(0.99)} ms  ` +
    `memory ${Math.max(0, ...held)} MB` +
    (errors.length > 0 ? `  ${errors.length} errors so far` : "")
  );
}

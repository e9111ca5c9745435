/** Benchmark of hostile requests: how much longer others wait than beside an idle portal. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { rename, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { overview } from "./bench-page.mjs";
import { get, makeDemoData, memoryOf, postForm, postPageForm, signIn, startServer } from "./test-server.mjs";

const wizard = "/management/henvisning-tandlaeger";
const IDLE_MS = 10_000;
/** The jobs that read the folders run at most every two minutes. */
const JOB_MS = 180_000;
const MB = 1024 * 1024;

/** Starts its own portal; returns a row per attack. */
export async function timeHostile() {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-hostile-"));
  const [edi, bounces] = [path.join(dataDir, "edi", "in"), path.join(dataDir, "bounces")];
  for (const folder of [edi, bounces]) mkdirSync(folder, { recursive: true });
  makeDemoData(dataDir, 300);
  const env = { NODE_ENV: "development", DATA_DIR: dataDir, BOUNCE_ADDRESS: "retur@eksempel.dk", BOUNCE_DIR: bounces };
  const server = await startServer({ env });
  try {
    const dentist = { origin: server.origin, cookie: await signIn(server.origin, "tandlaege") };
    const admin = { origin: server.origin, cookie: await signIn(server.origin, "admin") };
    await saveAlikeNames(dentist);
    const attacks = {
      "a search of seven words that begin alike": () => searchAlike(dentist),
      "ten file names of 15,000 dots": () => sendDots(dentist),
      "a mail of 90 KB that came back": () => dropAndWait(bounces, "mail", `To: ${"a".repeat(90_000)}`),
      "an EDI file of 40 MB of plus signs": () => dropEdi(admin, edi, Buffer.alloc(40 * MB, "+")),
      "the same behind UNB": () => dropEdi(admin, edi, Buffer.concat([Buffer.from("UNB"), Buffer.alloc(40 * MB, "+")])),
    };
    const idleMs = await slowestBeside(server.origin, () => wait(IDLE_MS));
    const rows = [];
    for (const [attack, send] of Object.entries(attacks)) {
      const started = performance.now();
      const slowestMs = await slowestBeside(server.origin, send);
      rows.push({
        attack,
        "it took, ms": Math.round(performance.now() - started),
        "others waited, ms": Math.round(slowestMs),
        "idle, ms": Math.round(idleMs),
        "longer, wanted < 100": Math.round(slowestMs - idleMs),
        "RSS highest, MB": memoryOf(server.pid)?.highest,
      });
    }
    return rows;
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The longest wait of another reader meanwhile. */
async function slowestBeside(origin, work) {
  let isDone = false;
  const others = (async () => {
    let slowestMs = 0;
    while (!isDone) {
      const started = performance.now();
      await get(`${origin}/healthz`);
      slowestMs = Math.max(slowestMs, performance.now() - started);
      await wait(5);
    }
    return slowestMs;
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await others;
  }
  return others;
}

/** A draft whose patient has twelve names with the same beginning. */
async function saveAlikeNames({ origin, cookie }) {
  const names = [..."bcdefghijklm"].map((letter) => `${"a".repeat(12)}${letter}`);
  const formKey = "a".repeat(32);
  const fields = {
    intent: "savePatient",
    formId: `step1-${formKey}`,
    formKey,
    cpr6: "610150",
    cpr4: "4001",
    firstName: names.slice(0, 6).join(" "),
    lastName: names.slice(6).join(" "),
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "38.",
    paymentType: "1",
    approvalType: "0",
  };
  const { status, headers, text } = await postPageForm(`${origin}${wizard}?form=${formKey}`, fields, cookie);
  if (!/kladde=\d+/.test(headers.location ?? ""))
    throw new Error(`the draft was answered with ${status} ${headers.location}: ${text.slice(0, 300)}`);
}

async function searchAlike({ origin, cookie }) {
  const fields = { intent: "applyFilter", formId: "applyFilter", patientName: "a aa aaa aaaa aaaaa aaaaaa z" };
  const { status, headers } = await postForm(origin + overview, fields, cookie);
  if (!headers.location) throw new Error(`the search was answered with ${status}`);
  const list = await get(new URL(headers.location, origin).href, { cookie });
  if (list.status !== 200) throw new Error(`the list was answered with ${list.status}`);
}

async function sendDots({ origin, cookie }) {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    intent: "savePatient",
    formId: "savePatient",
    formKey: "dots-in-names",
  }))
    body.append(name, value);
  for (let count = 0; count < 10; count += 1)
    body.append("journals", new Blob(["x"]), `${".".repeat(15_000)}a${count}.pdf`);
  const answer = await fetch(`${origin}${wizard}?form=${"b".repeat(32)}`, {
    method: "POST",
    body,
    headers: { cookie, origin, "sec-fetch-site": "same-origin" },
    redirect: "manual",
  });
  if (answer.status !== 400) throw new Error(`the form was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

async function dropEdi({ origin, cookie }, folder, bytes) {
  const taken = dropAndWait(folder, "fil.edi", bytes);
  await postPageForm(origin + overview, { intent: "runEdiImport" }, cookie);
  await taken;
}

/** Puts an aged file into the folder and waits until the job has taken it. */
async function dropAndWait(folder, name, content) {
  const file = path.join(folder, name);
  await writeFile(`${file}.part`, content);
  const before = Date.now() / 1000 - 180;
  await utimes(`${file}.part`, before, before);
  await rename(`${file}.part`, file);
  const deadline = Date.now() + JOB_MS;
  const isThere = () => existsSync(file) || readdirSync(folder).some((each) => each.endsWith(".claimed"));
  while (isThere()) {
    if (Date.now() > deadline) throw new Error(`nobody took ${name}`);
    await wait(50);
  }
}

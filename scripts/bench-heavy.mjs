/** Benchmark of bulk work: a mass change and a full export, with their time and memory. */
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { overview } from "./bench-page.mjs";
import { get, postForm, postPageForm, ticketIn } from "./test-server.mjs";

const ROWS = 1000;
const everyStatus = Array.from({ length: 17 }, (_, status) => status).join("-");

/** `referrals` is the total; the newest thousand get another status and then 'Fortryd'. */
export async function timeHeavy({ origin, pid }, cookie, referrals) {
  const newest = Array.from({ length: Math.min(ROWS, referrals) }, (_, index) => referrals - index);
  const ticket = ticketIn((await get(origin + overview, { cookie })).text);
  const changing = await watched(pid, () =>
    change(origin, cookie, { intent: "setStatuses", ticket, status: "2", pick: newest }),
  );
  const massChangeId = new URL(changing.answer, origin).searchParams.get("skiftet");
  const undoing = await watched(pid, () => change(origin, cookie, { intent: "undoStatuses", ticket, massChangeId }));
  const exporting = await watched(pid, async () => download(origin, cookie, await beginExport(origin, cookie)));
  return {
    [`mass update of ${newest.length}, ms`]: Math.round(changing.ms),
    "its memory, MB": changing.mb,
    "undoing it, ms": Math.round(undoing.ms),
    "rows exported": exporting.answer.lines - 1,
    "export, s": Math.round(exporting.ms / 100) / 10,
    "file, MB": Math.round(exporting.answer.bytes / 100_000) / 10,
    "its memory, + MB": exporting.mb,
    "overview meanwhile, ms": Math.round(exporting.answer.slowestMs),
  };
}

async function change(origin, cookie, fields) {
  const { status, headers, text } = await postForm(origin + overview, fields, cookie);
  if (status !== 303) throw new Error(`${fields.intent} was answered with ${status}: ${text.slice(0, 300)}`);
  return headers.location;
}

export async function beginExport(origin, cookie) {
  const { status, headers } = await postPageForm(
    `${origin}${overview}/eksport`,
    { intent: "exportFiltered", f: `s${everyStatus}` },
    cookie,
  );
  if (status !== 303 || !headers.location?.includes("eksport.csv"))
    throw new Error(`the export was answered with ${status} ${headers.location}`);
  return new URL(headers.location, origin).href;
}

/** Downloads the file without keeping it while others read the overview. */
async function download(origin, cookie, url) {
  let done = false;
  const others = (async () => {
    let slowestMs = 0;
    while (!done) {
      const started = performance.now();
      await get(origin + overview, { cookie });
      slowestMs = Math.max(slowestMs, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return slowestMs;
  })();
  const file = await new Promise((resolve, reject) => {
    http.get(url, { headers: { cookie }, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the file was answered with ${answer.statusCode}`));
      const seen = { bytes: 0, lines: 0 };
      answer.on("data", (chunk) => {
        seen.bytes += chunk.length;
        // In UTF-16LE a line ends with 0D 00 0A 00, and no Danish letter contains the byte 0A.
        for (const byte of chunk) if (byte === 10) seen.lines += 1;
      });
      answer.on("end", () => resolve(seen));
      answer.on("error", reject);
    });
  });
  done = true;
  return { ...file, slowestMs: await others };
}

/** Runs the work; returns its time, and how far the process's memory rose above its start. */
async function watched(pid, work) {
  const before = highestMb(pid, true);
  const started = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - started, mb: highestMb(pid, false) - before };
}

/** Peak resident memory since the last reset; NaN without /proc. */
function highestMb(pid, resets) {
  try {
    if (resets) writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

/** Benchmark of the overview's first page beside a bare Remix page of equal size: answers per second and CPU time. */
import { readFileSync } from "node:fs";
import { get } from "./test-server.mjs";

export const overview = "/management/overview";

/** Measures both pages in turn, `rounds` times with ten connections; the medians count. */
export async function comparePages(portal, bare, { rounds, seconds }) {
  const { default: autocannon } = await import("autocannon");
  const signedIn = { cookie: portal.cookie };
  const first = await get(portal.origin + overview, signedIn);
  if (first.status !== 200) throw new Error(`${overview} answered ${first.status}`);
  const length = Buffer.byteLength(first.text);
  const pages = [
    { pid: portal.pid, url: portal.origin + overview, headers: signedIn },
    { pid: bare.pid, url: bare.origin + (await pathOfLength(bare.origin, length)), headers: {} },
  ].map((page) => ({ ...page, perSecond: [], work: [] }));
  const shoot = async ({ url, headers }, duration = seconds) => {
    const shot = await autocannon({ url, headers, connections: 10, duration });
    const refused = shot.non2xx + shot.errors;
    if (refused > 0) throw new Error(`${refused} requests for ${url} were not answered with a page`);
    return shot.requests;
  };
  // Node keeps optimising for some thousand requests.
  for (const page of pages) await shoot(page, 4 * seconds);
  for (let round = 0; round < rounds; round++) {
    for (const page of pages) {
      const before = processorMs(page.pid);
      const { average, total } = await shoot(page);
      page.perSecond.push(average);
      page.work.push((processorMs(page.pid) - before) / total);
    }
  }
  const [own, other] = pages;
  return {
    "page, KB": Math.round(length / 102.4) / 10,
    "overview, req/s": Math.round(median(own.perSecond)),
    "bare page, req/s": Math.round(median(other.perSecond)),
    "CPU, ms": Math.round(100 * median(own.work)) / 100,
    "bare CPU, ms": Math.round(100 * median(other.work)) / 100,
  };
}

/** The bare page whose HTML is as long as the overview's, to within a row. */
export async function pathOfLength(origin, length) {
  const size = async (rows) => Buffer.byteLength((await get(`${origin}/?rows=${rows}`)).text);
  const [few, many] = [await size(20), await size(120)];
  const rows = Math.max(1, Math.round(20 + ((length - few) * 100) / (many - few)));
  return `/?rows=${rows}`;
}

/** Milliseconds within which 50, 95 and 99 % of answers come, with 25 connections, a page at a time. */
export async function timeAnswers(portal, { seconds }) {
  const { default: autocannon } = await import("autocannon");
  const list = await get(portal.origin + overview, { cookie: portal.cookie });
  const referral = /\/management\/overview\/\d+/.exec(list.text)[0];
  const rows = [];
  for (const address of [overview, referral, "/management/call-up-letters", "/management/sms"]) {
    const url = portal.origin + address;
    const times = [];
    const shooting = autocannon({ url, headers: { cookie: portal.cookie }, connections: 25, duration: seconds });
    shooting.on("response", (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
    const { non2xx, errors } = await shooting;
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests for ${url} were not answered with a page`);
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share) => Math.round(10 * sorted[Math.floor(share * (sorted.length - 1))]) / 10;
    rows.push({
      referrals: portal.referrals,
      page: address,
      "p50, ms": at(0.5),
      "p95, ms": at(0.95),
      "p99, ms": at(0.99),
      answers: sorted.length,
    });
  }
  return rows;
}

/** Milliseconds of processor time that a process has used, from Linux; NaN elsewhere. */
export function processorMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

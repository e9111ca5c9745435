/** The overview's first page beside a bare Remix page as long: answers a second, and processor time of an answer. */
import { readFileSync } from "node:fs";
import { get } from "./test-server.mjs";

export const overview = "/management/overview";

/** Both are asked in turn, `rounds` times for so many seconds by ten at once; the medians are what is told. */
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
  // Node goes on compiling for some thousand pages; a portal has served those by its first noon.
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

/** Milliseconds of processor time that a process has used, from Linux; NaN elsewhere. */
function processorMs(pid) {
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

/**
 * Questions that the benchmark asks of every list: the overview's first page, each filter alone, names, deep pages, and
 * the other lists.
 */
import { createConnection } from "mysql2/promise";
import { startMariaDb } from "../tests/support/mariadb.mjs";
import { median, overview } from "./bench-page.mjs";
import { get, postForm } from "./test-server.mjs";

const all = Array.from({ length: 17 }, (_, status) => status).join("-");

const typed = {
  "a name without a hit": { patientName: "Qqqzz" },
  "a common name": { patientName: "Jensen" },
  "two common names": { patientName: "Jensen Anne" },
  CPR: { cpr6: "010150" },
  number: { visitNumber: "500" },
  "date from": { dateFrom: "1.11.2026" },
  "date to": { dateTo: "1.1.2024" },
  referrer: { referrerId: "5" },
  clinic: { clinicId: "2" },
  surgeon: { surgeonId: "3" },
  "beginning of an e-mail": { patientEmail: "anna" },
  "new messages": { newMessages: "on" },
  EDI: { onlyEdi: "on" },
  "without dentist id": { missingDentistId: "on" },
  test: { onlyTest: "on" },
};
const addresses = {
  "first page": "",
  "every status": `?f=s${all}`,
  "one status": "?f=s0",
  "in a status since": "?f=s5w2026-11-07",
  "not on hold, urgent first": "?f=s0n2026-11-24&sort=8",
  "on hold": "?f=v2026-11-24",
  "silent, the longest first": "?f=t2026-11-27&sort=9",
  "sorted by name": "?sort=3",
  "page 30,000, or the last, by hand": `?f=s${all}&page=30000`,
};

const elsewhere = {
  "call-ups": "/management/call-up-letters",
  "call-ups by name": "/management/call-up-letters?sort=3",
  "call-ups by status": "/management/call-up-letters?sort=6",
  "call-ups by how": "/management/call-up-letters?sort=7",
  "call-ups, the newest first": "/management/call-up-letters?sort=-8",
  "call-ups, never called first": "/management/call-up-letters?sort=8",
  "call-ups by how it went": "/management/call-up-letters?sort=-9",
  "log of mails": "/management/logs?type=email",
  failures: "/management/logs?type=fejl",
  "accesses, an event to each referral": "/management/logs?type=adgang",
  "SMS, patients with a time": "/management/sms",
  "discharge letters": "/management/ending-letter",
  "users, one to ten referrals": "/management/users",
  "users by name": "/management/users?sort=0",
  clinics: "/management/clinics",
  "statistics of twelve months": "/management/statistics",
  "statistics of twelve months, referrers": "/management/statistics?type=1",
  "statistics of a month": "/management/statistics?fra=1.6.2026&til=30.6.2026",
};

/** Questions as people put them together: one to three filters, any order, a page near by or far away. The same ones in every run. */
const combinations = (() => {
  let state = 20261122;
  const below = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const oneOf = (list) => list[below(list.length)];
  const names = Object.keys(typed);
  return Array.from({ length: 40 }, () => {
    const chosen = [...new Set(Array.from({ length: 1 + below(3) }, () => oneOf(names)))];
    return { filters: chosen, sort: oneOf(["", "-"]) + oneOf([1, 2, 3, 4, 5, 7]), page: oneOf([1, 1, 2, 7, 40, 400]) };
  });
})();

/** The slowest of the combinations, and the median of all, each asked three times: `{ slowest: { question, ms }, ms }`. */
export async function timeCombinations(origin, cookie) {
  const taken = [];
  for (const { filters, sort, page } of combinations) {
    const fields = Object.assign({}, ...filters.map((name) => typed[name]));
    const address = await filtered({ origin, cookie }, { ...fields, sort });
    const { ms } = await timePage(`${origin}${address}&page=${page}`, cookie, 4);
    taken.push({ question: `${filters.join(", ")}, sorted by ${sort}, page ${page}`, ms });
  }
  const sorted = taken.toSorted((a, b) => a.ms - b.ms);
  return { slowest: sorted.at(-1), ms: sorted[Math.floor(sorted.length / 2)].ms };
}

/**
 * Each list of two portals, asked in turn, so that a slow minute of the machine meets both: the ratio of their medians, how long the pages
 * are (a fuller page takes longer to write), and what the larger one took when nothing about the list was known yet.
 */
export async function timeLists(few, many, times, only = "") {
  const found = [];
  for (const [name, addressOf] of questions.filter(([list]) => list.includes(only))) {
    const asked = [];
    for (const portal of [few, many])
      asked.push({ portal, url: portal.origin + (await addressOf(portal)), taken: [], length: 0 });
    for (let turn = 0; turn < times; turn++) {
      for (const each of asked) {
        const { ms, length } = await timeOnce(each.url, each.portal.cookie);
        each.taken.push(ms);
        each.length = length;
      }
    }
    const [small, large] = asked.map(({ taken, length }) => ({ ms: median(taken.slice(1)), first: taken[0], length }));
    found.push({
      list: name,
      ratio: Math.round((100 * large.ms) / small.ms) / 100,
      "ms, few": Math.round(10 * small.ms) / 10,
      "ms, many": Math.round(10 * large.ms) / 10,
      "first time": Math.round(10 * large.first) / 10,
      "KB, few": Math.round(small.length / 1024),
      "KB, many": Math.round(large.length / 1024),
    });
  }
  return found;
}

/** @type {[string, (portal: { origin: string, cookie: string }) => string | Promise<string>][]} Where each list is found in a portal, by its name. */
const questions = [
  ...entries(typed, (fields) => (portal) => filtered(portal, fields)),
  ...entries(addresses, (query) => () => overview + query),
  ["the furthest page that the first one leads to", deepPage],
  ...entries(elsewhere, (address) => () => address),
];

/**
 * @template V, A
 * @param {Record<string, V>} table @param {(value: V) => A} make
 * @returns {[string, A][]}
 */
function entries(table, make) {
  return Object.entries(table).map(([name, value]) => [name, make(value)]);
}

/** The address to which the overview's filter redirects. */
async function filtered({ origin, cookie }, fields) {
  const { status, headers } = await postForm(
    `${origin}${overview}`,
    { ...fields, intent: "applyFilter", formId: "applyFilter", statuses: all.split("-") },
    cookie,
  );
  if (!headers.location) throw new Error(`the filter ${JSON.stringify(fields)} was answered with ${status}`);
  const { pathname, search } = new URL(headers.location, origin);
  return pathname + search;
}

async function deepPage({ origin, cookie }) {
  const { text } = await get(origin + overview, { cookie });
  const links = [...text.matchAll(/href="([^"]*)"/g)].flatMap(([, href]) => {
    const page = /[?&](?:amp;)?page=(\d+)/.exec(href);
    return page ? [{ query: href.replaceAll("&amp;", "&").replace(/^[^?]*/, ""), page: Number(page[1]) }] : [];
  });
  return overview + links.toSorted((a, b) => b.page - a.page)[0].query;
}

async function timePage(url, cookie, times) {
  const taken = [];
  for (let turn = 0; turn < times; turn++) taken.push((await timeOnce(url, cookie)).ms);
  return { ms: median(taken.slice(1)) };
}

async function timeOnce(url, cookie) {
  const started = performance.now();
  const { status, text } = await get(url, { cookie });
  const ms = performance.now() - started;
  if (status !== 200) throw new Error(`${url} was answered with ${status}`);
  return { ms, length: Buffer.byteLength(text) };
}

/** A MariaDB with the disk's own care, for as long as the benchmark runs. */
export async function emptyMariaDb() {
  const server = await startMariaDb({ durable: true });
  return {
    async database(name) {
      const connection = await createConnection({ uri: server.url });
      await connection.query(`create database ${name} character set utf8mb4 collate utf8mb4_bin`);
      await connection.end();
      return `${server.url}/${name}`;
    },
    stop: () => server.stop(),
  };
}

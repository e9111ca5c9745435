/** What the benchmark asks of the overview besides its first page: each filter alone, names, and deep pages. */
import { createConnection } from "mysql2/promise";
import { startMariaDb } from "../tests/support/mariadb.mjs";
import { get, postForm } from "./test-server.mjs";

const overview = "/management/overview";
const all = Array.from({ length: 17 }, (_, status) => status).join("-");

/** What is typed in the filter, by the name of the list. */
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
  "every status": `?f=s${all}`,
  "one status": "?f=s0",
  "in a status since": "?f=s5w2026-11-07",
  "not on hold, urgent first": "?f=s0n2026-11-24&sort=8",
  "on hold": "?f=v2026-11-24",
  "sorted by name": "?sort=3",
  "page 30,000, or the last, by hand": `?f=s${all}&page=30000`,
};

/** Other lists than the overview, by their addresses. */
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

export const lists = [...Object.keys(typed), ...Object.keys(addresses), ...Object.keys(elsewhere)];

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
    const answer = await postForm(
      `${origin}${overview}`,
      { ...fields, sort, intent: "applyFilter", formId: "applyFilter", statuses: all.split("-") },
      cookie,
    );
    const { ms } = await timePage(`${new URL(answer.headers.location, origin).href}&page=${page}`, cookie, 4);
    taken.push({ question: `${filters.join(", ")}, sorted by ${sort}, page ${page}`, ms });
  }
  const sorted = taken.toSorted((a, b) => a.ms - b.ms);
  return { slowest: sorted.at(-1), ms: sorted[Math.floor(sorted.length / 2)].ms };
}

/** The median time of each list's page, and the first time it was asked, when nothing about it was known yet. */
export async function timeLists(origin, cookie, times) {
  const found = {};
  for (const [name, fields] of Object.entries(typed)) {
    const answer = await postForm(
      `${origin}${overview}`,
      { ...fields, intent: "applyFilter", formId: "applyFilter", statuses: all.split("-") },
      cookie,
    );
    if (!answer.headers.location) throw new Error(`the filter '${name}' was answered with ${answer.status}`);
    found[name] = await timePage(new URL(answer.headers.location, origin).href, cookie, times);
  }
  for (const [name, query] of Object.entries(addresses))
    found[name] = await timePage(`${origin}${overview}${query}`, cookie, times);
  for (const [name, address] of Object.entries(elsewhere))
    found[name] = await timePage(`${origin}${address}`, cookie, times);
  return found;
}

async function timePage(url, cookie, times) {
  const taken = [];
  for (let turn = 0; turn < times; turn++) {
    const started = performance.now();
    const { status } = await get(url, { cookie });
    if (status !== 200) throw new Error(`${url} was answered with ${status}`);
    taken.push(performance.now() - started);
  }
  const [firstMs, ...later] = taken;
  return { firstMs, ms: later.toSorted((a, b) => a - b)[Math.floor(later.length / 2)] };
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

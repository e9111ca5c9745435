/** What the benchmark asks of the overview besides its first page: each filter alone, names, and deep pages. */
import { createConnection } from "mysql2/promise";
import { startMariaDb } from "../tests/support/mariadb.mjs";
import { get, postForm } from "./measured-portal.mjs";

const overview = "/management/overview";
const all = Array.from({ length: 17 }, (_, status) => status).join("-");

/** What is typed in the filter, by the name of the list. */
const typed = {
  "a name without a hit": { patientName: "Qqqzz" },
  "a common name": { patientName: "Jensen" },
  "two common names": { patientName: "Jensen Anne" },
  "CPR": { cpr6: "010150" },
  "number": { visitNumber: "500" },
  "date from": { dateFrom: "1.11.2026" },
  "date to": { dateTo: "1.1.2024" },
  "referrer": { referrerId: "5" },
  "clinic": { clinicId: "2" },
  "surgeon": { surgeonId: "3" },
  "beginning of an e-mail": { patientEmail: "anna" },
  "new messages": { newMessages: "on" },
  "EDI": { onlyEdi: "on" },
  "without dentist id": { missingDentistId: "on" },
  "test": { onlyTest: "on" },
};
const addresses = {
  "every status": `?f=s${all}`,
  "one status": "?f=s0",
  "in a status since": "?f=s5w2026-11-07",
  "sorted by name": "?sort=3",
  "page 30,000, or the last, by hand": `?f=s${all}&page=30000`,
};

export const lists = [...Object.keys(typed), ...Object.keys(addresses)];

/** The median time of each list's page, and the first time it was asked, when nothing about it was known yet. */
export async function timeLists(origin, cookie, times) {
  const found = {};
  for (const [name, fields] of Object.entries(typed)) {
    const answer = await postForm(`${origin}${overview}`, { ...fields, intent: "applyFilter", formId: "applyFilter", statuses: all.split("-") }, cookie);
    if (!answer.headers.location) throw new Error(`the filter '${name}' was answered with ${answer.status}`);
    found[name] = await timePage(new URL(answer.headers.location, origin).href, cookie, times);
  }
  for (const [name, query] of Object.entries(addresses)) found[name] = await timePage(`${origin}${overview}${query}`, cookie, times);
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

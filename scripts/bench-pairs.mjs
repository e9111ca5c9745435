/**
 * Processor time of an answer, this build / another one's, in interleaved pairs. Both serve copies of one database,
 * which the other build has made.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beginExport } from "./bench-heavy.mjs";
import { median, overview, processorMs } from "./bench-page.mjs";
import { PreparationError, projectFolder } from "./preparation.mjs";
import { get, makeDemoData, signIn, startServer } from "./test-server.mjs";

const REFERRALS = 10_000;
const PAIRS = 10;
const WARM_UP = 500;
const REQUESTS = 200;

/** @param {string} before Folder of the other checkout, in which `npm run build` has run. */
export async function comparePairs(before) {
  const folder = path.resolve(before);
  if (!existsSync(path.join(folder, "build", "server.js")))
    throw new PreparationError(`${folder} has no build: run 'npm ci && npm run build' in it`);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-pairs-"));
  const servers = [];
  try {
    makeDemoData(path.join(dataDir, "before"), REFERRALS, "", REFERRALS / 10, folder);
    cpSync(path.join(dataDir, "before"), path.join(dataDir, "now"), { recursive: true });
    for (const [name, cwd] of [
      ["before", folder],
      ["now", projectFolder],
    ]) {
      const server = await startServer({
        program: path.join(cwd, "build", "server.js"),
        cwd,
        env: {
          NODE_ENV: "production",
          SECOND_FACTOR: "optional",
          PUBLIC_ORIGIN: "http://127.0.0.1",
          ADMIN_IP_ALLOW: "any",
          PARKING_IP_ALLOW: "any",
          DATA_DIR: path.join(dataDir, name),
        },
      });
      servers.push({ ...server, cookie: await signIn(server.origin) });
    }
    const first = await get(servers[0].origin + overview, { cookie: servers[0].cookie });
    const referral = /\/management\/overview\/\d+/.exec(first.text)[0];
    const pages = [overview, referral, "/management/sms", "/management/statistics"];
    // Node keeps optimising for some thousand requests, and most of what a page runs is shared by all.
    for (const server of servers)
      for (let round = 0; round < WARM_UP; round += 1) for (const page of pages) await visit(server, page);
    const rows = [];
    for (const page of pages) rows.push(await comparePage(page, servers, (server) => visit(server, page), REQUESTS));
    rows.push(
      await comparePage(
        `export of ${REFERRALS}`,
        servers,
        async (server) => visit({ ...server, origin: "" }, await beginExport(server.origin, server.cookie)),
        1,
      ),
    );
    return rows;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function visit({ origin, cookie }, page) {
  const { status } = await get(origin + page, { cookie });
  if (status !== 200) throw new Error(`${page} answered ${status}`);
}

async function comparePage(page, servers, ask, requests) {
  const spend = async (server, times = requests) => {
    const began = processorMs(server.pid);
    for (let n = 0; n < times; n += 1) await ask(server);
    return (processorMs(server.pid) - began) / times;
  };
  for (const server of servers) await spend(server);
  const spent = servers.map(() => []);
  for (let pair = 0; pair < PAIRS; pair += 1)
    for (const which of pair % 2 === 0 ? [0, 1] : [1, 0]) spent[which].push(await spend(servers[which]));
  const [before, now] = spent;
  const ratios = now.map((ms, pair) => ms / before[pair]);
  return {
    page,
    "before, ms": Math.round(100 * median(before)) / 100,
    "now, ms": Math.round(100 * median(now)) / 100,
    "now / before": Math.round(1000 * median(ratios)) / 1000,
    least: Math.round(1000 * Math.min(...ratios)) / 1000,
    most: Math.round(1000 * Math.max(...ratios)) / 1000,
  };
}

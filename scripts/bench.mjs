/**
 * `npm run bench [-- --quick] [-- --database mariadb] [-- --referrals 10000,100000,1000000]`: the portal's overview beside a bare Remix page
 * of the same size, each list, deep pages, and what others wait beside requests and files made to hold them up (that alone: `-- --hostile`), on
 * this machine, in one run. Figures are ratios; absolute numbers only say what they are ratios of. A million referrals take some minutes to make.
 * `-- --start` alone times build, demo, first page and a second start. `-- --lists silent` times only the lists with that in their names. `-- --sync` alone times SQLite on a slow disk.
 * `-- --before <folder>` alone compares pages with the build in another checkout.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildBaselineApp } from "./baseline-app.mjs";
import { ensureBuilt, ensureInstalled, requireSupportedNode, runAsCommand } from "./preparation.mjs";
import { timeFirstVisits } from "./bench-slow-connection.mjs";
import { comparePairs } from "./bench-pairs.mjs";
import { timeHostile } from "./bench-hostile.mjs";
import { timeStart } from "./bench-start.mjs";
import { timeSync } from "./bench-sync.mjs";
import { timeHeavy } from "./bench-heavy.mjs";
import { emptyMariaDb, timeCombinations, timeLists } from "./bench-lists.mjs";
import { comparePages, median, pathOfLength, timeAnswers } from "./bench-page.mjs";
import { get, makeDemoData, memoryOf, signIn, startServer } from "./test-server.mjs";

const MAX_USERS = 100_000;
/** As typed or bookmarked. */
const wizard = "/management/henvisning-tandlaeger";

await runAsCommand(async () => {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      referrals: { type: "string", default: "10000,100000" },
      database: { type: "string", default: "sqlite" },
      hostile: { type: "boolean", default: false },
      start: { type: "boolean", default: false },
      sync: { type: "boolean", default: false },
      lists: { type: "string" },
      before: { type: "string" },
    },
  });
  if (!["sqlite", "mariadb"].includes(values.database)) throw new Error("--database is sqlite or mariadb");
  const sizes = values.referrals.split(",").map(Number);
  const seconds = values.quick ? 2 : 4;
  const rounds = values.quick ? 1 : 5;

  requireSupportedNode();
  ensureInstalled();
  if (values.start) return console.table(await timeStart());
  ensureBuilt();
  if (values.hostile) return console.table(await timeHostile());
  if (values.before !== undefined) return console.table(await comparePairs(values.before));
  if (values.sync) return console.table(await timeSync());
  const barePage = buildBaselineApp();
  const results = [];
  const heavy = [];
  const answers = [];
  const combinationTimes = [];
  let slowConnection;
  const mariaDb = values.database === "mariadb" ? await emptyMariaDb() : null;
  const portals = [];
  const folders = [];
  const bare = await startServer(barePage);

  try {
    for (const referrals of sizes) {
      const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-bench-"));
      folders.push(dataDir);
      const making = performance.now();
      const databaseUrl = mariaDb ? await mariaDb.database(`bench_${referrals}`) : "";
      const env = {
        NODE_ENV: "production",
        SECOND_FACTOR: "optional",
        PUBLIC_ORIGIN: "http://127.0.0.1",
        ADMIN_IP_ALLOW: "any",
        PARKING_IP_ALLOW: "any",
        DATA_DIR: dataDir,
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      };
      makeDemoData(dataDir, referrals, databaseUrl, Math.min(referrals / 10, MAX_USERS));
      const makingSeconds = (performance.now() - making) / 1000;
      const startMs = values.lists === undefined ? await medianStart({ env }, rounds + 2) : 0;
      const server = await startServer({ env });
      const idle = memoryOf(server.pid);
      const portal = { ...server, referrals, cookie: await signIn(server.origin) };
      portals.push(portal);
      if (values.lists !== undefined) continue;
      const compared = await comparePages(portal, bare, { rounds, seconds });
      answers.push(...(await timeAnswers(portal, { seconds })));
      heavy.push(await timeHeavy(portal, portal.cookie, referrals));
      combinationTimes.push({ referrals, ...(await timeCombinations(portal.origin, portal.cookie)) });
      results.push({
        referrals,
        "demo data, s": round1(makingSeconds),
        ...compared,
        "start, ms": Math.round(startMs),
        "RSS idle, MB": idle?.now,
        "RSS highest, MB": memoryOf(server.pid)?.highest,
      });
      slowConnection ??= await timeOnSlowConnection(portal.origin, portal.cookie, bare.origin, values.quick ? 1 : 5);
    }
    const [fewest, most] = [portals[0], portals.at(-1)];
    const lists = fewest === most ? [] : await timeLists(fewest, most, values.quick ? 5 : 51, values.lists);
    if (values.lists !== undefined) return console.table(lists);
    const bareStart = await medianStart(barePage, rounds + 2);

    console.log(
      `\nNode ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0]?.model}, ${values.database}, ${rounds} × ${seconds} s\n`,
    );
    console.table(results);
    console.log("Answers with 25 connections:");
    console.table(answers);
    console.table(heavy);
    console.table([
      ...results.map((result) => ({
        ratio: `processor time of an overview / of a bare page as long, ${result.referrals} referrals`,
        measured: round2(result["CPU, ms"] / result["bare CPU, ms"]),
        wanted: "≤ 3",
      })),
      ...combinationTimes.map(({ referrals, slowest, ms }) => ({
        ratio: `slowest of 40 combinations in ms (median ${round1(ms)}), ${referrals} referrals: ${slowest.question}`,
        measured: round1(slowest.ms),
        wanted: "≤ 100",
      })),
      {
        ratio: `step 1 at 400 kbit/s and 400 ms / bare page that is as long on the wire as its HTML, first visit (${Math.round(slowConnection.portal)} ms)`,
        measured: round2(slowConnection.portal / slowConnection.bare),
        wanted: "(two round trips more than the bare page: the first visit of a build)",
      },
      {
        ratio: "start to first answer, portal / empty Remix server",
        measured: round2(results.at(-1)["start, ms"] / bareStart),
        wanted: `(${Math.round(bareStart)} ms)`,
      },
    ]);
    console.log("What was made to keep others waiting:");
    console.table(await timeHostile());
    if (fewest === most) return;
    console.log(`Server time of each list, ${most.referrals} / ${fewest.referrals} referrals, wanted ≤ 1.3:`);
    console.table(lists);
  } finally {
    for (const server of [...portals, bare]) await server.stop();
    await mariaDb?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * The wizard's first page with styles beside a bare page without any, which is uncompressed and therefore made as long
 * as the former's compressed HTML.
 */
async function timeOnSlowConnection(origin, cookie, bareOrigin, visits) {
  // As the tab links to it: with the form's key in the address.
  const address = `${origin}${wizard}?form=measured-on-a-slow-connection`;
  const page = await get(address, { cookie });
  const barePath = await pathOfLength(bareOrigin, page.bytes);
  return {
    portal: await timeFirstVisits(address, cookie, visits),
    bare: await timeFirstVisits(bareOrigin + barePath, "", visits),
  };
}

async function medianStart(options, times) {
  const measured = [];
  for (let turn = 0; turn < times; turn++) {
    const server = await startServer(options);
    measured.push(server.firstAnswerMs);
    await server.stop();
  }
  return median(measured);
}

function round1(number) {
  return Math.round(number * 10) / 10;
}

function round2(number) {
  return Math.round(number * 100) / 100;
}

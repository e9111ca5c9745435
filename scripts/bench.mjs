/**
 * `npm run bench [-- --quick] [-- --database mariadb] [-- --referrals 10000,100000,1000000]`: the portal's overview beside a bare Remix page
 * of the same size, each filter, and deep pages, on this machine, in one run. Figures are ratios; absolute numbers only say what they
 * are ratios of. A million referrals take some minutes to make.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildBaselineApp } from "./baseline-app.mjs";
import { ensureBuilt, ensureInstalled, requireSupportedNode, runAsCommand } from "./preparation.mjs";
import { timeFirstVisits } from "./bench-slow-connection.mjs";
import { timeHeavy } from "./bench-heavy.mjs";
import { emptyMariaDb, lists, timeCombinations, timeLists } from "./bench-lists.mjs";
import { get, makeDemoData, memoryOf, signIn, startServer } from "./test-server.mjs";

const overview = "/management/overview";
/** A user to every ten referrals, but no more than these. */
const MAX_USERS = 100_000;
/** As it is typed or kept as a bookmark. */
const wizard = "/management/henvisning-tandlaeger";

await runAsCommand(async () => {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      referrals: { type: "string", default: "10000,100000" },
      database: { type: "string", default: "sqlite" },
    },
  });
  if (!["sqlite", "mariadb"].includes(values.database)) throw new Error("--database is sqlite or mariadb");
  const sizes = values.referrals.split(",").map(Number);
  const seconds = values.quick ? 2 : 6;
  const rounds = values.quick ? 1 : 3;

  requireSupportedNode();
  ensureInstalled();
  ensureBuilt();
  const { default: autocannon } = await import("autocannon");
  const barePage = buildBaselineApp();
  const results = [];
  const listTimes = [];
  const combinationTimes = [];
  const heavy = [];
  let slowConnection;
  const mariaDb = values.database === "mariadb" ? await emptyMariaDb() : null;

  for (const referrals of sizes) {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-bench-"));
    try {
      const making = performance.now();
      const databaseUrl = mariaDb ? await mariaDb.database(`bench_${referrals}`) : "";
      const env = {
        NODE_ENV: "production",
        PUBLIC_ORIGIN: "http://127.0.0.1",
        ADMIN_IP_ALLOW: "any",
        PARKING_IP_ALLOW: "any",
        DATA_DIR: dataDir,
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      };
      makeDemoData(dataDir, referrals, databaseUrl, Math.min(referrals / 10, MAX_USERS));
      const makingSeconds = (performance.now() - making) / 1000;
      const startMs = await medianStart({ env }, rounds + 2);

      const portal = await startServer({ env });
      const bare = await startServer(barePage);
      const idle = memoryOf(portal.pid);
      const cookie = await signIn(portal.origin);
      const first = await get(portal.origin + overview, { cookie });
      if (first.status !== 200) throw new Error(`${overview} answered ${first.status}`);
      const length = Buffer.byteLength(first.text);
      const barePath = await pathOfLength(bare.origin, length);
      const deep = deepestPage(first.text);

      const shoot = (url, headers, connections) => autocannon({ url, headers, connections, duration: seconds });
      const throughput = { portal: [], bare: [] };
      const work = { portal: [], bare: [] };
      await shoot(portal.origin + overview, { cookie }, 10);
      await shoot(bare.origin + barePath, {}, 10);
      for (let round = 0; round < rounds; round++) {
        for (const { name, server, url, headers } of [
          { name: "portal", server: portal, url: portal.origin + overview, headers: { cookie } },
          { name: "bare", server: bare, url: bare.origin + barePath, headers: {} },
        ]) {
          const before = processorMs(server.pid);
          const shot = await shoot(url, headers, 10);
          throughput[name].push(shot);
          work[name].push((processorMs(server.pid) - before) / shot.requests.total);
        }
      }
      const alone = await shoot(portal.origin + overview, { cookie }, 1);
      const aloneDeep = deep && (await shoot(portal.origin + deep, { cookie }, 1));
      const refused = [...throughput.portal, alone, ...(aloneDeep ? [aloneDeep] : [])].reduce(
        (sum, shot) => sum + shot.non2xx + shot.errors,
        0,
      );
      if (refused > 0) throw new Error(`${refused} requests for the overview were not answered with a page`);

      heavy.push(await timeHeavy(portal, cookie, referrals));
      listTimes.push(await timeLists(portal.origin, cookie, values.quick ? 3 : 25));
      combinationTimes.push({ referrals, ...(await timeCombinations(portal.origin, cookie)) });
      results.push({
        referrals,
        "demo data, s": round1(makingSeconds),
        "page, KB": round1(length / 1024),
        "overview, req/s": Math.round(median(throughput.portal.map((shot) => shot.requests.average))),
        "bare page, req/s": Math.round(median(throughput.bare.map((shot) => shot.requests.average))),
        "CPU, ms": round2(median(work.portal)),
        "bare CPU, ms": round2(median(work.bare)),
        "one by one, ms": round2(1000 / alone.requests.average),
        ...(aloneDeep ? { "deep page, ms": round2(1000 / aloneDeep.requests.average) } : {}),
        "start, ms": Math.round(startMs),
        "RSS idle, MB": idle?.now,
        "RSS highest, MB": memoryOf(portal.pid)?.highest,
      });
      if (referrals === sizes[0])
        slowConnection = await timeOnSlowConnection(portal.origin, cookie, bare.origin, values.quick ? 1 : 5);
      await portal.stop();
      await bare.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  await mariaDb?.stop();
  const bareStart = await medianStart(barePage, rounds + 2);

  console.log(
    `\nNode ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0]?.model}, ${values.database}, ${rounds} × ${seconds} s\n`,
  );
  console.table(results);
  console.table(heavy);
  const [smallest, largest] = [results[0], results.at(-1)];
  const ratios = results.map((result) => ({
    ratio: `processor time of an overview / of a bare page as long, ${result.referrals} referrals`,
    measured: round2(result["CPU, ms"] / result["bare CPU, ms"]),
    wanted: "≤ 3",
  }));
  for (const { referrals, slowest, ms } of combinationTimes) {
    ratios.push({
      ratio: `slowest of 40 combinations in ms (median ${round1(ms)}), ${referrals} referrals: ${slowest.question}`,
      measured: round1(slowest.ms),
      wanted: "≤ 100",
    });
  }
  if (results.length > 1) {
    const growth = `${largest.referrals} / ${smallest.referrals} referrals`;
    ratios.push({
      ratio: `server time of the first page, ${growth}`,
      measured: round2(largest["one by one, ms"] / smallest["one by one, ms"]),
      wanted: "≤ 1.3",
    });
    for (const list of lists) {
      const [few, many] = [listTimes[0][list], listTimes.at(-1)[list]];
      ratios.push({
        ratio: `${list}: ${round1(few.ms)} → ${round1(many.ms)} ms (first time ${round1(many.firstMs)}), ${growth}`,
        measured: round2(many.ms / few.ms),
        wanted: "≤ 1.3",
      });
    }
    if (largest["deep page, ms"]) {
      ratios.push({
        ratio: `server time of a deep page, ${growth}`,
        measured: round2(largest["deep page, ms"] / smallest["deep page, ms"]),
        wanted: "≤ 1.3",
      });
    }
  }
  ratios.push({
    ratio: `step 1 at 400 kbit/s and 400 ms / bare page that is as long on the wire as its HTML, first visit (${Math.round(slowConnection.portal)} ms)`,
    measured: round2(slowConnection.portal / slowConnection.bare),
    wanted: "(two round trips more than the bare page: the first visit of a build)",
  });
  ratios.push({
    ratio: "start to first answer, portal / empty Remix server",
    measured: round2(largest["start, ms"] / bareStart),
    wanted: `(${Math.round(bareStart)} ms)`,
  });
  console.table(ratios);
});

/** The wizard's first page, styles and all, beside a bare page without any; the latter is not compressed, so it is made as long as the former's HTML is when it is sent. */
async function timeOnSlowConnection(origin, cookie, bareOrigin, visits) {
  // As the tab leads there: with the form's key in the address.
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

/** The bare page whose HTML is as long as the overview's, to within a row. */
async function pathOfLength(origin, length) {
  const size = async (rows) => Buffer.byteLength((await get(`${origin}/?rows=${rows}`)).text);
  const [few, many] = [await size(20), await size(120)];
  const rows = Math.max(1, Math.round(20 + ((length - few) * 100) / (many - few)));
  return `/?rows=${rows}`;
}

/** The link of the pager that leads furthest, if the page has one. */
function deepestPage(html) {
  const links = [...html.matchAll(/href="([^"]*[?&](?:amp;)?page=(\d+)[^"]*)"/g)].map((hit) => ({
    url: hit[1].replaceAll("&amp;", "&"),
    page: Number(hit[2]),
  }));
  const furthest = links.sort((a, b) => b.page - a.page)[0];
  if (!furthest || furthest.page < 2) return undefined;
  return furthest.url.startsWith("?") ? overview + furthest.url : furthest.url;
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

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function round1(number) {
  return Math.round(number * 10) / 10;
}

function round2(number) {
  return Math.round(number * 100) / 100;
}

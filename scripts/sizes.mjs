/** Size checks of `npm test`: bytes transferred on a first visit, gzipped. 1 KB = 1024 bytes. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt, runAsCommand } from "./preparation.mjs";
import { makePatientPages } from "./patient-pages.mjs";
import { get, signIn, startServer } from "./test-server.mjs";

const KB = 1024;

/** Public pages: one request, styles inline, no script. */
const publicPages = ["/login", "/change-password"];

/** Pages of invalid links; valid ones are created (patient-pages.mjs). */
const expiredPages = ["/xr?tk=nobodys", "/dl?tk=nobodys", "/aftale?tk=nobodys", "/sag?tk=nobodys"];

/** The page's only script shows the car while the plate is typed. */
const parkingPage = "/book-parking";

const atNoon = new URL("./monday-noon-clock.mjs", import.meta.url).href;

const errors = [];
const rows = [];

await runAsCommand(async () => {
  ensureBuilt();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-sizes-"));
  // The demo imports the file of the day that it is made on, so it is made before the day that is measured.
  await (await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } })).stop();
  const portal = await startServer({
    env: { NODE_ENV: "development", DATA_DIR: dataDir, NODE_OPTIONS: `--import=${atNoon}` },
  });
  try {
    for (const url of publicPages) await checkPublicPage(portal.origin, url);
    await checkPublicPage(portal.origin, "/tilgaengelighed", { limit: 4 * KB });
    for (const url of expiredPages) await checkPatientPage(portal.origin, url, 403);
    await checkParkingPage(portal.origin);
    const cookie = await signIn(portal.origin);
    await checkOverview(portal.origin, cookie);
    for (const url of await makePatientPages(portal.origin, cookie)) await checkPatientPage(portal.origin, url, 200);
  } finally {
    await portal.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  for (const [what, bytes, limit] of rows) {
    console.log(`${bytes > limit ? "✗" : "✓"} ${what.padEnd(44)} ${kb(bytes)} of ${kb(limit)}`);
    if (bytes > limit) errors.push(`${what}: ${kb(bytes).trim()}, at most ${kb(limit).trim()}`);
  }
  for (const error of errors) console.error(`✗ ${error}`);
  process.exitCode = errors.length > 0 ? 1 : 0;
});

async function checkPatientPage(origin, url, status) {
  const page = await checkPublicPage(origin, url, { status, limit: 4 * KB });
  if (page.headers["set-cookie"]) errors.push(`${url} sets a cookie`);
  if (!/<meta name="robots" content="noindex/.test(page.text)) errors.push(`${url} may be indexed`);
}

async function checkPublicPage(origin, url, { status = 200, limit = 12 * KB } = {}) {
  const page = await fetchPage(origin, url, {}, status);
  const name = url.replace(/tk=[\w-]{20,}/, "tk=…");
  rows.push([`${name}: HTML`, page.bytes, limit]);
  if (/<script\b/.test(page.text)) errors.push(`${url} carries script`);
  if (/<link\b[^<>]*rel="stylesheet"/.test(page.text))
    errors.push(`${url} fetches a stylesheet; its styles belong inline`);
  return page;
}

async function checkParkingPage(origin) {
  const page = await fetchPage(origin, parkingPage, {}, 200);
  rows.push([`${parkingPage}: HTML`, page.bytes, 4 * KB]);
  const scripts = [...page.text.matchAll(/<script\b[^<>]*\bsrc="([^"]+)"/g)].map((hit) => hit[1]);
  rows.push([`${parkingPage}: script`, await weigh(origin, scripts), 2 * KB]);
  if (scripts.length !== 1 || page.text.match(/<script\b/g).length !== 1)
    errors.push(`${parkingPage} carries other scripts than its one`);
  if (/<link\b[^<>]*rel="stylesheet"/.test(page.text)) errors.push(`${parkingPage} fetches a stylesheet`);
  if (page.headers["set-cookie"]) errors.push(`${parkingPage} sets a cookie`);
}

async function checkOverview(origin, cookie) {
  const url = "/management/overview";
  const page = await fetchPage(origin, url, { cookie });
  // Each of the twenty rows' forms has a name of its own, and its boxes are kept from being restored on Back.
  rows.push([`${url}: HTML`, page.bytes, 15 * KB]);
  if (!page.text.includes("Dagens patienttider"))
    errors.push(`${url} was weighed without the alert of the missing file`);
  const styles = assets(page.text, "css");
  rows.push([`${url}: CSS`, await weigh(origin, styles), 14 * KB]);
  if (styles.length === 0) errors.push(`${url} names no stylesheet`);
  const scripts = assets(page.text, "js");
  // Includes 2 KB by which fields that nobody touched follow the page.
  rows.push([`${url}: scripts (${scripts.length})`, await weigh(origin, scripts), 164 * KB]);
  if (scripts.length === 0) errors.push(`${url} names no script: is this the light edition?`);

  const light = await fetchPage(origin, url, { cookie, "save-data": "on" });
  const lightScripts = assets(light.text, "js");
  rows.push([`${url}: scripts, light edition`, await weigh(origin, lightScripts), 0]);
  if (/<script\b/.test(light.text)) errors.push(`${url}: the light edition carries script`);
}

async function fetchPage(origin, url, headers, status = 200) {
  const page = await get(origin + url, headers);
  if (page.status !== status)
    errors.push(`${url} answered ${page.status}${page.headers.location ? ` to ${page.headers.location}` : ""}`);
  if (!page.gzipped && page.bytes > KB) errors.push(`${url} came without gzip`);
  return page;
}

/** Built files of a kind that the page refers to: tags, preloads and imports of inline scripts. */
function assets(html, kind) {
  const names = [...html.matchAll(/"(\/build\/[^"\\]+)"/g)].map((hit) => hit[1]);
  return [...new Set(names.filter((name) => name.endsWith(`.${kind}`)))];
}

async function weigh(origin, urls) {
  const answers = await Promise.all(urls.map((url) => get(origin + url)));
  answers.forEach((answer, index) => {
    if (answer.status !== 200) errors.push(`${urls[index]} answered ${answer.status}`);
  });
  return answers.reduce((sum, answer) => sum + answer.bytes, 0);
}

function kb(bytes) {
  return `${(bytes / KB).toFixed(1)} KB`.padStart(9);
}

/** `npm run pictures`: the pictures of README and of the guides, taken of a portal of its own with demo data. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { chromiumFlags, findChromium } from "../tests/support/chromium.mjs";
import { ensureBuilt, PreparationError, projectFolder, runAsCommand } from "./preparation.mjs";
import { signIn, startServer } from "./test-server.mjs";

const folder = path.join(projectFolder, "public", "hjaelp");
const atNoon = new URL("./monday-noon-clock.mjs", import.meta.url).href;
const MOST_KB = 120;

const desk = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

/** Opens the first row of a list by its name, preferably one with radiographs. */
const openFirst = async (page, unlike = /^$/) => {
  const rows = page.locator("tbody tr").filter({ hasNotText: unlike });
  const withImages = rows.filter({ has: page.locator('use[href$="#radiograph"]') });
  const row = (await withImages.count()) > 0 ? withImages : rows;
  await row.locator(".c-name a, .c-first a").first().click();
  await page.locator(".ref-head, .row-on").first().waitFor();
};

/** Sends a reminder of the next time in the list, and follows its link as the patient does. */
const followReminder = async (page, origin) => {
  await openFirst(page, /Afsluttet|Ønsker ikke|aflyst|TEST/);
  await page.getByRole("button", { name: "Send SMS med afbud" }).first().click();
  await page.locator("[data-messages]").getByText("SMS").first().waitFor();
  await page.goto(`${origin}/dev/outbox`);
  const link = /\/aftale\?tk=[\w-]+/.exec(await page.content());
  if (!link) throw new PreparationError("No message in the outbox leads to the patient's page.");
  await page.setViewportSize(phone);
  await page.goto(origin + link[0]);
};

/** @type {{ name: string, as: string, at: string, size: { width: number, height: number }, show?: (page: any, origin: any) => Promise<void> }[]} */
const pictures = [
  { name: "oversigt", as: "admin", at: "/management/overview", size: desk },
  { name: "henvisning", as: "kirurg", at: "/management/overview", size: desk, show: (page) => openFirst(page) },
  {
    name: "indkald",
    as: "admin",
    at: "/management/call-up-letters",
    size: desk,
    show: (page) => openFirst(page, /Mislykkedes|Fejl|Igangværende|TEST/),
  },
  { name: "henvis", as: "tandlaege", at: "/management/henvisning-tandlaeger", size: desk },
  { name: "aftale", as: "admin", at: "/management/sms", size: desk, show: followReminder },
];

await runAsCommand(async () => {
  ensureBuilt();
  mkdirSync(folder, { recursive: true });
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-pictures-"));
  const portal = await startServer({
    env: { NODE_ENV: "development", DATA_DIR: dataDir, NODE_OPTIONS: `--import=${atNoon}` },
  });
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    for (const picture of pictures) await take(browser, portal.origin, picture);
  } finally {
    await browser.close();
    await portal.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** @param {any} browser @param {string} origin @param {(typeof pictures)[number]} picture */
async function take(browser, origin, { name, as, at, size, show }) {
  const context = await browser.newContext({ viewport: size, locale: "da-DK", reducedMotion: "reduce" });
  const [cookieName, ...value] = (await signIn(origin, as)).split("=");
  await context.addCookies([{ name: cookieName, value: value.join("="), url: origin }]);
  const page = await context.newPage();
  await page.goto(origin + at, { waitUntil: "networkidle" });
  await show?.(page, origin);
  await page.waitForLoadState("networkidle");
  // The caret blinks, and a focus ring would show where the script pressed.
  await page.evaluate(() => /** @type {any} */ (document.activeElement)?.blur());
  const file = path.join(folder, `${name}.webp`);
  writeFileSync(
    file,
    await sharp(await page.screenshot())
      .webp({ quality: 76, effort: 6 })
      .toBuffer(),
  );
  await context.close();
  const kb = statSync(file).size / 1024;
  console.log(`${path.relative(projectFolder, file)} ${kb.toFixed(0)} KB`);
  if (kb > MOST_KB) throw new PreparationError(`${file} has more than ${MOST_KB} KB.`);
}

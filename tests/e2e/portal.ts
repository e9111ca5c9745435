import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContext, expect, type Page, test as base } from "@playwright/test";
import { createCookie } from "@remix-run/node";
import mysql from "mysql2/promise";
import { makeDemoData, signIn, startServer } from "../../scripts/measured-portal.mjs";
import { type Db, openDatabase } from "../../db/connection.server";

export interface WorkerOptions {
  database: "sqlite" | "mariadb";
}

export interface RunningPortal {
  origin: string;
  dataDir: string;
  /** A page of its own, signed in as a demo account, or as nobody. Faults in its console fail the test. */
  pageFor(userName: string | null): Promise<Page>;
  /** For what only time or staff would do. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface WorkerFixtures extends WorkerOptions {
  server: { origin: string; dataDir: string; databaseUrl: string };
}

/** Rows of bulk data beside what a test makes itself, so that lists have pages. */
const REFERRALS = 60;

export const test = base.extend<{ portal: RunningPortal }, WorkerFixtures>({
  database: ["sqlite", { option: true, scope: "worker" }],

  // One real server a worker and database, with the demo's accounts; tests make the referrals they need themselves.
  server: [
    async ({ database }, use) => {
      const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-e2e-"));
      const databaseUrl = database === "mariadb" ? await createDatabase() : "";
      makeDemoData(dataDir, REFERRALS, databaseUrl);
      const server = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir, DATABASE_URL: databaseUrl } });
      await use({ origin: server.origin, dataDir, databaseUrl });
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],

  portal: async ({ server, browser, javaScriptEnabled, viewport, colorScheme }, use) => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    await use({
      ...server,
      withDatabase: async (work) => {
        const db = openDatabase(server);
        return work(db).finally(() => db.destroy());
      },
      pageFor: async (userName) => {
        const { context, page } = await openPage(browser, server.origin, { javaScriptEnabled, viewport, colorScheme });
        contexts.push(context);
        watch(page, faults);
        if (userName === null) return page;
        const [name, value] = (await signIn(server.origin, userName)).split("=");
        await context.addCookies([{ name: name!, value: value!, url: server.origin, httpOnly: true, sameSite: "Lax" }]);
        return page;
      },
    });
    for (const context of contexts) await context.close();
    expect(faults, "faults in the browser's console").toEqual([]);
  },
});

export { expect };

async function openPage(browser: Browser, origin: string, options: Parameters<Browser["newContext"]>[0]) {
  const context = await browser.newContext({ baseURL: origin, locale: "da-DK", ...options });
  return { context, page: await context.newPage() };
}

/** A page error, or anything that React or the content policy says in red. Refused forms answer 4xx on purpose. */
function watch(page: Page, faults: string[]): void {
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
}

async function createDatabase(): Promise<string> {
  const url = process.env.TEST_MARIADB_URL;
  if (!url) throw new Error("TEST_MARIADB_URL is set by Playwright's global setup");
  const name = `portal_e2e_${process.pid}_${Date.now()}`;
  const connection = await mysql.createConnection(url);
  await connection.query(`create database ${name} character set utf8mb4`);
  await connection.end();
  return `${url}/${name}`;
}

/** Lets the page's session run out, as time would. */
export async function expireSession(portal: RunningPortal, page: Page): Promise<void> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === "session");
  const token = (await createCookie("session").parse(`session=${cookie?.value ?? ""}`)) as string;
  const id = createHash("sha256").update(token).digest("hex");
  const expired = await portal.withDatabase((db) => db.updateTable("session").set({ expires_at: "2020-01-01 00:00:00.000" }).where("id", "=", id).executeTakeFirstOrThrow());
  expect(expired.numUpdatedRows).toBe(1n);
}

/** No violation of WCAG 2.2 AA on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  expect(found, page.url()).toEqual([]);
}

/** Presses a button and waits until the answer stands on the page. */
export async function press(page: Page, intent: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.locator(`button[name="intent"][value="${intent}"]`).first().click();
  await answered;
  await page.waitForLoadState("networkidle");
}

type FilesToChoose = Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0];

/** Adds images in step 3, all of one type: by the form and its button, or by script, where they go by themselves; waits for the outcome. */
export async function addImages(page: Page, files: FilesToChoose, type: number, isScripted: boolean): Promise<void> {
  if (!isScripted) {
    await page.locator('[name="radiographType"][form]').selectOption(String(type));
    await page.locator('[name="radiographs"]').setInputFiles(files);
    await press(page, "addRadiographs");
    return;
  }
  await page.getByLabel("Billedtype for nye filer").selectOption(String(type));
  await page.locator("#step3-radiographs").setInputFiles(files);
  await expect(page.locator("[data-upload-state]:not([data-upload-state=refused])")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
}

let referralCount = 0;

/** Lets whoever the page belongs to send a referral without images, through the wizard, for a patient of its own that cannot exist. */
export async function aReferral(page: Page): Promise<{ id: number; cpr: [string, string] }> {
  const cpr: [string, string] = ["690177", String(2000 + (referralCount += 1))];
  const typed = { cpr6: cpr[0], cpr4: cpr[1], firstName: "Åse", lastName: "Ærø", address: "Kaj 7", zip: "5970", city: "Ærøskøbing", desiredTreatment: "Vurdering af 48." };
  await page.goto("/management/henvisning-tandlaeger");
  for (const [name, value] of Object.entries(typed)) await page.locator(`[name="${name}"]`).first().fill(value);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=2/);
  await press(page, "saveReferrer");
  await expect(page).toHaveURL(/trin=3/);
  await page.getByLabel("Sendes med post").check();
  await press(page, "sendReferral");
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();
  return { id: Number(new URL(page.url()).searchParams.get("nr")), cpr };
}

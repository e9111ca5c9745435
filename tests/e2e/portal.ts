import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Page, type Response, test as base } from "@playwright/test";
import mysql from "mysql2/promise";
import { makeDemoData, startServer } from "../../scripts/test-server.mjs";
import { sessionCookie } from "../../app/access/authenticator.server";
import { type Db, openDatabase } from "../../db/connection.server";
import { sessionOf } from "../support/session";
import { Profiles } from "./profiles";
import { REFERRALS } from "./set-up";

export interface WorkerOptions {
  database: "sqlite" | "mariadb";
  /** The portal's time is noon of the next Monday, when it misses the day's file of appointment times. `pageFor` signs nobody in. */
  isMondayNoon: boolean;
}

interface TestOptions {
  /**
   * What `npm test` leaves to `npm run test:matrix`: the runs with script where it does nothing that another test does
   * not show, the runs without it where what it does is the subject, or all.
   */
  matrix: "with script" | "without script" | "all" | null;
}

export interface RunningPortal {
  origin: string;
  dataDir: string;
  /** A new page, signed in as a demo account or nobody. Console errors fail the test. */
  pageFor(userName: string | null, options?: { mayLog?: RegExp }): Promise<Page>;
  /** For what otherwise takes time or staff. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface WorkerFixtures extends WorkerOptions {
  profiles: Profiles;
  server: { origin: string; dataDir: string; databaseUrl: string };
}

const mondayNoon = new URL("../../scripts/monday-noon-clock.mjs", import.meta.url).href;

export const test = base.extend<TestOptions & { portal: RunningPortal; part: void }, WorkerFixtures>({
  database: ["sqlite", { option: true, scope: "worker" }],
  isMondayNoon: [false, { option: true, scope: "worker" }],
  matrix: [null, { option: true }],

  part: [
    async ({ matrix, database, javaScriptEnabled }, use, { skip }) => {
      const isLeft = matrix === "all" || matrix === (javaScriptEnabled ? "with script" : "without script");
      const own = database === "mariadb" || isLeft ? "matrix" : "gate";
      // Without a command, as while one works on a test, all of it runs.
      skip((process.env.TEST_COMMAND ?? own) !== own, `is of the ${own}`);
      await use();
    },
    { auto: true },
  ],

  // One server per worker and database with the demo's accounts; tests create their own referrals.
  server: [
    async ({ database, isMondayNoon }, use) => {
      const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-e2e-"));
      const databaseUrl = database === "mariadb" ? await createDatabase() : "";
      if (databaseUrl) makeDemoData(dataDir, REFERRALS, databaseUrl);
      else cpSync(process.env.DEMO_DATA!, dataDir, { recursive: true });
      const server = await startServer({
        env: {
          NODE_ENV: "development",
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          ...(isMondayNoon && { NODE_OPTIONS: `--import=${mondayNoon}` }),
        },
      });
      await use({ origin: server.origin, dataDir, databaseUrl });
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],

  profiles: [async ({ server, browser }, use) => use(new Profiles(browser, server.origin)), { scope: "worker" }],

  portal: async ({ server, profiles, javaScriptEnabled, viewport, colorScheme }, use) => {
    const options = { javaScriptEnabled, viewport, colorScheme };
    const opened: BrowserContext[] = [];
    const errors: string[] = [];
    const withDatabase: RunningPortal["withDatabase"] = async (work) => {
      const db = openDatabase(server);
      return work(db).finally(() => db.destroy());
    };
    await use({
      ...server,
      withDatabase,
      pageFor: async (userName, { mayLog } = {}) => {
        const page = await profiles.open(options);
        const profile = page.context();
        opened.push(profile);
        watch(page, errors, mayLog);
        if (userName === null) return page;
        const cookie = await withDatabase((db) => sessionOf(db, userName));
        await profile.addCookies([{ ...cookie, url: server.origin, httpOnly: true, sameSite: "Lax" }]);
        return page;
      },
    });
    for (const profile of opened) await profiles.close(profile, options);
    expect(errors, "errors in the browser's console").toEqual([]);
  },
});

export { expect };

/** Records page errors and errors of React or the CSP. Refused forms answer 4xx on purpose. */
function watch(page: Page, errors: string[], mayLog = /^$/): void {
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !/Failed to load resource/.test(text) && !mayLog.test(text)) errors.push(text);
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

/** Expires the page's session. */
export async function expireSession(portal: RunningPortal, page: Page): Promise<void> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === "session");
  const token = (await sessionCookie(false).parse(`session=${cookie?.value ?? ""}`)) as string;
  const id = createHash("sha256").update(token).digest("hex");
  const expired = await portal.withDatabase((db) =>
    db
      .updateTable("session")
      .set({ expiresAt: "2020-01-01T00:00:00.000Z" })
      .where("id", "=", id)
      .executeTakeFirstOrThrow(),
  );
  expect(expired.numUpdatedRows).toBe(1n);
}

/** Revalidates the page while text is typed, as the poll does for a new message. */
export async function readAnew(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as RemixWindow).__remixRouter!.revalidate());
  await settled(page);
}

interface RemixWindow {
  __remixContext?: unknown;
  __remixRouter?: {
    revalidate(): void;
    state: { navigation: { state: string }; revalidation: string; fetchers: Map<string, { state: string }> };
  };
}

interface ReactContainer {
  stateNode: { current: { memoizedState: { isDehydrated: boolean } | null } };
}

/** Waits until the page is loaded, hydrated and idle. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState();
  const isAtRest = async () => {
    // React marks its root once all of the page is hydrated.
    const isTakenOver = () => {
      const key = Object.keys(document).find((name) => name.startsWith("__reactContainer"));
      const containers = document as unknown as Record<string, ReactContainer | undefined>;
      return containers[key ?? ""]?.stateNode.current.memoizedState?.isDehydrated === false;
    };
    const { __remixContext, __remixRouter: router } = window as unknown as RemixWindow;
    if (!__remixContext) return true;
    if (!router || !isTakenOver()) return false;
    // A locked page reads nothing before its person is back.
    if (document.getElementById("locked-title")) return true;
    await new Promise((resolve) => setTimeout(resolve));
    const { navigation, revalidation, fetchers } = router.state;
    return (
      navigation.state === "idle" &&
      revalidation === "idle" &&
      [...fetchers.values()].every(({ state }) => state === "idle")
    );
  };
  // A page that navigates away is asked again.
  await expect.poll(() => page.evaluate(isAtRest).catch(() => false), { intervals: [10, 20, 50, 100] }).toBe(true);
}

/**
 * Expects no violation of WCAG 2.2 AA. Sticky elements are made static meanwhile: the target size rule counts what they
 * half cover, although scrolling reveals it and focus never stops there (scroll-padding).
 */
export async function expectAccessible(page: Page): Promise<void> {
  const stick = (position: string) =>
    page.evaluate((value) => {
      for (const bar of document.querySelectorAll<HTMLElement>(
        "[data-bar], .ref-head, .ref-line, .ref-who, .ref-status",
      ))
        bar.style.position = value;
    }, position);
  await stick("static");
  const { violations } = await new AxeBuilder({ page })
    // With frames, results are combined on a separate page, which is slow; only violations are reported in full.
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  await stick("");
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  expect(found, page.url()).toEqual([]);
}

export async function press(page: Page, intent: string): Promise<void> {
  await answerTo(page, () =>
    page.locator(`button[name="intent"][value="${intent}"]:not([aria-hidden])`).first().click(),
  );
}

/**
 * The answer to what `send` posts. With the form's intent it is not that of a page which saves by itself meanwhile; the
 * body of a form with files cannot be read.
 */
export async function answerTo(page: Page, send: () => Promise<unknown>, intent = ""): Promise<Response> {
  // A press on a page about to be replaced would be lost.
  await settled(page);
  const isScripted = await page.evaluate(() => "__remixContext" in window);
  // Without JavaScript every answer is a page or file.
  const arrived = isScripted ? null : Promise.race([page.waitForEvent("load"), page.waitForEvent("download")]);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => {
      const request = response.request();
      return request.method() === "POST" && (request.postData() ?? intent).includes(intent);
    }),
    arrived,
    send(),
  ]);
  await settled(page);
  return answer;
}

export async function signInByHand(page: Page, userName: string, password = "Demo1234"): Promise<void> {
  await page.locator('[name="userName"]').fill(userName);
  await page.locator('[name="password"]').fill(password);
  await press(page, "signIn");
}

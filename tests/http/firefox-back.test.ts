// @module-tag matrix
// @module-tag firefox
import puppeteer, { type Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../scripts/test-server.mjs";
import { aClinic, aPerson } from "../factories/people";
import { aReferral } from "../factories/referrals";
import { findFirefox } from "../support/other-browsers.mjs";
import { sessionOf } from "../support/session";
import { createTestPortal, type TestPortal } from "../support/test-portal";

let portal: TestPortal;
let server: { origin: string; stop(): Promise<void> };
let ids: number[];
let session: { name: string; value: string };

beforeAll(async () => {
  portal = await createTestPortal("sqlite");
  portal.clock.set(new Date().toISOString());
  const admin = await aPerson(portal, { role: "Admin" });
  const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  ids = [];
  for (const status of [1, 2, 3, 5, 6]) {
    const id = await aReferral(portal, dentist);
    await setStatus(id, status);
    ids.push(id);
  }
  server = await startServer({
    env: { NODE_ENV: "development", DATA_DIR: portal.config.dataDir, APP_SECRET: portal.config.appSecret },
  });
  session = await sessionOf(portal.db, admin.userName);
});
afterAll(async () => {
  await server?.stop();
  await portal?.close();
});

const setStatus = (id: number, status: number) =>
  portal.db
    .updateTable("referral")
    .set((eb) => ({ status, version: eb("version", "+", 1), statusVersion: eb("statusVersion", "+", 1) }))
    .where("id", "=", id)
    .execute();

/** The rows whose status is neither the stored one nor what was `chosen` in them; null before the list is read anew. */
async function wrongRows(page: Page, chosen: Record<number, string>) {
  const shown = await page.$$eval("tr[id^=r]:has(select[name=status])", (rows) =>
    rows.map((row) => [Number(row.id.slice(1)), row.querySelector<HTMLSelectElement>("[name=status]")!.value] as const),
  );
  const rows = await portal.db.selectFrom("referral").select(["id", "status"]).where("id", "in", ids).execute();
  const stored = new Map(rows.map(({ id, status }) => [id, String(status)]));
  // The moved one is no longer in the list.
  if (shown.length !== ids.length - 1) return null;
  return shown.filter(([id, status]) => status !== stored.get(id) && status !== chosen[id]);
}

test("after Back in Firefox each row shows what is stored", async () => {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: findFirefox()!, headless: true });
  try {
    const page = await browser.newPage();
    await browser.setCookie({ ...session, domain: new URL(server.origin).hostname });
    await page.goto(`${server.origin}/management/overview`);
    await page.select(`#r${ids[1]} select[name=status]`, "12");
    await page.goto(`${server.origin}/management/draft-visits`);
    await setStatus(ids[3]!, 7);
    await page.goBack();
    await expect.poll(() => wrongRows(page, { [ids[1]!]: "12" })).toEqual([]);
  } finally {
    await browser.close();
  }
});

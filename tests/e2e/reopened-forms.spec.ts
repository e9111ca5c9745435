import type { Page } from "@playwright/test";
import { answerTo, expect, press, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

async function openReferral(portal: RunningPortal): Promise<{ page: Page; id: number }> {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  return { page, id };
}

const text = (page: Page) => page.getByLabel("Skriv til klinikken");
const written = (portal: RunningPortal, id: number) =>
  portal.withDatabase(async (db) => {
    const rows = await db.selectFrom("message").select("text").where("referralId", "=", id).orderBy("id").execute();
    return rows.map((row) => row.text);
  });

test("a form that is come back to by Back is sent, once", async ({ portal }) => {
  const { page, id } = await openReferral(portal);
  await text(page).fill("Før");
  await press(page, "writeMessage");
  // Whether the browser keeps or reloads this visit is its choice: the pages are `no-store`.
  await page.goto("/management/draft-visits");
  await page.goBack();
  await settled(page);
  await text(page).fill("Efter Tilbage");
  await press(page, "writeMessage");
  await expect(page.locator("#beskeder")).toContainText("Efter Tilbage");
  expect(await written(portal, id)).toEqual(["Før", "Efter Tilbage"]);
});

test("a page that is drawn again after its form was sent does the next message too", async ({ portal }) => {
  const { page, id } = await openReferral(portal);
  await text(page).fill("Den første");
  await press(page, "writeMessage");
  await page.goBack();
  await page.goForward();
  await settled(page);
  await text(page).fill("Den anden");
  await press(page, "writeMessage");
  expect(await written(portal, id)).toEqual(["Den første", "Den anden"]);
});

test("in two tabs with one page's form each sends what is typed in it", async ({ portal }) => {
  const { page, id } = await openReferral(portal);
  const ticketIn = (tab: Page) => tab.locator('form:has([name="text"]) [name="ticket"]').first();
  const twin = await page.context().newPage();
  // Simulates duplicating a tab: the same HTML from the browser's memory.
  const html = await (await page.request.get(page.url())).text();
  for (const tab of [page, twin]) {
    await tab.route(page.url(), (route) =>
      route.request().method() === "GET" && route.request().resourceType() === "document"
        ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
        : route.fallback(),
    );
    await tab.goto(page.url());
    await settled(tab);
    await tab.unrouteAll();
  }
  expect(await ticketIn(twin).inputValue()).toBe(await ticketIn(page).inputValue());
  await text(page).fill("Fra den ene fane");
  await text(twin).fill("Fra den anden fane");
  for (const tab of [page, twin])
    await answerTo(tab, () => tab.locator('button[value="writeMessage"]').first().click());
  expect(await written(portal, id)).toEqual(["Fra den ene fane", "Fra den anden fane"]);
});

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, press, test } from "./portal";

test.use({ matrix: "with script" });

const openExport = async (page: Page) => {
  await page.getByRole("button", { name: "Eksport", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Eksport" })).toBeVisible();
};

async function fileOf(page: Page, intent: string): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`button[value="${intent}"]`).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^henvisninger-\d{4}-\d{2}-\d{2}\.csv$/);
  const text = await readFile(await download.path(), "utf16le");
  return text.split("\r\n").slice(1, -1);
}

test("staff export what they picked, all in the filter, and by date; the list shows it", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  const boxes = page.locator('input[name="pick"]');
  const id = (await boxes.first().inputValue()).split(":")[0]!;
  await boxes.first().check();
  await openExport(page);
  expect(new URL(page.url()).search, "the address holds the row's number alone").toBe(`?pick=${id}`);
  await expect(page.getByRole("button", { name: "Eksportér de valgte (1)" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  const picked = await fileOf(page, "exportPicked");
  expect(picked.map((line) => line.split("\t")[0])).toEqual([id]);

  const all = await fileOf(page, "exportFiltered");
  expect(all.length).toBeGreaterThan(20);

  await press(page, "exportByDates");
  await expect(page.getByText("Vælg mindst én dato.").first()).toBeVisible();
  await page.locator("#exportByDates-dateFrom").fill("01.01.2019");
  await page.locator("#exportByDates-dateTo").fill("31.12.2019");
  await press(page, "exportByDates");
  await expect(page.getByText("Ingen data...")).toBeVisible();
  await expect(page.getByText(/Sidst eksporteret \d\d\.\d\d\.\d{4}/)).toBeVisible();

  await page.goto("/management/overview");
  await expect(page.locator(`#r${id}`).getByText("Eksporteret")).toBeAttached();
});

test("'Eksportér valgte' and an empty list put no ticket into the address", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  const boxes = page.locator('input[name="pick"]');
  const ids = (await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))).slice(0, 2);
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("button", { name: "Eksportér valgte" }).click();
  await expect(page.getByRole("button", { name: "Eksportér de valgte (2)" })).toBeVisible();
  expect(new URL(page.url()).search).toBe(`?${ids.map((pick) => `pick=${pick.split(":")[0]}`).join("&")}`);

  await page.goto("/management/overview");
  await page.locator('[name="visitNumber"]').fill("99999999");
  await press(page, "applyFilter");
  await openExport(page);
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(["f"]);
});

test("other roles neither see nor reach the export", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/overview");
  await expect(page.getByRole("button", { name: "Eksport", exact: true })).toHaveCount(0);
  expect((await page.request.get("/management/overview/eksport")).status()).toBe(403);
});

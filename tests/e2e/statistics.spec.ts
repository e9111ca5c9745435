import type { Locator, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { localDate, showDay, toMoment } from "../../app/text/dates";
import { postForm } from "./post-form";
import { expect, expectAccessible, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

/** A sent referral operated today; returns its treatment type's name. */
async function anOperation(portal: RunningPortal, staff: Page): Promise<string> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const { type, version } = await portal.withDatabase(async (db) => ({
    type: await db
      .selectFrom("treatmentType")
      .select(["id", "name"])
      .where("name", "=", "Koronektomi")
      .executeTakeFirstOrThrow(),
    ...(await db.selectFrom("referral").select("version").where("id", "=", id).executeTakeFirstOrThrow()),
  }));
  const answer = await postForm(staff, `/management/overview/${id}`, {
    intent: "editPlan",
    referralId: id,
    seenVersion: version,
    operationDate: showDay(localDate(new Date())),
    treatmentType: type.id,
  });
  expect(answer.status(), await answer.text()).toBe(303);
  return type.name;
}

/** Message figures are live: wait until messages of earlier tests are sent. */
async function everyMailSettled(portal: RunningPortal): Promise<void> {
  const waiting = () =>
    portal.withDatabase((db) =>
      db
        .selectFrom("outbox")
        .select("id")
        .where("channel", "=", "email")
        .where("outcome", "=", "queued")
        .where("notBefore", "<=", toMoment(new Date()))
        .execute(),
    );
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
}

const list = (page: Page, name: string) => page.getByRole("table", { name, exact: true });
const rows = (page: Page, name: string) =>
  list(page, name)
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

function cellsOf(file: Buffer): string[][] {
  const lines = file.toString("utf16le").replace("\ufeff", "").split("\r\n");
  return lines.filter(Boolean).map((line) => line.split("\t"));
}

test("treatments and referrers are chosen by days, and leave as CSV", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  const treatment = await anOperation(portal, page);
  await page.goto("/management/overview");
  await page.getByRole("navigation", { name: "Hovedmenu" }).getByRole("link", { name: "Statistik" }).click();
  await expect(list(page, "Behandlinger").getByRole("columnheader")).toHaveText([
    "Placering",
    "Behandlingstype",
    "Antal behandlinger",
    "Henviser",
    "Klinik",
    "Sidste behandlingsdato",
  ]);
  const today = showDay(localDate(new Date()));
  await page.goto(`/management/statistics?fra=${today}&til=${today}`);
  await expect(
    rows(page, "Behandlinger").filter({ hasText: treatment }).filter({ hasText: "Mette Kjærgaard" }),
  ).toHaveCount(1);

  const type = rows(page, "Behandlinger efter type").filter({ hasText: treatment });
  await type.getByRole("link", { name: `Åbn ${treatment}` }).click();
  await expect(list(page, "Behandlinger efter type").getByRole("listitem").first()).toContainText("Mette Kjærgaard");

  await page.getByRole("link", { name: "Henvisere" }).last().click();
  const dentist = rows(page, "Henvisere").filter({ hasText: "Mette Kjærgaard" });
  await expect(list(page, "Henvisere").getByRole("columnheader")).toHaveText([
    "Placering",
    "Henviser",
    "Klinik",
    "Antal henvisninger",
    "Sidste henvisningsdato",
    "Åbn",
  ]);
  await dentist.getByRole("link", { name: "Åbn Mette Kjærgaard" }).click();
  await expect(page.getByRole("heading", { name: "Behandlingstyper:" })).toBeVisible();
  await expect(page.getByText(/^Koronektomi [1-9]\d*$/)).toBeVisible();
  await expect(page.getByText(/^Biopsi \d+$/)).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);

  await settled(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export til CSV" }).click(),
  ]);
  const [heads, ...lines] = cellsOf(readFileSync(await file.path()));
  expect(heads!.slice(0, 5)).toEqual([
    "Placering",
    "Henviser",
    "Klinik",
    "Antal henvisninger",
    "Sidste henvisningsdato",
  ]);
  expect(lines.find(([, name]) => name === "Mette Kjærgaard")?.[heads!.indexOf(treatment)]).toMatch(/^[1-9]/);

  await page.getByLabel("Fra").first().fill("1.1.2010");
  await page.getByLabel("Til", { exact: true }).first().fill("31.1.2010");
  await page.getByRole("button", { name: "Vis", exact: true }).click();
  await expect(page.getByText("01.01.2010–31.01.2010").first()).toBeVisible();
  await expect(page.getByText("Ingen data...").first()).toBeVisible();
  await page.getByLabel("Fra").first().fill("32.1.2010");
  await page.getByRole("button", { name: "Vis", exact: true }).click();
  await expect(page.getByText("Datoen findes ikke.").first()).toBeVisible();
  await expect(page.getByLabel("Fra").first()).toHaveValue("32.1.2010");
});

test("'Vis tal' shows what the CSV of the plot holds, by keyboard and at 320 px", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("kirurg");
  await anOperation(portal, page);
  await everyMailSettled(portal);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/management/statistics");
  await settled(page);
  for (const title of [
    "Henvisninger pr. måned",
    "Dage fra henvisning",
    "Her står de åbne henvisninger",
    "Afbud og patienter, der ikke kunne træffes",
    "Beskeder til patienter og henvisere",
    "Tavse henvisninger pr. uge",
  ]) {
    const plot = page.getByRole("region", { name: title });
    // What earlier tests sent may arrive between the page and its CSV.
    await expect(async () => {
      await page.reload();
      await settled(page);
      await plot.getByLabel("Vis tal").focus();
      await page.keyboard.press("Space");
      expect(await numbersOfCsv(page, plot, title)).toEqual(await numbersOf(plot.getByRole("table")));
    }).toPass({ timeout: 120_000 });
    const box = await plot.getByRole("table").boundingBox();
    expect(box!.width).toBeGreaterThan(100);
  }
  if (!javaScriptEnabled) return;
  await expectAccessible(page);
  const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isTooWide)).toBe(false);
});

/** A plot's table as lines of cells. Heads may have two lines, so columns are named by their cells' labels. */
function numbersOf(table: Locator): Promise<string[][]> {
  return table.evaluate((element) => {
    const { tHead, tBodies } = element as HTMLTableElement;
    const numbers = [...tBodies[0]!.rows].map((row) => [...row.cells]);
    const names = numbers[0]!.slice(1).map((cell) => cell.dataset["label"]!);
    return [
      [tHead!.rows[0]!.cells[0]!.textContent, ...names],
      ...numbers.map((row) => row.map(({ textContent }) => textContent.replace(/^–$/, ""))),
    ];
  });
}

async function numbersOfCsv(page: Page, plot: Locator, title: string): Promise<string[][]> {
  const href = await plot.getByRole("link", { name: `CSV med tallene i ${title}` }).getAttribute("href");
  return cellsOf(await (await page.request.get(href!)).body());
}

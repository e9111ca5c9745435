import type { ReferralChanges } from "../factories/referrals";
import type { Page } from "@playwright/test";
import { answerTo, expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "without script" });

let numbers = 20_000_000 + (process.pid % 1000) * 1000;

async function booked(portal: RunningPortal, changes: ReferralChanges = {}) {
  const { id, cpr } = await aReferral(await portal.pageFor("tandlaege"));
  const number = String((numbers += 1));
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set({
        status: 6,
        mobilePhone: number,
        operationDate: soon,
        operationHour: 10,
        operationMinute: 15,
        ...changes,
      })
      .where("id", "=", id)
      .execute(),
  );
  return { id, cpr, number };
}

async function openRow(page: Page, id: number) {
  await page.goto("/management/sms");
  await page.getByLabel("Nr.", { exact: true }).fill(String(id));
  await press(page, "filterSms");
  await page
    .locator(`#r${id}`)
    .getByRole("link", { name: `Åbn nr. ${id}` })
    .click();
  await expect(page.locator(`#traad-${id}`)).toBeVisible();
}

/** Answers the newest sent SMS to a number as its receiver. */
async function answer(page: Page, number: string, text: string) {
  const sms = page
    .getByRole("article")
    .filter({ hasText: `SMS til +45${number}` })
    .first();
  await expect(async () => {
    await page.goto("/dev/outbox");
    await expect(sms).toContainText("Prøve: gemt på denne maskine, ikke sendt", { timeout: 500 });
  }).toPass({ timeout: 120_000 });
  await sms.getByLabel("Svar som modtager").fill(text);
  await sms.getByRole("button", { name: "Svar" }).click();
  await expect(sms).toContainText(text);
}

const reloadUntil = (page: Page, check: () => Promise<void>) =>
  expect(async () => {
    await page.reload();
    await check();
  }).toPass({ timeout: 120_000 });

test("a reminder is sent, the patient cancels by SMS, and staff undo it", async ({ portal, javaScriptEnabled }) => {
  const { id, number } = await booked(portal);
  const page = await portal.pageFor("admin");
  await openRow(page, id);
  const [row, thread] = [page.locator(`#r${id}`), page.locator(`#traad-${id}`)];
  await expect(thread).toContainText("Ingen data...");
  await press(page, "sendSmsWithCancellation");
  await expect(page.getByText("SMS er sat i kø.").first()).toBeVisible();
  await expect(thread).toContainText("Du har en tid hos");
  const other = await portal.pageFor("admin");
  await answer(other, number, "Afbud, jeg er blevet syg");
  await reloadUntil(page, () => expect(thread).toContainText("Afbud fundet", { timeout: 500 }));
  await expect(thread).toContainText("From");
  await expect(row).toContainText("SMS - aflyst tid");
  await expect(row.getByText("Afbud", { exact: true }).first()).toBeAttached();
  await expect(thread.getByText("Tak for beskeden. Tiden er aflyst")).toBeVisible();
  await expect(thread.getByRole("button", { name: "Send SMS med afbud" })).toBeDisabled();
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "undoCancellation");
  await expect(row).toContainText("I behandling");
  await expect(thread.getByText("Afbud fundet")).toHaveCount(0);
});

test("a reminder changes the open visit alone, not the list around it", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript every answer is a whole page");
  const { id } = await booked(portal);
  const page = await portal.pageFor("admin");
  await openRow(page, id);
  await settled(page);
  const read: string[] = [];
  page.on("request", (request) => {
    const route = new URL(request.url()).searchParams.get("_data");
    if (request.method() === "GET" && route !== null) read.push(route);
  });
  await press(page, "sendSmsWithoutCancellation");
  await expect(page.locator(`#traad-${id}`)).toContainText("Du har en tid hos");
  await expect(page.locator(`#r${id}`).getByRole("cell", { name: "1", exact: true })).toBeVisible();
  expect(read.toSorted()).toEqual(["routes/management", "routes/management.sms.$visitId"]);
  await page.getByRole("link", { name: `Luk nr. ${id}` }).click();
  await settled(page);
  await expect(page.locator(`#r${id}`).getByRole("cell", { name: "1", exact: true })).toBeVisible();
  expect(read).toContain("routes/management.sms");
});

test("a possible cancellation waits, and the typed reply survives an error", async ({ portal }) => {
  const { id, number } = await booked(portal);
  const page = await portal.pageFor("admin");
  await openRow(page, id);
  await press(page, "sendSmsWithoutCancellation");
  await expect(page.getByText("SMS er sat i kø.").first()).toBeVisible();
  await answer(await portal.pageFor("admin"), number, "Kan vi flytte tiden?");
  const thread = page.locator(`#traad-${id}`);
  await reloadUntil(page, () => expect(thread).toContainText("Muligvis afbud. Er det et afbud?", { timeout: 500 }));
  await page.getByRole("link", { name: /^\d+ muligvis afbud$/ }).click();
  await expect(page.locator(`#r${id}`)).toBeVisible();
  await page.goto(`/management/overview/${id}`);
  const section = page.locator("#sms");
  await expect(section).toHaveAttribute("open", "");
  const colleague = await portal.pageFor("kirurg");
  await colleague.goto(`/management/overview/${id}`);
  await answerTo(page, () => section.getByRole("button", { name: /^Nej/ }).click());
  await answerTo(colleague, () => colleague.locator("#sms").getByRole("button", { name: /^Ja/ }).click());
  await expect(colleague.getByText("En anden har allerede taget sig af svaret.").first()).toBeVisible();
  await expect(page.getByText(`Svaret er ikke et afbud. Nr. ${id} beholder sin tid.`).first()).toBeVisible();

  await openRow(page, id);
  await thread.getByLabel("Svar").fill("Dit nummer er 010190-1234");
  await press(page, "replySms");
  await expect(page.getByText("Her står et CPR-nummer. Andre kan læse med: slet nummeret.").first()).toBeVisible();
  await expect(thread.getByLabel("Svar")).toHaveValue("Dit nummer er 010190-1234");
  await thread.getByRole("link", { name: "Ring til os" }).click();
  await expect(thread.getByLabel("Svar")).toHaveValue(/Ring til os på/);
  await press(page, "replySms");
  await expect(page.getByText("Svaret er sat i kø.").first()).toBeVisible();
  await expect(thread.getByText(/så hjælper vi dig/).first()).toBeVisible();
});

test("a possible cancellation is judged in its row, from the overview, and undone", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { id, number } = await booked(portal);
  const page = await portal.pageFor("admin");
  await openRow(page, id);
  await press(page, "sendSmsWithoutCancellation");
  await expect(page.getByText("SMS er sat i kø.").first()).toBeVisible();
  await answer(await portal.pageFor("admin"), number, "Jeg er syg i dag");
  const question = page.locator(`#r${id} + .row-below`);
  await expect(async () => {
    await page.goto("/management/overview");
    await page.getByRole("link", { name: /^\d+ muligvis afbud$/ }).click({ timeout: 1000 });
    await expect(question).toContainText("»Jeg er syg i dag«", { timeout: 3000 });
  }).toPass({ timeout: 120_000 });
  expect(page.url()).toContain("/management/sms?f=muligvis");
  if (javaScriptEnabled) await expectAccessible(page);
  await answerTo(page, () => question.getByRole("button", { name: /^Nej/ }).click());
  await expect(page.getByText(`Svaret er ikke et afbud. Nr. ${id} beholder sin tid.`).first()).toBeVisible();
  await expect(page.locator(`#r${id}`)).toHaveCount(0);
  await answerTo(page, () => page.getByRole("button", { name: "Fortryd", exact: true }).click());
  await expect(page.getByText(`Svaret ved nr. ${id} venter igen på Ja eller Nej.`).first()).toBeVisible();
  await answerTo(page, () => question.getByRole("button", { name: /^Ja/ }).click());
  await expect(page.getByText(`Tiden for nr. ${id} er aflyst, og patienten får besked.`).first()).toBeVisible();
  await answerTo(page, () => page.getByRole("button", { name: "Fortryd", exact: true }).click());
  await expect(page.getByText(`Afbuddet er fortrudt. Nr. ${id} har sin tid igen.`).first()).toBeVisible();
});

test("the day's file is taken by the line on top and shows its dry run", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/sms");
  await settled(page);
  const line = page.getByLabel("CSV-fil med patienttider");
  const send = async (name: string, text: string) => {
    const choose = () => line.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    if (javaScriptEnabled) return answerTo(page, choose);
    await choose();
    return answerTo(page, () => page.getByRole("button", { name: "Upload" }).first().click());
  };
  await send("tider.csv", "Navn;Dato\nA;B\n");
  await expect(page.getByText("Filen mangler kolonnerne CPR, Tid, Kode.").first()).toBeVisible();
  await send("tider.csv", "CPR;Dato;Tid;Kode\n010190-0000;01.12.2099;10:00;X\n");
  await expect(page.getByText("Intet er importeret endnu.")).toBeVisible();
});

test("an answer that may be two children's is placed by hand", async ({ portal, javaScriptEnabled }) => {
  const { id, number } = await booked(portal);
  const { id: sibling } = await booked(portal, { mobilePhone: number, operationHour: 8 });
  const page = await portal.pageFor("admin");
  for (const each of [sibling, id]) {
    await openRow(page, each);
    await press(page, "sendSmsWithoutCancellation");
    await expect(page.getByText("SMS er sat i kø.").first()).toBeVisible();
  }
  await answer(await portal.pageFor("admin"), number, `Vi ses, hilsen ${number}`);
  await reloadUntil(page, () =>
    expect(page.getByRole("link", { name: /^\d+ ikke placere/ })).toBeVisible({ timeout: 500 }),
  );
  await page.getByRole("link", { name: /^\d+ ikke placere/ }).click();
  await expect(page).toHaveURL(/ikke-placerede/);
  const waiting = page
    .getByRole("listitem")
    .filter({ hasText: `hilsen ${number}` })
    .first();
  await reloadUntil(page, () => expect(waiting).toBeVisible({ timeout: 500 }));
  if (javaScriptEnabled) await expectAccessible(page);
  await waiting.getByRole("radio", { name: "En anden henvisning" }).check();
  await waiting.getByLabel("Nr.", { exact: true }).fill("99999999");
  await waiting.getByRole("button", { name: "Placér" }).click();
  await expect(waiting.getByText("Der er ingen henvisning med nr. 99999999.").first()).toBeVisible();
  await expect(waiting.getByLabel("Nr.", { exact: true })).toHaveValue("99999999");
  await waiting.getByRole("radio", { name: new RegExp(`Nr\\. ${sibling}`) }).check();
  await waiting.getByRole("button", { name: "Placér" }).click();
  await expect(page.getByText(`Svaret står nu ved nr. ${sibling}.`).first()).toBeVisible();
  await expect(page.locator(`#traad-${sibling}`)).toContainText(`hilsen ${number}`);
});

test("the list opens today; the CPR boxes take a paste; the log unfolds", async ({ portal, javaScriptEnabled }) => {
  const { id, cpr } = await booked(portal);
  const page = await portal.pageFor("admin");
  await page.goto("/management/sms");
  const today = new Intl.DateTimeFormat("da-DK", {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    timeZone: "Europe/Copenhagen",
  }).format(new Date());
  await expect(page.getByLabel("Fra", { exact: true })).toHaveValue(today);
  await page.getByLabel("CPR-nummer", { exact: false }).first().fill(cpr[0]);
  await page.locator("#filter-cpr-4").fill(cpr[1]);
  await press(page, "filterSms");
  await expect(page.locator(`#r${id}`)).toContainText(cpr.join("-"));
  if (javaScriptEnabled) {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/management/sms?**", async (route) => (await held, route.continue()));
    const search = page.getByRole("button", { name: /^Søg/ });
    await search.click();
    await expect(search).toHaveAttribute("aria-disabled", "true");
    release();
    await settled(page);
    await page.unrouteAll();
    await expect(search).not.toHaveAttribute("aria-disabled", "true");
  }
  expect(page.url()).not.toContain(cpr[0]);
  await page.getByRole("link", { name: "Reset filtre" }).first().click();
  await expect(page.getByLabel("Fra", { exact: true })).toHaveValue(today);
  await page.goto("/management/aftaletider");
  await expect(page).toHaveURL(/\/management\/sms\?log=1#upload/);
  await expect(
    page.getByRole("heading", {
      name: "Upload af patienttider / uploades dagligt - (bruges til at udsende sms reminders)",
    }),
  ).toBeVisible();
  await page.getByRole("link", { name: "Vis log" }).click();
  await expect(page.getByRole("link", { name: "Vis log" })).toHaveAttribute("aria-expanded", "false");
  if (javaScriptEnabled) await expectAccessible(page);
});

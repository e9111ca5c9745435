import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Updateable } from "kysely";
import type { ReferralTable } from "../../db/schema";
import { addDays } from "../../app/text/calendar";
import { localDate, showDay } from "../../app/text/dates";
import { Hands } from "./hands";
import { expect, type RunningPortal, settled, test } from "./portal";
import { postForm } from "./post-form";
import { aReferral } from "./referrals";

/*
 * Daily tasks of the clinic and the house, each done once and counted; triage is counted in desk-journeys.spec.ts, and
 * a dentist's referral in wizard-journey.spec.ts.
 */

test.use({ viewport: { width: 1280, height: 800 } });

async function referral(portal: RunningPortal, changes: Updateable<ReferralTable> = {}) {
  const made = await aReferral(await portal.pageFor("tandlaege"));
  if (Object.keys(changes).length > 0)
    await portal.withDatabase((db) => db.updateTable("referral").set(changes).where("id", "=", made.id).execute());
  return made;
}

async function overview(portal: RunningPortal): Promise<Page> {
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  await settled(page);
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

/** Follows a link of the queue line, which may be behind 'Mere'. */
async function follow(hands: Hands, page: Page, name: RegExp): Promise<void> {
  const link = page.locator(".queue").getByRole("link", { name });
  if (!(await link.isVisible())) await hands.click(page.locator(".queue-more > summary"));
  await hands.click(link);
}

test("a closed patient is found by CPR number", async ({ portal, javaScriptEnabled }, info) => {
  const { id, cpr } = await referral(portal, { status: 7 });
  const page = await overview(portal);
  const hands = new Hands(page);
  if (javaScriptEnabled) await hands.press("/");
  else await hands.click(page.getByRole("textbox", { name: /^Find patient/ }));
  await hands.type(cpr.join(""));
  await hands.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${id}$`));
  const limits = javaScriptEnabled ? { clicks: 0, keys: 12, scrolled: 0 } : { clicks: 1, keys: 11, scrolled: 0 };
  hands.report(info, "2 find a patient by CPR", limits, "12 keys");
});

test("a patient is called up, and the next is open", async ({ portal }, info) => {
  const ready = { status: 3, mobilePhone: "40 12 34 56" };
  const [second, first] = [await referral(portal, ready), await referral(portal, ready)];
  const page = await portal.pageFor("admin");
  await page.goto(`/management/call-up-letters?aaben=${first.id}`);
  await settled(page);
  const hands = new Hands(page);
  await hands.click(button(page, "Send og åbn næste"));
  await expect(page).toHaveURL(new RegExp(`aaben=${second.id}`));
  hands.report(info, "3 call one patient up", { clicks: 1, keys: 0 }, "1 click");
});

test("a dentist's message is answered", async ({ portal, javaScriptEnabled }, info) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist);
  await dentist.goto(`/management/overview/${id}`);
  await dentist.getByLabel("Skriv til klinikken").fill("Hvornår får patienten tid?");
  await dentist.locator('button[value="writeMessage"]').click();
  await expect(dentist.getByText("Beskeden er sendt.")).toBeVisible();
  const page = await overview(portal);
  const hands = new Hands(page);
  await follow(hands, page, /nye? besked/);
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${id}$`));
  await settled(page);
  if (javaScriptEnabled) await hands.press("m");
  else await hands.click(page.getByLabel("Skriv til henviseren"));
  await hands.type("Ring kl. 9");
  if (javaScriptEnabled) await hands.press("Control+Enter");
  else await hands.click(page.locator('button[value="writeMessage"]'));
  await expect(page.getByRole("region", { name: "Beskeder" })).toContainText("Ring kl. 9");
  // One less where the queue is not behind 'Mere'.
  const limits = javaScriptEnabled ? { clicks: 2, keys: 12 } : { clicks: 4, keys: 10 };
  hands.report(info, "4 answer a dentist", limits, "2 clicks, 2 keys, the text");
});

test("a possible cancellation is judged", async ({ portal }, info) => {
  const number = String(30_000_000 + (Date.now() % 1_000_000));
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const { id } = await referral(portal, {
    status: 6,
    mobilePhone: number,
    operationDate: soon,
    operationHour: 10,
    operationMinute: 15,
  });
  const page = await portal.pageFor("admin");
  await postForm(page, `/management/sms/${id}`, { intent: "sendSmsWithoutCancellation", referralId: id });
  const sms = page
    .getByRole("article")
    .filter({ hasText: `SMS til +45${number}` })
    .first();
  await expect(async () => {
    await page.goto("/dev/outbox");
    await expect(sms).toContainText("Prøve: gemt på denne maskine, ikke sendt", { timeout: 500 });
  }).toPass({ timeout: 120_000 });
  await sms.getByLabel("Svar som modtager").fill("Kan vi flytte tiden?");
  await sms.getByRole("button", { name: "Svar" }).click();
  await expect(async () => {
    await page.goto("/management/sms");
    await expect(page.getByRole("link", { name: /muligvis afbud$/ })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 120_000 });
  await settled(page);
  const hands = new Hands(page);
  await follow(hands, page, /muligvis afbud$/);
  await hands.click(page.locator(`#r${id} + .row-below`).getByRole("button", { name: /^Nej/ }));
  await expect(page.getByText(`Svaret er ikke et afbud. Nr. ${id} beholder sin tid.`).first()).toBeVisible();
  hands.report(info, "5 judge a possible cancellation", { clicks: 2, keys: 0 }, "2 clicks");
});

test("the day's times are imported", async ({ portal, javaScriptEnabled }, info) => {
  const { cpr } = await referral(portal);
  const page = await portal.pageFor("admin");
  await page.goto("/management/sms");
  await settled(page);
  const hands = new Hands(page);
  const text = `CPR;Navn;Dato;Tid;Kode\n${cpr.join("-")};Åse Ærø;${showDay(addDays(localDate(new Date()), 60))};10:15;OP-48\n`;
  const file = info.outputPath("tider.csv");
  writeFileSync(file, text);
  await hands.dropFile(page.getByLabel("CSV-fil med patienttider"), file);
  if (!javaScriptEnabled) await hands.click(button(page, "Upload").first());
  await hands.click(button(page, /^Importér \d/));
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/importeret \d\d\.\d\d\.\d{4}/)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 120_000 });
  hands.report(info, "6 import the day's times", { clicks: javaScriptEnabled ? 2 : 3, keys: 0 }, "2 clicks");
});

test("a discharge letter is written", async ({ portal }, info) => {
  const { id } = await referral(portal, { status: 6, diagnose: "Retineret 48" });
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  const hands = new Hands(page);
  await hands.click(page.getByRole("link", { name: "Skriv brev" }));
  await expect(page.locator('[name="diagnosis"]')).toHaveValue("Retineret 48");
  await hands.click(page.locator('[name="treatment"]'));
  await hands.type("48 er fjernet.");
  await hands.click(page.locator('button[value="writeLetter"]'));
  await expect(page.getByText("Udskrivningsbrev 1 er skrevet og sat i kø.").first()).toBeVisible();
  hands.report(info, "7 write a discharge letter", { clicks: 3, keys: 14 }, "3 clicks, 1 text");
});

test("a failed message is sent in another way", async ({ portal }, info) => {
  const { id } = await referral(portal, { status: 3 });
  const page = await portal.pageFor("admin");
  const sent = await postForm(page, `/management/call-up-letters?aaben=${id}`, {
    intent: "sendCallUp",
    referralId: id,
    incallType: 2,
    patientAddress: "Kaj 7",
    patientZip: "5970",
    patientCity: "Ærøskøbing",
    patientMobilePhone: "40 12 34 56",
    patientEmail: `patient${id}@eksempel.dk`,
  });
  expect(sent.status()).toBe(303);
  const callUp = () =>
    portal.withDatabase((db) =>
      db
        .selectFrom("outbox")
        .select(["id", "outcome"])
        .where("referralId", "=", id)
        .where("kind", "=", "callUp")
        .executeTakeFirstOrThrow(),
    );
  await expect.poll(async () => (await callUp()).outcome, { timeout: 20_000 }).toBe("sent");
  const { id: messageId } = await callUp();
  const failed = { outcome: "failed", code: 2, reason: "unreachable" } as const;
  await portal.withDatabase((db) => db.updateTable("outbox").set(failed).where("id", "=", messageId).execute());
  // Failures are counted anew after a change of one.
  for (const intent of ["markFailureHandled", "reopenFailure"])
    expect((await postForm(page, "/management/logs", { intent, messageId })).status(), intent).toBe(303);
  await page.goto("/management/overview");
  await settled(page);
  const hands = new Hands(page);
  await follow(hands, page, /fejle(t|de)$/);
  await hands.click(page.locator(`#f${messageId}`).getByRole("button", { name: /^E-mail/ }));
  await expect(page.getByText("Sat i kø som E-mail.").first()).toBeVisible();
  hands.report(info, "8 a failed message", { clicks: 2, keys: 0 }, "1 click");
});

test("an administrator makes a user, and the form is ready for the next", async ({
  portal,
  javaScriptEnabled,
}, info) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/users");
  await settled(page);
  const hands = new Hands(page);
  await hands.click(page.getByRole("link", { name: "Opret bruger" }));
  const field = (name: string) => page.locator(`#createUser-${name}`);
  const next = async (text: string) => {
    await hands.press("Tab");
    await hands.type(text);
  };
  const lastName = `Ø${javaScriptEnabled ? "stergaard" : "stergård"}`;
  if (!javaScriptEnabled) await hands.click(field("firstName"));
  await expect(field("firstName")).toBeFocused();
  await hands.type("Øjvind");
  await next(lastName);
  const userName = `oejvind.${lastName.toLowerCase()}`.replace("ø", "oe").replace("å", "aa");
  // The suggested user name is left as it is; without JavaScript it is suggested once the rest was sent.
  await hands.press("Tab");
  if (javaScriptEnabled) await expect(field("userName")).toHaveValue(userName);
  else await hands.type(userName);
  await hands.press("Tab");
  await next(`${userName}@eksempel.dk`);
  await hands.press("Tab");
  if (javaScriptEnabled) {
    await next("Søborg T");
    await expect(page.getByRole("listbox", { name: "Klinik" }).getByRole("option")).toHaveCount(1);
    await hands.press("Enter");
  } else {
    await hands.press("Tab");
    await field("clinicId").selectOption({ label: "Søborg Tandklinik" });
  }
  await hands.click(button(page, "Opret og lav en til"));
  await expect(page.getByText(`Øjvind ${lastName} er oprettet.`).first()).toBeVisible();
  if (javaScriptEnabled) await expect(field("firstName")).toBeFocused();
  await expect(field("firstName")).toHaveValue("");
  hands.report(info, "10 make a user", { clicks: javaScriptEnabled ? 2 : 4 }, "2 clicks, the name, e-mail, clinic");
});

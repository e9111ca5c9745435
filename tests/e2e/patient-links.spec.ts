import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { postForm } from "./post-form";
import { answerTo, expect, expectAccessible, press, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function withImage(portal: RunningPortal): Promise<number> {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ mobilePhone: "40 12 34 56" }).where("id", "=", id).execute(),
  );
  const answer = await postForm(
    page,
    `/management/overview/${id}/roentgenbilleder`,
    { intent: "addRadiographs", referralId: id, formKey: `links-${id}`, radiographType: 0 },
    { radiographs: { name: "Kæbe 48.png", mimeType: "image/png", buffer: pixel } },
  );
  expect(answer.status(), await answer.text()).toBe(303);
  return id;
}

async function sendLink(page: Page, id: number): Promise<void> {
  await page.goto(`/management/overview/${id}`);
  const part = page.locator("#links");
  await part.locator("summary").first().click();
  await part.getByRole("radio", { name: /SMS/ }).check();
  await press(page, "sendRadiographLink");
  await expect(page.getByText("Link til røntgenbilleder er sat i kø.").first()).toBeVisible();
}

async function linkInSms(portal: RunningPortal, words = /Dine billeder fra/): Promise<string> {
  const page = await portal.pageFor(null);
  await page.goto("/dev/outbox");
  const link = page.getByRole("link", { name: words }).first();
  const { pathname, search } = new URL((await link.getAttribute("href"))!);
  return pathname + search;
}

test("a patient fetches the images on a small phone, byte for byte", async ({ portal, javaScriptEnabled }) => {
  const id = await withImage(portal);
  const staff = await portal.pageFor("admin");
  await sendLink(staff, id);
  const link = await linkInSms(portal);
  const patient = await portal.pageFor(null);
  await patient.setViewportSize({ width: 360, height: 740 });
  const requests: string[] = [];
  patient.on("request", (request) => requests.push(request.url()));
  // The mail program included the full stop in the link.
  const answer = await patient.goto(`${link}).`);
  expect(answer!.status()).toBe(200);
  expect(requests.filter((url) => !url.endsWith("/favicon.svg"))).toHaveLength(1);
  expect(answer!.headers()["set-cookie"]).toBeUndefined();
  await expect(patient.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await expect(patient.locator("script")).toHaveCount(0);
  await expect(
    patient.getByText("Bemærk filerne gemmes i appen Arkiver på iPhone, og appen Downloads på android."),
  ).toBeVisible();
  expect(await patient.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  if (javaScriptEnabled) await expectAccessible(patient);
  const [file] = await Promise.all([
    patient.waitForEvent("download"),
    patient.getByRole("link", { name: /Kæbe 48\.png/ }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("Kæbe 48.png");
  expect(Buffer.compare(await readFile((await file.path())!), pixel)).toBe(0);
  const [zip] = await Promise.all([
    patient.waitForEvent("download"),
    patient.getByRole("link", { name: "Alle filer - ZIP" }).click(),
  ]);
  expect(zip.suggestedFilename()).toBe("Kæbekirurgisk Klinik.zip");
});

test("a link taken back, and a wrong one, say how to get another", async ({ portal, javaScriptEnabled }) => {
  const id = await withImage(portal);
  const staff = await portal.pageFor("admin");
  await sendLink(staff, id);
  const link = await linkInSms(portal);
  await staff.goto(`/management/overview/${id}`);
  await staff.locator("#links summary").first().click();
  await expect(staff.locator("#links").getByText(/Patientens links til filer og sag virker til/)).toBeVisible();
  await press(staff, "revokeFileLinks");
  await expect(staff.getByText("Patientens links er spærret.").first()).toBeVisible();
  const patient = await portal.pageFor(null);
  await patient.setViewportSize({ width: 360, height: 740 });
  for (const address of [link, "/xr?tk=nobodys", "/dl?tk=nobodys"]) {
    expect((await patient.goto(address))!.status()).toBe(403);
    await expect(patient.getByRole("heading", { name: "Linket er udløbet" })).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(patient);
    await answerTo(patient, () => patient.getByRole("button", { name: "Send mig et nyt link" }).click());
    await expect(patient.getByText(/er det udløbet, får du et nyt .* brug det nyeste/)).toBeVisible();
  }
  await patient.goto("/xr");
  await expect(patient.getByText("Åbn siden med linket i den besked, du har fået.")).toBeVisible();
});

test("a patient follows the case, once the clinic has switched it on", async ({ portal, javaScriptEnabled }) => {
  const staff = await portal.pageFor("admin");
  const box = staff.getByLabel("Send patienten et link til sagen, når henvisningen er modtaget");
  await staff.goto("/management/settings/paamindelser");
  await expect(box).not.toBeChecked();
  await box.check();
  await press(staff, "saveReminderSettings");
  await expect(staff.getByText(/Påmindelserne er gemt/).first()).toBeVisible();
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist, { mobilePhone: "40 12 34 56" });
  const link = await linkInSms(portal, /Følg med i, hvad der sker/);

  const patient = await portal.pageFor(null);
  await patient.setViewportSize({ width: 360, height: 740 });
  const answer = await patient.goto(`${link}).`);
  expect(answer!.headers()["set-cookie"]).toBeUndefined();
  expect(answer!.headers()["cache-control"]).toContain("no-store");
  await expect(patient.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await expect(patient.locator("script")).toHaveCount(0);
  await expect(patient.getByRole("heading", { name: "Din henvisning, Åse" })).toBeVisible();
  await expect(patient.getByText("Vi har modtaget henvisningen og læser den.")).toBeVisible();
  await expect(patient.getByText("Du skal ikke gøre noget nu.")).toBeVisible();
  await expect(patient.locator("[aria-current=step]")).toContainText("Vurderes af en kirurg");
  await expect(patient.getByText(/^Næste skridt er senest \S+ \d+\. \S+ \d{4}\.$/)).toBeVisible();
  expect(await patient.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  if (javaScriptEnabled) await expectAccessible(patient);

  await dentist.goto(`/management/overview/${id}`);
  await expect(dentist.getByText(/Senest sket \d\d\.\d\d\.\d{4}: henvisningen er modtaget\./)).toBeVisible();
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 12 }).where("id", "=", id).execute());
  await patient.reload();
  await expect(patient.getByText("Vi venter på, at du ringer. Ring til os, så finder vi en tid.")).toBeVisible();
  await expect(patient.getByRole("link", { name: /^Ring til os: / })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(patient);

  expect((await patient.goto("/sag?tk=nobodys"))!.status()).toBe(403);
  await expect(patient.getByRole("heading", { name: "Linket virker ikke længere" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(patient);
  await staff.goto("/management/settings/paamindelser");
  await box.uncheck();
  await press(staff, "saveReminderSettings");
  await expect(staff.getByText(/Påmindelserne er gemt/).first()).toBeVisible();
});

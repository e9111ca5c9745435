import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { postForm } from "./post-form";
import { answerTo, expect, expectAccessible, press, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function withImage(portal: RunningPortal): Promise<number> {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ mobile_phone: "40 12 34 56" }).where("id", "=", id).execute(),
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

async function linkInSms(portal: RunningPortal): Promise<string> {
  const page = await portal.pageFor(null);
  await page.goto("/dev/outbox");
  const link = page.getByRole("link", { name: /Dine billeder fra/ }).first();
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
  await expect(staff.locator("#links").getByText(/Patientens link virker til/)).toBeVisible();
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

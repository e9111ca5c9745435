import type { Page } from "@playwright/test";
import { postForm } from "./post-form";
import { expect, press, settled } from "./portal";

type FilesToChoose = Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0];

/** Adds images of one type in step 3, by form or by script, and waits for the outcome. */
export async function addImages(page: Page, files: FilesToChoose, type: number, isScripted: boolean): Promise<void> {
  if (!isScripted) {
    await page.locator('[name="radiographType"][form]').selectOption(String(type));
    await page.locator('[name="radiographs"]').setInputFiles(files);
    await press(page, "addRadiographs");
    return;
  }
  await expect(page.locator("[data-uploads=ready]")).toBeVisible();
  await page.getByLabel("Billedtype", { exact: true }).selectOption(String(type));
  await page.locator("#step3-radiographs").setInputFiles(files);
  await expect(page.locator("[data-upload-state]:not([data-upload-state=refused])")).toHaveCount(0);
  await settled(page);
}

let referralCount = 0;

/** Sends a referral without images for an invented patient of its own, by requests instead of clicks. */
export async function aReferral(page: Page, more = {}): Promise<{ id: number; cpr: [string, string] }> {
  const cpr: [string, string] = ["690177", String(2000 + (referralCount += 1))];
  const id = await aDraft(page, cpr, more);
  await post(page, { intent: "saveReferrer", referralId: id });
  await post(page, { intent: "sendReferral", referralId: id, formKey: "send", radiographsSendType: 1 });
  return { id, cpr };
}

export async function aDraft(page: Page, [cpr6, cpr4]: [string, string], more = {}): Promise<number> {
  const patient = {
    cpr6,
    cpr4,
    firstName: "Åse",
    lastName: "Ærø",
    address: "Kaj 7",
    zip: "5970",
    city: "Ærøskøbing",
    desiredTreatment: "Vurdering af 48.",
  };
  const to = await post(page, { intent: "savePatient", formKey: `${cpr6}-${cpr4}`, ...patient, ...more });
  return Number(new URLSearchParams(to.split("?")[1]).get("kladde"));
}

/** Submits a step of the wizard; returns the redirect. */
async function post(page: Page, fields: Record<string, string | number>): Promise<string> {
  const answer = await postForm(page, "/management/henvisning-tandlaeger?form=a-form-of-its-own", fields);
  expect(answer.status(), `${fields["intent"]}: ${await answer.text()}`).toBe(303);
  return answer.headers()["location"]!;
}

/** Ids of the rows shown, in order. The newest bulk rows await triage. */
export async function rowIds(page: Page): Promise<number[]> {
  return page.locator("tr[id^=r]").evaluateAll((rows) => rows.map((row) => Number(row.id.slice(1))));
}

/** Follows a link of the queue line, also from behind 'Mere'. */
export async function fromQueue(page: Page, name: RegExp): Promise<void> {
  const link = page.getByRole("link", { name });
  if ((await link.count()) === 0) await page.locator(".queue-more > summary").click();
  await link.click();
}

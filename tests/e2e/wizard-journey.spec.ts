import type { Locator, Page } from "@playwright/test";
import { expect, settled, test } from "./portal";

/**
 * Counts and prints what sending one referral with five images takes: clicks, keys, pages and how long the page is. The
 * patient is in the person register; dropping files counts as one click, and choosing them in the file dialog as two.
 */
const AIM = { clicks: 3, keys: 40, pixels: 1250 };
const TEXT = "Fjernelse af 38 og 48";
const NAMES = ["38.png", "48.png", "18.png", "28.png", "opg.png"];

class Hand {
  clicks = 0;
  keys = 0;
  pages = 0;

  constructor(private readonly page: Page) {
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.pages += 1;
    });
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  async choose(input: Locator): Promise<void> {
    this.clicks += 2;
    await input.setInputFiles(NAMES.map((name) => ({ name, mimeType: "image/png", buffer: pixel(name) })));
  }

  async drop(target: Locator): Promise<void> {
    this.clicks += 1;
    const files = NAMES.map((name) => ({ name, base64: pixel(name).toString("base64") }));
    const transfer = await this.page.evaluateHandle((all) => {
      const data = new DataTransfer();
      for (const { name, base64 } of all)
        data.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name));
      return data;
    }, files);
    await target.dispatchEvent("drop", { dataTransfer: transfer });
  }
}

let count = 0;
function pixel(name: string): Buffer {
  count += 1;
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  return Buffer.concat([Buffer.from(png, "base64"), Buffer.from(`${name} ${count} ${Date.now()}`)]);
}

test("a dentist's referral with five images", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege2");
  await page.goto("/management/overview");
  await settled(page);
  const hand = new Hand(page);
  await hand.click(page.getByRole("link", { name: "Henvis", exact: true }));
  await expect(page.locator('[name="cpr6"]')).toBeFocused();
  await settled(page);
  await hand.type("251248");
  if (!javaScriptEnabled) await hand.press("Tab");
  await hand.type("9996");
  if (javaScriptEnabled) {
    await hand.press("Enter");
    await expect(page.locator('[name="desiredTreatment"]')).toBeFocused();
    await expect(page.locator(".patient-card", { hasText: "Nancy Ann Berggren" })).toBeInViewport();
  } else {
    await hand.click(page.getByRole("button", { name: "Hent adresse" }));
    await hand.click(page.locator('[name="desiredTreatment"]'));
  }
  await expect(page.locator('[name="city"]')).toHaveValue("Hillerød");
  await hand.type(TEXT);
  let pixels = await page.evaluate(() => document.documentElement.scrollHeight);
  if (javaScriptEnabled) {
    await hand.drop(page.locator("[data-uploads=ready]"));
    await expect(page.locator('[name="uploadId"]')).toHaveCount(NAMES.length);
    await expect(page.locator(".file-name b")).toHaveText(NAMES);
    pixels = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(await page.evaluate(() => window.scrollY), "nothing is scrolled").toBe(0);
  } else {
    await hand.click(page.getByRole("button", { name: "Næste" }));
    await expect(page).toHaveURL(/trin=3/);
    await settled(page);
    pixels += await page.evaluate(() => document.documentElement.scrollHeight);
    await hand.choose(page.locator("#step3-radiographs"));
    await hand.click(page.getByRole("button", { name: "Upload" }));
  }
  await hand.click(page.getByRole("button", { name: "Send henvisning" }));
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();

  const { clicks, keys, pages } = hand;
  const counted = `${clicks} clicks, ${keys} keystrokes, ${pixels} pixels, ${pages} pages, ${javaScriptEnabled ? "with" : "without"} script`;
  console.log(`A dentist's referral: ${counted}`);
  expect(clicks, counted).toBeLessThanOrEqual(javaScriptEnabled ? AIM.clicks : 8);
  expect(keys, counted).toBeLessThanOrEqual(AIM.keys);
  expect(pixels, counted).toBeLessThanOrEqual((javaScriptEnabled ? 1 : 2) * AIM.pixels + (javaScriptEnabled ? 0 : 800));
});

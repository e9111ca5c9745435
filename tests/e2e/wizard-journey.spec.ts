import type { Locator, Page } from "@playwright/test";
import { expect, settled, test } from "./portal";

/**
 * Counts and prints what sending one referral with two images takes: clicks, keys and pages. The patient is in the
 * person register; choosing in the file dialog counts as one click.
 */
const AIM = { clicks: 7, keys: 40 };
const TEXT = "Fjernelse af 38 og 48";

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

  async choose(input: Locator, names: string[]): Promise<void> {
    this.clicks += 2;
    await input.setInputFiles(names.map((name) => ({ name, mimeType: "image/png", buffer: pixel(name) })));
  }
}

let count = 0;
function pixel(name: string): Buffer {
  count += 1;
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  return Buffer.concat([Buffer.from(png, "base64"), Buffer.from(`${name} ${count} ${Date.now()}`)]);
}

test("a dentist's referral with two images", async ({ portal, javaScriptEnabled }) => {
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
    await expect(page.locator('[name="mobilePhone"]')).toBeFocused();
  } else {
    await hand.click(page.getByRole("button", { name: "Hent adresse" }));
    await hand.click(page.locator('[name="mobilePhone"]'));
  }
  await expect(page.locator('[name="city"]')).toHaveValue("Hillerød");
  await hand.type("20123456");
  await hand.click(page.locator('[name="desiredTreatment"]'));
  await hand.type(TEXT);
  await hand.click(page.getByRole("button", { name: "Næste" }));
  await expect(page).toHaveURL(/trin=3/);
  await settled(page);
  await hand.choose(page.locator("#step3-radiographs"), ["38.png", "48.png"]);
  if (!javaScriptEnabled) await hand.click(page.getByRole("button", { name: "Upload" }));
  else await expect(page.locator('[name="fileId"]')).toHaveCount(2);
  await hand.click(page.getByRole("button", { name: "Send henvisning" }));
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();

  const { clicks, keys, pages } = hand;
  const counted = `${clicks} clicks, ${keys} keystrokes, ${pages} pages, ${javaScriptEnabled ? "with" : "without"} script`;
  console.log(`A dentist's referral: ${counted}`);
  const times = javaScriptEnabled ? 1 : 2;
  expect(clicks, counted).toBeLessThanOrEqual(times * AIM.clicks);
  expect(keys, counted).toBeLessThanOrEqual(times * AIM.keys);
});

import { Hands } from "./hands";
import { expect, settled, test } from "./portal";

/** What a referral of a patient who is in the person register may take. */
/** A tenth of the height is allergy and medicine, which are asked of everybody (docs/rules/referral-form.md). */
const AIM = { clicks: 3, keys: 40, height: 1010 };
const TEXT = "Fjernelse af 38 og 48";
const NAMES = ["38.png", "48.png", "18.png", "28.png", "opg.png"];

const images = () => NAMES.map((name) => ({ name, mimeType: "image/png", buffer: pixel(name) }));

let count = 0;
function pixel(name: string): Buffer {
  count += 1;
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  return Buffer.concat([Buffer.from(png, "base64"), Buffer.from(`${name} ${count} ${Date.now()}`)]);
}

test("a dentist's referral with five images", async ({ portal, javaScriptEnabled }, info) => {
  // Forms begun by earlier tests are listed above the step.
  await portal.withDatabase((db) => db.deleteFrom("autosave").execute());
  const page = await portal.pageFor("tandlaege2");
  await page.goto("/management/overview");
  await settled(page);
  const hands = new Hands(page);
  await hands.click(page.getByRole("link", { name: "Henvis", exact: true }));
  await expect(page.locator('[name="cpr6"]')).toBeFocused();
  await settled(page);
  await hands.type("251248");
  if (!javaScriptEnabled) await hands.press("Tab");
  await hands.type("9996");
  if (javaScriptEnabled) {
    await hands.press("Enter");
    await expect(page.locator('[name="desiredTreatment"]')).toBeFocused();
    await expect(page.locator(".patient-card", { hasText: "Nancy Ann Berggren" })).toBeInViewport();
  } else {
    await hands.click(page.getByRole("button", { name: "Hent adresse" }));
    await expect(page.locator('[name="desiredTreatment"]')).toBeFocused();
  }
  await expect(page.locator('[name="city"]')).toHaveValue("Hillerød");
  await hands.type(TEXT);
  if (javaScriptEnabled) {
    await hands.drop(page.locator("[data-uploads=ready]"), images());
    await expect(page.locator('[name="uploadId"]')).toHaveCount(NAMES.length);
    await expect(page.locator(".file-name b")).toHaveText(NAMES);
    expect(await page.evaluate(() => window.scrollY), "nothing is scrolled").toBe(0);
  } else {
    await hands.choose(page.locator("#billeder"), images());
  }
  // The filled step, not what it was while the patient was looked up.
  hands.effort.height = 0;
  await hands.look();
  const { height } = hands.effort;
  await hands.click(page.getByRole("button", { name: "Send henvisning" }));
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();
  hands.effort.height = height;

  const times = javaScriptEnabled ? 1 : 2;
  const limits = { clicks: times * AIM.clicks, keys: AIM.keys, height: times * AIM.height };
  hands.report(info, "9 a dentist sends with five images", limits, "3 clicks, 900 px");
});

import type { Page } from "@playwright/test";
import { expect, settled, test } from "./portal";
import { aPdf } from "../support/pdf";

/** Changes to a page by extensions, translators and mail scanners before its script runs. */
const insertions: Record<string, () => void> = {
  "a style first in the head": () => document.head.prepend(document.createElement("style")),
  "a script first in the head": () => document.head.prepend(document.createElement("script")),
  "an element behind the body": () => document.documentElement.append(document.createElement("grammarly-desktop")),
  "an element first in the body": () => document.body.prepend(document.createElement("div")),
  "an element last in the body": () => document.body.append(document.createElement("div")),
  "an element behind each field": () =>
    document.querySelectorAll("input").forEach((input) => input.after(document.createElement("span"))),
  "translated words": () =>
    document.querySelectorAll("label, legend").forEach((label) => {
      for (const text of [...label.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)) {
        const font = document.createElement("font");
        font.textContent = `${text.textContent} (translated)`;
        text.replaceWith(font);
      }
    }),
  "attributes on each field": () =>
    document.querySelectorAll("input").forEach((input) => input.setAttribute("data-lt-active", "true")),
  nothing: () => undefined,
};

/** React reports that it rendered the page again; the CSP refuses foreign styles. */
const WHAT_INSERTIONS_LOG = /Minified React error #(418|423|425)|Applying inline style/;

/** Delays the client's entry module until released. */
async function holdScript(page: Page): Promise<() => void> {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/build/entry.client-*.js", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

for (const [what, insert] of Object.entries(insertions)) {
  test(`what is filled in before the script comes stays when the page has ${what}`, async ({
    portal,
    javaScriptEnabled,
  }) => {
    test.skip(!javaScriptEnabled, "without JavaScript no script comes");
    const page = await portal.pageFor("tandlaege", { mayLog: WHAT_INSERTIONS_LOG });
    const release = await holdScript(page);
    await page.goto("/management/henvisning-tandlaeger?form=before", { waitUntil: "commit" });
    await page.waitForFunction(() => document.readyState !== "loading");
    await page.evaluate(insert);
    await page.locator('[name="firstName"]').fill("Åse");
    await page.locator('[name="desiredTreatment"]').fill("Vurdering af 48.\nSmerter.");
    const box = page.locator('[name="sendNotification"]');
    await box.check();
    const select = page.locator("#billeder-type");
    await select.selectOption({ label: "Panorama" });
    const radio = page.locator('[name="referenceType"][value="1"]');
    await radio.check();
    await page.locator('input[type="file"][name="journals"]').setInputFiles({
      name: "journal.pdf",
      mimeType: "application/pdf",
      buffer: aPdf(),
    });
    await page.locator('[name="lastName"]').fill("Øst");
    release();
    await settled(page);
    await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
    await expect(page.locator('[name="lastName"]')).toHaveValue("Øst");
    await expect(page.locator('[name="desiredTreatment"]')).toHaveValue("Vurdering af 48.\nSmerter.");
    await expect(box).toBeChecked();
    await expect(radio).toBeChecked();
    await expect(select.locator("option:checked")).toHaveText("Panorama");
    expect(
      await page
        .locator('input[type="file"][name="journals"]')
        .evaluate((input) => Array.from((input as HTMLInputElement).files ?? [], ({ name }) => name)),
    ).toEqual(["journal.pdf"]);
    await expect(page.locator('[name="lastName"]')).toBeFocused();
  });
}

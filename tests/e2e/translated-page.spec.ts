import type { Page } from "@playwright/test";
import { expect, press, settled, test } from "./portal";
import { aReferral } from "./referrals";
import { aCpr, fill, valid, wizard } from "./wizard-page";

/**
 * Translates the page as browsers do, also later content: replaces each text node by two `font` elements except under
 * `translate="no"`.
 */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const translateBelow = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (texts.nextNode()) found.push(texts.currentNode as Text);
      for (const text of found) {
        const parent = text.parentElement;
        if (
          !parent ||
          !text.data.trim() ||
          parent.closest("[translate=no], script, style, textarea, option, font, title")
        )
          continue;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = text.data.toUpperCase();
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    translateBelow(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) translateBelow(node);
    }).observe(document.body, { childList: true, subtree: true });
  });
}

test.skip(({ javaScriptEnabled }) => javaScriptEnabled !== true, "without JavaScript no script rewrites a page");

test("names and numbers stay as they are in a translated page", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const patient = await portal.withDatabase((db) =>
    db.selectFrom("referral").select(["firstName", "lastName"]).where("id", "=", id).executeTakeFirstOrThrow(),
  );
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  await settled(page);
  const row = page.locator(`#r${id}`);
  const [number, cpr] = [await row.locator(".c-no").innerText(), await row.locator(".c-cpr").innerText()];
  await translate(page);
  await expect(page.getByText("FILTRE", { exact: true }).first()).toBeAttached();
  expect(await row.locator(".c-name").innerText()).toContain(`${patient.firstName} ${patient.lastName}`);
  expect([await row.locator(".c-no").innerText(), await row.locator(".c-cpr").innerText()]).toEqual([number, cpr]);
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  await translate(page);
  await expect(page.locator(".ref-who").getByRole("heading")).toContainText(`${patient.firstName} ${patient.lastName}`);
  await expect(page.locator(".ref-who")).toContainText(cpr);
  const facts = page.locator("#patient dd");
  expect(await facts.evaluateAll((all) => all.filter((each) => each.querySelector("font")).length)).toBe(0);
  await expect(
    page.locator("header form:has([value=signOut]) font").filter({ hasText: "LOG UD" }).first(),
  ).toBeAttached();
  expect(await page.locator("header form:has([value=signOut]) bdi font").count()).toBe(0);
});

test("what the script rewrites goes on being rewritten, and nothing typed is lost", async ({ portal }) => {
  const page = await portal.pageFor("ewinther");
  await page.goto(wizard);
  await settled(page);
  await translate(page);
  await fill(page, { ...aCpr(), ...valid });
  const state = page.locator("form + div, [data-bar], footer, main").getByRole("status");
  await expect(state.filter({ hasText: /^GEMT/ })).toBeVisible({ timeout: 10_000 });
  await page.route("**/henvisning-tandlaeger**", (route) => route.abort());
  await page.locator("summary", { hasText: /kommentar/i }).click();
  await page.locator('[name="comment"]').fill("Mere.");
  await expect(state.filter({ hasText: /^IKKE GEMT ENDNU/ })).toBeVisible({ timeout: 10_000 });
  await expect(state.filter({ hasText: /GEMT \d/ })).toHaveCount(0);
  await page.unroute("**/henvisning-tandlaeger**");
  await page.locator('[name="comment"]').fill("Endnu mere.");
  await expect(state.filter({ hasText: /^GEMT/ })).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('[name="desiredTreatment"]')).toHaveValue(valid.desiredTreatment);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=[23]/);
});

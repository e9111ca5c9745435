import type { Page } from "@playwright/test";
import { expect, test } from "./portal";
import { aReferral, rowIds } from "./referrals";

test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, "Without JavaScript a browser sends one form at a time.");

/** Delays the first submitted form; returns the number of submissions and a release function. */
async function holdFirst(page: Page): Promise<{ sent(): number; release(): void }> {
  let [sent, release] = [0, () => {}];
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*", async (route) => {
    if (route.request().method() === "POST" && ++sent === 1) await released;
    return route.fallback();
  });
  return { sent: () => sent, release };
}

test("a row's refusal is seen when another row is saved meanwhile", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  const [refused, saved] = await rowIds(page);
  const gem = async (id: number, status: string) => {
    await page.locator(`#r${id} select`).selectOption(status);
    await page.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  };
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set((eb) => ({ statusVersion: eb("statusVersion", "+", 1), status: 12 }))
      .where("id", "=", refused!)
      .execute(),
  );
  const first = await holdFirst(page);
  await gem(refused!, "8");
  await gem(saved!, "3");
  await expect(page.getByText("Sendes, så snart der er svar på det, du sendte før.")).toBeVisible();
  expect(first.sent()).toBe(1);
  first.release();
  await expect(page.locator(`#r${saved}`).getByRole("button", { name: /lykkedes$/ })).toBeVisible();
  await expect(page.locator(`#r${refused}`).getByRole("alert")).toContainText("Tryk GEM igen");
  await expect(page.locator(`#r${refused} select`)).toHaveValue("8");
});

test("a message's refusal is seen when the status is saved meanwhile", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  const box = page.locator('form[aria-label="Ny besked"] textarea');
  await box.evaluate((area: HTMLTextAreaElement) => area.removeAttribute("maxlength"));
  await box.fill("x".repeat(20_000));
  const first = await holdFirst(page);
  await page.locator('form[aria-label="Ny besked"]').getByRole("button", { name: "Send" }).click();
  const head = page.locator("form.set-status").first();
  await head.locator("select").selectOption("3");
  await head.getByRole("button", { name: /GEM/ }).click();
  first.release();
  await expect(page.getByText(/er nu Klar til indkaldelse/).first()).toBeVisible();
  await expect(page.getByText("Beskeden er ikke sendt.")).toBeVisible();
  await expect(box).toHaveValue("x".repeat(20_000));
});

test("links and browser buttons wait for the answer; a refusal keeps the page", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  await page.getByRole("link", { name: "Statistik" }).first().click();
  await expect(page.getByRole("heading", { name: "Statistik" })).toBeVisible();
  await page.goBack();
  const form = page.locator('form[aria-label="Ny besked"]');
  const tooLong = "x".repeat(20_000);
  for (const leave of [() => page.getByRole("link", { name: "Parkering" }).first().click(), () => page.goForward()]) {
    await form.locator("textarea").evaluate((area: HTMLTextAreaElement) => area.removeAttribute("maxlength"));
    await form.locator("textarea").fill(tooLong);
    const first = await holdFirst(page);
    await form.getByRole("button", { name: "Send" }).click();
    // The page knows of the sending once it has drawn it.
    await expect(form.locator("button[aria-busy]")).toBeVisible();
    await leave();
    await expect(page.getByText("Siden skifter, når svaret er kommet.")).toBeVisible();
    first.release();
    await page.getByRole("button", { name: "Bliv på siden" }).click();
    await expect(page.getByText("Beskeden er ikke sendt.")).toBeVisible();
    await expect(form.locator("textarea")).toHaveValue(tooLong);
    await page.unrouteAll();
  }
  await form.locator("textarea").fill("Kort nok.");
  const first = await holdFirst(page);
  await form.getByRole("button", { name: "Send" }).click();
  await page.getByRole("link", { name: "Parkering" }).first().click();
  first.release();
  await expect(page).toHaveURL(/parking/);
  await page.goto(`/management/overview/${id}`);
  await expect(page.getByText("Kort nok.")).toBeVisible();
});

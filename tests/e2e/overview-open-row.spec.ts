import { expect, expectAccessible, press, readAnew, test } from "./portal";
import { rowIds } from "./referrals";

test.use({ matrix: "without script" });

const overview = "/management/overview";

test("steps from referral to referral along the list, and triages by keyboard alone", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const [one, two, three] = await rowIds(page);
  await expect(page.locator(`#r${one} .c-open a`)).toHaveAttribute("tabindex", "-1");
  await page.locator(`#r${one} .c-name a`).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  await page.getByRole("link", { name: "Næste", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${two}$`));
  if (javaScriptEnabled) await expect(page.getByRole("link", { name: "Næste", exact: true })).toBeFocused();
  await page.getByRole("link", { name: "Næste", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${three}$`));
  const status = page.getByLabel(`Status for nr. ${three}`, { exact: true });
  await status.focus();
  const before = await status.inputValue();
  await page.keyboard.press(before === "0" ? "ArrowDown" : "ArrowUp");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Status er gemt. Nr. ${three} er nu`)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/overview/${three}`));
  await page.getByRole("link", { name: "Forrige", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${two}$`));
});

test("an open referral keeps its place after a status, until closed", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const waiting = (await rowIds(page)).slice(0, 8);
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 0 }).where("id", "in", waiting).execute());
  await page.goto(`${overview}?f=s0&sort=-1`);
  const before = await rowIds(page);
  const [above, open, below] = before.slice(2, 5) as [number, number, number];
  await page.locator(`#r${open} .c-open a`).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${open}$`));
  await page.locator("article").getByRole("button", { name: "Visiteret", exact: true }).click();

  const saved = page.locator(".status-saved");
  await expect(saved).toContainText("Visiteret");
  expect((await rowIds(page)).slice(2, 5)).toEqual([above, open, below]);
  await expect(page.locator(`#r${open}`)).toContainText("Ikke længere i filteret");
  await expect(page.locator(`#r${open}`)).toBeInViewport();
  await expect(page.getByRole("link", { name: /^Næste \(\d+ tilbage\)$/ })).toBeFocused();
  if (javaScriptEnabled) await expectAccessible(page);

  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(saved).toContainText(`Fortrudt. Nr. ${open} er igen Afventer visitering.`);
  await expect(page.locator(`#r${open}`)).not.toContainText("Ikke længere i filteret");
  await page.locator("article").getByRole("button", { name: "Visiteret", exact: true }).click();
  await expect(saved).toContainText("Visiteret");
  await expect(page.getByRole("link", { name: /^Næste \(\d+ tilbage\)$/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${below}$`));
  await expect(page.locator(`#r${open}`)).toHaveCount(0);
  await expect(page.locator("#r" + below)).toBeInViewport();
});

test("a link opens a referral at its head, with statuses, GEM and 'Fortryd'", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=1`);
  const [id] = await rowIds(page);
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 7 }).where("id", "=", id!).execute());
  await page.goto(`${overview}/${id}`);
  await expect(page.locator(".data")).toHaveCount(0);
  const head = page.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) });
  await expect(head).toBeInViewport();
  expect((await head.boundingBox())!.y).toBeLessThan(300);
  if (javaScriptEnabled) await expectAccessible(page);
  const choose = () => page.getByLabel(`Status for nr. ${id}`, { exact: true }).selectOption({ label: "I behandling" });
  await choose();
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set((eb) => ({ status: 2, statusVersion: eb("statusVersion", "+", 1) }))
      .where("id", "=", id!)
      .execute(),
  );
  if (javaScriptEnabled) await readAnew(page);
  await page.getByRole("button", { name: `GEM nr. ${id}` }).click();
  await expect(page.getByText(/ændret, siden du åbnede den/).first()).toBeVisible();
  await choose();
  await page.getByRole("button", { name: `GEM nr. ${id}` }).click();
  await expect(page.locator(".status-saved")).toContainText("I behandling");
  await expect(page.getByRole("link", { name: "Til oversigten" })).toBeFocused();
  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(page.locator(".status-saved")).toContainText(`Nr. ${id} er igen Visiteret.`);
  await expect(page.getByLabel(`Status for nr. ${id}`, { exact: true })).toHaveValue("2");
});

test("closing a row returns the focus, and messages have one live region", async ({ portal, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled !== true, "focus and spoken messages are the script's");
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const [, id] = await rowIds(page);
  const toggle = page.locator(`#r${id} .c-open a`);
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${id}$`));
  await expect(toggle).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/overview\?/);
  await expect(page.locator("article")).toHaveCount(0);
  await expect(page.locator(`#r${id} .c-name a`)).toBeFocused();
  const before = await page.locator(`#r${id} select`).inputValue();
  await page.locator(`#r${id} select`).selectOption(before === "8" ? "6" : "8");
  await page.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  await expect(page.locator("[data-messages]")).toContainText(`Status er gemt. Nr. ${id}`);
  await page.locator('[name="visitNumber"]').fill("tolv");
  await press(page, "applyFilter");
  await expect(page).toHaveTitle(/^Fejl: /);
});

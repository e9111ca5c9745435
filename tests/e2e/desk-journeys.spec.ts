import type { Page } from "@playwright/test";
import { Hands } from "./hands";
import { expect, expectAccessible, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

/** Exactly this many referrals awaiting triage, the first urgent. */
async function queueOf(portal: RunningPortal, count: number): Promise<number[]> {
  const dentist = await portal.pageFor("tandlaege");
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await aReferral(dentist)).id);
  await portal.withDatabase(async (db) => {
    await db.updateTable("referral").set({ status: 2 }).where("status", "=", 0).where("id", "not in", ids).execute();
    await db.updateTable("referral").set({ referenceType: 1 }).where("id", "=", ids[1]!).execute();
  });
  return [ids[1]!, ids[0]!, ...ids.slice(2)];
}

const statusesOf = (portal: RunningPortal, ids: number[]) =>
  portal.withDatabase(async (db) => {
    const rows = await db.selectFrom("referral").select(["id", "status"]).where("id", "in", ids).execute();
    return ids.map((id) => rows.find((row) => row.id === id)!.status);
  });

const title = (id: number) => new RegExp(`Henvisning nr. ${id}$`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();
const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

test.describe.configure({ mode: "serial" });
test.use({ viewport: { width: 1280, height: 800 } });

test("one triage in a queue is two presses, without scrolling", async ({ portal, javaScriptEnabled }, info) => {
  const [first, second, third] = (await queueOf(portal, 4)) as [number, number, number];
  const page = await portal.pageFor("kirurg");
  await page.goto("/management/overview");
  const urgent = page.locator(".queue > *").filter({ hasText: "hastehenvisning" });
  await expect(urgent).toHaveText(/^1 hastehenvisning venter$/);
  await page.getByRole("link", { name: "afventer visitering" }).click();
  await expect(page).toHaveURL(/f=s0/);
  await settled(page);
  await page.locator(`#r${first} .c-open a`).click();
  await expect(page).toHaveTitle(title(first));
  await settled(page);

  const hands = new Hands(page);
  await hands.click(button(page, "Visiteret haster"));
  await expect(page.locator(".status-saved")).toContainText("Visiteret haster");
  await expect(page.getByRole("article")).toContainText("Ikke længere i filteret");
  await hands.click(page.getByRole("link", { name: /^Næste \(3 tilbage\)$/ }));
  await expect(page).toHaveTitle(title(second));
  hands.report(info, "1 triage one referral", { clicks: 2, keys: 0, scrolled: 0 }, "2 clicks");
  if (javaScriptEnabled) await expect.poll(() => focusedTag(page)).not.toBe("BODY");

  await button(page, "Visiteret").click();
  await expect(page.locator("#naeste")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(title(third));
  expect(await statusesOf(portal, [first, second, third])).toEqual([1, 2, 0]);

  await page.setViewportSize({ width: 768, height: 1024 });
  await settled(page);
  await button(page, "Visiteret").click();
  await expect(page.locator("#naeste")).toBeFocused();
  const isCovered = () =>
    page.locator("#naeste").evaluate((link) => {
      const { left, top, width, height } = link.getBoundingClientRect();
      return !link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await expect.poll(isCovered).toBe(false);
});

test("two dozen referrals are triaged by keyboard alone, two keys each", async ({
  portal,
  javaScriptEnabled,
}, info) => {
  test.skip(!javaScriptEnabled, "keys are the script's");
  test.setTimeout(240_000);
  const ids = await queueOf(portal, 24);
  const page = await portal.pageFor("kirurg");
  await page.goto("/management/overview?f=s0&sort=8");
  await settled(page);
  const hands = new Hands(page);
  await hands.press("j");
  await expect(page).toHaveTitle(title(ids[0]!));
  const MATERIAL = 2;
  const chosen = ids.map((_, index) => (index % 20 === 10 ? MATERIAL : index % 3 === 2 ? 3 : 1));
  for (const [index, id] of ids.entries()) {
    await expect(page).toHaveTitle(title(id));
    await hands.press(String(chosen[index]));
    if (chosen[index] === MATERIAL) {
      // The first box has focus, since material must be listed first.
      await expect(page.getByRole("checkbox", { name: "Panoramaoptagelse" })).toBeFocused();
      await hands.press(" ");
      await hands.press("Enter");
    }
    await expect(page.locator("#naeste")).toBeFocused();
    await hands.press("Enter");
    await expect.poll(() => focusedTag(page)).not.toBe("BODY");
  }
  const keys = 1 + 2 * ids.length + 2;
  hands.report(info, "1 triage 24 by keys", { clicks: 0, scrolled: 0, keys }, `${keys} keys`);
  // First suggestions: 'Visiteret haster' for an urgent one; otherwise 'Visiteret', 'Afventer yderligere materiale' and
  // 'Visiteret haster'.
  const statuses = [2, 4, 1];
  expect(await statusesOf(portal, ids)).toEqual(chosen.map((key, index) => (index === 0 ? 1 : statuses[key - 1])));
});

test("who goes on triages twenty with 21 keys, or a press each, and can undo", async ({
  portal,
  javaScriptEnabled,
}, info) => {
  test.setTimeout(180_000);
  const many = javaScriptEnabled ? 20 : 4;
  const [urgent, ...ids] = await queueOf(portal, many + 2);
  const page = await portal.pageFor("kirurg");
  const goOn = async (isOn: boolean) => {
    await page.goto("/management/change-password");
    await page.getByLabel("Gå videre, når status er sat").setChecked(isOn);
    await page.getByRole("button", { name: "Gem visitering" }).click();
    await expect(page.getByText(isOn ? "Den næste henvisning åbnes" : "bliver stående, når").first()).toBeVisible();
  };
  await goOn(true);
  await page.goto(`/management/overview/${urgent}?f=s0&sort=8`);
  await settled(page);
  await page.getByRole("button", { name: "Visiteret haster", exact: true }).click();
  await expect(page.locator("#naeste"), "an urgent one stays").toBeVisible();
  await page.goto("/management/overview?f=s0&sort=8");
  await settled(page);
  const hands = new Hands(page);
  if (javaScriptEnabled) await hands.press("j");
  else await page.locator(`#r${ids[0]} .c-open a`).click();
  for (const [index, id] of ids.slice(0, many).entries()) {
    await expect(page).toHaveTitle(title(id));
    if (javaScriptEnabled) await hands.press("1");
    else await hands.click(button(page, "Visiteret"));
    await expect(page).toHaveTitle(title(ids[index + 1]!));
    await expect(page.getByRole("article").getByRole("status")).toHaveText(/ · \d{6}-.{4} er nu Visiteret\./);
  }
  if (javaScriptEnabled)
    hands.report(info, "1 triage twenty, going on", { clicks: 0, keys: 21, scrolled: 0 }, "21 keys");
  else hands.report(info, "1 triage four, going on", { clicks: many, keys: 0 }, "1 click each");
  expect(await statusesOf(portal, ids)).toEqual([...Array<number>(many).fill(2), 0]);
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(page).toHaveTitle(title(ids[many - 1]!));
  await expect(page.getByText(`Fortrudt. Nr. ${ids[many - 1]} er igen Afventer visitering.`).first()).toBeVisible();
  await goOn(false);
});

test("after a status was saved its keys are dead, and no key calls a patient up", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "keys are the script's");
  const [id] = (await queueOf(portal, 2)) as [number, number];
  const page = await portal.pageFor("kirurg");
  await page.goto(`/management/overview/${id}?f=s0&sort=8#r${id}`);
  await settled(page);
  await page.keyboard.press("1");
  await expect(page.locator("#naeste")).toBeFocused();
  expect(await statusesOf(portal, [id])).toEqual([1]);
  await page.keyboard.press("1");
  await page.keyboard.press("1");
  await page.keyboard.press("z");
  await expect(page.getByText(`Fortrudt. Nr. ${id} er igen Afventer visitering.`).first()).toBeVisible();
  await page.keyboard.press("1");
  await settled(page);
  expect(await statusesOf(portal, [id])).toEqual([0]);

  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 3 }).where("id", "=", id).execute());
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  await page.keyboard.press("1");
  await expect(page.getByRole("radio", { checked: true }).first()).toBeFocused();
  await page.keyboard.press("1");
  await settled(page);
  const callUps = await portal.withDatabase((db) =>
    db.selectFrom("callUp").select("id").where("referralId", "=", id).execute(),
  );
  expect([callUps, await statusesOf(portal, [id])]).toEqual([[], [3]]);
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  await page.keyboard.press("2");
  await expect(page.getByText(`Nr. ${id}: patienten har fået tid pr. telefon.`).first()).toBeVisible();
  await page.keyboard.press("1");
  await settled(page);
  expect(await statusesOf(portal, [id])).toEqual([6]);
});

test("the keys stay out of fields, are listed by '?', and can be turned off", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "keys are the script's");
  const [first, id, last] = (await queueOf(portal, 3)) as [number, number, number];
  const page = await portal.pageFor("kirurg");
  await page.goto(`/management/overview/${id}?f=s0&sort=8#r${id}`);
  await settled(page);
  for (const [key, opened] of [
    ["j", last],
    ["k", id],
    ["k", first],
    ["j", id],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveTitle(title(opened));
    await settled(page);
  }
  await page.keyboard.press("m");
  const message = page.getByRole("textbox", { name: "Skriv til henviseren" });
  await expect(message).toBeFocused();
  await page.keyboard.type("j1?");
  await expect(message).toHaveValue("j1?");
  await expect(page).toHaveTitle(title(id));
  await message.fill("");
  await page.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) }).focus();
  await page.keyboard.press("s");
  await expect(page.getByLabel(`Status for nr. ${id}`, { exact: true })).toBeFocused();
  await page.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) }).focus();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Genvejstaster" });
  await expect(list).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) })).toBeFocused();
  await page.goto("/management/change-password");
  await page.getByLabel("Brug genvejstaster").uncheck();
  await page.getByRole("button", { name: "Gem genvejstaster" }).click();
  await expect(page.getByText("Genvejstasterne er slået fra.").first()).toBeVisible();
  await page.goto(`/management/overview/${id}?f=s0&sort=8`);
  await settled(page);
  await page.keyboard.press("1");
  await page.keyboard.press("?");
  await expect(list).toHaveCount(0);
  expect(await statusesOf(portal, [id])).toEqual([0]);
  await page.goto("/management/change-password");
  await page.getByLabel("Brug genvejstaster").check();
  await page.getByRole("button", { name: "Gem genvejstaster" }).click();
  await expect(page.getByText("Genvejstasterne er slået til.").first()).toBeVisible();
});

import type { Page } from "@playwright/test";
import { answerTo, expect, expectAccessible, press, readAnew, test } from "./portal";
import { addImages, rowIds } from "./referrals";

test.use({ matrix: "without script" });

const overview = "/management/overview";

test("a GEM in conflict shows the present status and keeps the choice", async ({ portal, javaScriptEnabled }) => {
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [first, second]) await page.goto(overview);
  const [id] = await rowIds(first);
  const row = (page: Page) => page.locator(`#r${id}`);
  const save = async (page: Page, status: string) => {
    await row(page).locator("select").selectOption(status);
    await row(page).getByRole("button", { name: /GEM/ }).click();
  };
  await save(first, "3");
  await expect(row(first).getByRole("button", { name: /^GEM nr. \d+ – lykkedes$/ })).toBeVisible();
  await row(second).locator("select").selectOption("8");
  if (javaScriptEnabled) {
    // Reloading the list behind the choice keeps it with its version.
    await readAnew(second);
    await expect(row(second).locator("select")).toHaveValue("8");
  }
  await row(second).getByRole("button", { name: /GEM/ }).click();
  await expect(row(second).getByRole("alert")).toContainText(`nr. ${id} er nu Klar til indkaldelse`);
  await expect(second.getByText(`nr. ${id} er nu Klar til indkaldelse`)).toHaveCount(1);
  await expect(row(second).getByRole("button", { name: /^GEM nr. \d+ – mislykkedes$/ })).toBeVisible();
  await expect(row(second).locator("select")).toHaveValue("8");
  if (javaScriptEnabled) {
    await expectAccessible(second);
    await expect(row(second).getByRole("button", { name: /^GEM/ })).toBeFocused();
    await row(second).locator("select").selectOption("4");
    await expect(row(second).getByRole("button", { name: /^GEM nr. \d+$/ })).toBeVisible();
    await second.context().setOffline(true);
    await save(second, "4");
    await expect(row(second).getByRole("alert")).toContainText("!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt");
    await expect(second.getByText("Forbindelsen blev afbrudt")).toHaveCount(1);
    await expect(row(second).getByRole("button", { name: /^GEM nr. \d+ – mislykkedes$/ })).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    // A sign-out without network is reported and changes nothing.
    await second.getByRole("button", { name: "Log ud" }).first().click();
    await expect(second.locator("main > .notice").getByText("!! SOMETHING WENT WRONG !!")).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    await second.getByRole("link", { name: "Nr.", exact: true }).click();
    // Without network the next page is awaited, and this page stays.
    await expect(second.getByText("Der er ingen forbindelse.")).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    await second.context().setOffline(false);
    await expect(second.getByText("Der er ingen forbindelse.")).toHaveCount(0);
    await expect(second.getByRole("heading", { name: "Oversigt" })).toBeVisible();
  }
  await first.goto(overview);
  await expect(row(first).locator("select")).toHaveValue("3");
});

test("a refused GEM whose row has left the list is reported once, above the list", async ({ portal }) => {
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [first, second]) await page.goto(`${overview}?f=s14&sort=-1`);
  const id = (await rowIds(first))[0]!;
  await first.locator(`#r${id} select`).selectOption("6");
  await answerTo(first, () => first.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click());
  await second.locator(`#r${id} select`).selectOption("8");
  await answerTo(second, () => second.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click());
  await expect(second.locator(`#r${id}`)).toHaveCount(0);
  await expect(second.locator(".notices").getByText(`nr. ${id} er nu I behandling`)).toBeVisible();
  await expect(second.getByText(`nr. ${id} er nu I behandling`)).toHaveCount(1);
});

test.describe("without JavaScript", () => {
  test.use({ matrix: null });

  test("a mass change that is refused is reported once, beside its button", async ({ portal, javaScriptEnabled }) => {
    test.skip(javaScriptEnabled === true, "With JavaScript the button waits until something is picked.");
    const page = await portal.pageFor("admin");
    await page.goto(overview);
    await press(page, "setStatuses");
    await expect(page.locator("form#mass").getByText("Vælg mindst én henvisning i listen først.")).toBeVisible();
    await expect(page.locator(".notices").getByText("Vælg mindst én henvisning")).toHaveCount(0);
  });
});

test("GEM on a row that has its status does not fail", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const id = (await rowIds(page))[7]!;
  const gem = page.locator(`#r${id}`).getByRole("button", { name: /GEM/ });
  for (let time = 0; time < 3; time += 1) {
    const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
    await gem.click();
    await answered;
    await expect(page.getByText("Ingen ændringer. Status er ")).toBeVisible();
    await expect(gem).not.toHaveAttribute("aria-busy", "true");
    await expect(gem).toHaveAccessibleName(`GEM nr. ${id} – lykkedes`);
  }
});

test("a GEM in the list can be undone", async ({ portal }) => {
  const page = await portal.pageFor("kirurg");
  await page.goto(`${overview}?sort=-1`);
  const id = (await rowIds(page))[5]!;
  const before = await page.locator(`#r${id} select`).inputValue();
  await page.locator(`#r${id} select`).selectOption(before === "8" ? "6" : "8");
  await page.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(page.getByText(`Fortrudt. Nr. ${id} er igen`)).toBeVisible();
  await expect(page.locator(`#r${id} select`)).toHaveValue(before);
});

test("several referrals are changed at once and undone", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=1`);
  const ids = (await rowIds(page)).slice(0, 3);
  const before = await Promise.all(ids.map((id) => page.locator(`#r${id} select`).inputValue()));
  const other = ["14", "2", "3", "16"].find((status) => !before.includes(status))!;
  for (const id of ids) await page.getByRole("checkbox", { name: `Vælg nr. ${id}`, exact: true }).check();
  if (javaScriptEnabled) {
    await expect(page.getByRole("button", { name: "Skift status på 3" })).toBeEnabled();
    // At the end of the list the sticky bar covers no row.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expectAccessible(page);
  }
  await page.locator("#mass-status").selectOption(other);
  await press(page, "setStatuses");
  await expect(page.getByText("3 henvisninger er nu")).toBeVisible();
  for (const id of ids) await expect(page.locator(`#r${id} select`)).toHaveValue(other);
  await press(page, "undoStatuses");
  await expect(page.getByText("3 henvisninger har igen den status, de havde.")).toBeVisible();
  for (const [index, id] of ids.entries()) await expect(page.locator(`#r${id} select`)).toHaveValue(before[index]!);
});

test("a mass change to the status that they have already says that nothing was changed", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=1`);
  const id = (await rowIds(page))[0]!;
  const status = await page.locator(`#r${id} select`).inputValue();
  await page.getByRole("checkbox", { name: `Vælg nr. ${id}`, exact: true }).check();
  await page.locator("#mass-status").selectOption(status);
  await press(page, "setStatuses");
  await expect(page.getByText("De valgte er allerede")).toBeVisible();
  await expect(page.getByText("henvisninger er nu")).toHaveCount(0);
});

test("all that match are confirmed, given a status, and undone", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  // Statuses that no other test asks for together, since counts are kept for a minute.
  await page.goto(`${overview}?f=s0-1-2-3-4-5-6-9-11-12-13-14-15&sort=1`);
  const total = Number(/^(\d+) henvisning/.exec(await page.locator(".list-head b").innerText())?.[1]);
  expect(total, "more than a page of them").toBeGreaterThan(20);
  const all = page.getByRole("link", { name: `Vælg alle ${total} i filteret` });
  if (javaScriptEnabled) {
    await expect(page.getByRole("button", { name: "Eksportér valgte" })).toBeDisabled();
    await expect(all).toHaveCount(0);
    await page.getByRole("checkbox", { name: "Vælg alle på siden" }).check();
    await expect(page.getByRole("button", { name: "Eksportér valgte" })).toBeEnabled();
  }
  await all.click();
  await expect(page.getByRole("dialog")).toContainText(`Skift status på ${total} henvisninger?`);
  await press(page, "setAllStatuses");
  await expect(page.getByRole("dialog").getByText("Vælg en status.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("dialog").getByLabel("Ny status").selectOption("16");
  await press(page, "setAllStatuses");
  await expect(page.getByText(`${total} henvisninger er nu Afventer overlæge.`)).toBeVisible();
  await expect(page).toHaveURL(/sort=1/);
  await press(page, "undoStatuses");
  await expect(page.locator(".list-head b")).toHaveText(`${total} henvisninger`);
});

test("a referral with files asks about them when it is closed", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  await dentist.goto("/management/henvisning-tandlaeger");
  const typed = {
    cpr6: "680180",
    cpr4: "1471",
    firstName: "Åge",
    lastName: "Lukket",
    address: "Kaj 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "Fjernelse af 38.",
  };
  for (const [name, value] of Object.entries(typed)) await dentist.locator(`[name="${name}"]`).first().fill(value);
  await press(dentist, "savePatient");
  await expect(dentist).toHaveURL(/trin=3/);
  await expect(dentist).toHaveURL(/trin=3/);
  const pixel = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await addImages(dentist, { name: "38.png", mimeType: "image/png", buffer: pixel }, 0, javaScriptEnabled === true);
  await expect(dentist.getByText("38.png").first()).toBeVisible();
  await press(dentist, "sendReferral");
  await expect(dentist).toHaveURL(/nr=\d+/);
  const id = Number(new URL(dentist.url()).searchParams.get("nr"));

  // An image cannot be deleted before the archive has it.
  await portal.withDatabase((db) =>
    expect
      .poll(
        () =>
          db.selectFrom("outbox").select("id").where("referralId", "=", id).where("settledAt", "is", null).execute(),
        {
          timeout: 15_000,
        },
      )
      .toEqual([]),
  );
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  await page.locator(`#r${id} select`).selectOption("7");
  await page.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  await expect(page.getByRole("dialog")).toContainText("38.png");
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("button", { name: "Ja, slet filerne" }).click();
  await expect(page.getByText(`Nr. ${id} er nu Afsluttet. 1 fil er slettet.`)).toBeVisible();
  await page.goto(`${overview}/${id}`);
  await expect(page.locator("#log")).toContainText("1 fil er slettet");
});

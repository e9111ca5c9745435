import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, press, settled, test } from "./portal";
import { aReferral } from "./referrals";
import { aCpr, fill, valid, wizard } from "./wizard-page";

test.use({ matrix: "without script" });

test("the address without a key redirects to a new form each time", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  const keys = new Set<string>();
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto(wizard);
    await expect(page).toHaveURL(/\?form=[\w-]+$/);
    keys.add(await page.locator("#patient-form input[name=formKey]").inputValue());
  }
  expect(keys.size).toBe(2);
});

test("the browser's Back after step 1 leads to the saved draft, not to a second one", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  const cpr = aCpr();
  await fill(page, { ...valid, ...cpr });
  await press(page, "savePatient");
  await expect(page.locator(".wizard-state")).toContainText("er gemt.");
  await expect(page.locator(".wizard-state svg")).toHaveCount(0);
  await expect(page).toHaveURL(/trin=3/);
  const first = new URL(page.url()).searchParams.get("kladde");
  await page.goBack();
  await expect(page.locator('[name="lastName"]')).toHaveValue("Kjær");
  await expect(page.locator(".wizard-state svg")).toHaveCount(1);
  await fill(page, { lastName: "Kjærsgaard" });
  await press(page, "savePatient");
  await expect(page).toHaveURL(new RegExp(`kladde=${first}&trin=3`));
});

test("a draft opens where something is missing; the receipt leads onward", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  await expect(page.locator('[name="cpr6"]')).toBeFocused();
  const cpr = aCpr();
  const identity = `Åse Kjær · ${cpr.cpr6}-${cpr.cpr4}`;
  await fill(page, { ...valid, ...cpr, mobilePhone: "20123456" });
  await page.getByLabel("Send mig en mail, når sagens status ændres").check();
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const draft = new URL(page.url()).searchParams.get("kladde")!;
  for (const step of [1, 2, 3]) {
    await page.goto(`${wizard}?kladde=${draft}&trin=${step}`);
    await expect(page.locator("[data-bar]")).toContainText(identity);
    await expect(page.locator("[data-bar] button").first()).toBeInViewport();
  }
  await page.goto(`${wizard}?kladde=${draft}&trin=2`);
  await expect(page.getByLabel("Send mig en mail, når sagens status ændres")).toBeChecked();

  await page.goto(`${wizard}?kladde=${draft}&trin=1`);
  const payment = page.getByRole("group", { name: "Betaling" });
  await payment.getByLabel("Regionstandpleje").check();
  await press(page, "savePatient");
  // A missing approval is asked about before leaving the step; here it is skipped.
  await page.goto(`${wizard}?visitId=${draft}`);
  await expect(page).toHaveURL(/trin=1#patient-form/);
  await payment.getByLabel("Egenbet").check();
  await press(page, "savePatient");
  await page.goto(`${wizard}?visitId=${draft}`);
  await expect(page).toHaveURL(/trin=3#patient-form/);
  await page.getByLabel("Sendes med post").check();
  await press(page, "sendReferral");
  await expect(page.getByText(`Klinikken har modtaget henvisning nr. ${draft}`)).toBeVisible();
  await expect(page.getByText("Du får en mail, når sagens status ændres")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("link", { name: "Ny henvisning for samme patient" }).click();
  await expect(page.locator('[name="cpr4"]')).toHaveValue(cpr.cpr4);
  await expect(page.locator('[name="mobilePhone"]')).toHaveValue("20123456");
  await expect(page.locator('[name="desiredTreatment"]')).toHaveValue("");
  await expect(page).toHaveURL(new RegExp(`form=[\\w-]+&patient=${draft}$`));
});

test("staff find a referrer by typing, see their cards, and save them", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(wizard);
  await fill(page, { ...valid, ...aCpr() });
  await press(page, "savePatient");
  if (javaScriptEnabled) {
    await page.getByRole("combobox", { name: "Henviser" }).fill("kjaergaard mette");
    await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(1);
    await page.keyboard.press("ArrowDown");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Tandlægerne på Åen", { exact: true })).toBeVisible();
  } else {
    await page.getByLabel("Navn eller klinik").fill("kjaergaard mette");
    await press(page, "searchReferrers");
    await page.getByRole("radio").check();
  }
  await page.getByLabel("Send besked til henviseren").check();
  await press(page, "saveReferrer");
  await expect(page).toHaveURL(/trin=3/);
  await page.goto(page.url().replace("trin=3", "trin=2"));
  await expect(page.locator(".card").filter({ hasText: "Tandlægerne på Åen" })).toBeVisible();
  await expect(page.locator(".card").filter({ hasText: "Mette Kjærgaard" })).toBeVisible();
  await expect(page.getByLabel("Send besked til henviseren")).toBeChecked();
});

/** Whether an element is in the window and not under the sticky bar. Runs in the browser. */
function isSeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const bar = document.querySelector("[data-bar]");
  const end = !bar || bar.contains(element) ? window.innerHeight : bar.getBoundingClientRect().top;
  return bottom > 0 && top < end - 4;
}

test.describe("with JavaScript", () => {
  test.beforeEach(({ javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "what script adds");
  });

  test("a whole referral by keyboard alone, with visible focus that moves to each step", async ({ portal }) => {
    const page = await portal.pageFor("sekretaer");
    await page.goto(wizard);
    const { keyboard } = page;
    const focused = page.locator(":focus");
    /** Presses Tab until this control has focus; none on the way may be covered or outside the window. */
    const tabTo = async (target: Locator) => {
      for (let n = 0; n < 60; n += 1) {
        await keyboard.press("Tab");
        expect(
          await focused.evaluate(isSeen),
          await focused.evaluate((element) => element.outerHTML.slice(0, 120)),
        ).toBe(true);
        if (await target.evaluate((element) => element === document.activeElement)) return;
      }
      throw new Error("never came to it");
    };
    await expect(page.locator('[name="cpr6"]')).toBeFocused();
    await tabTo(page.getByRole("button", { name: "Næste" }));
    await keyboard.press("Enter");
    await expect(page.locator('[name="cpr6"]')).toBeFocused();
    await keyboard.type("2512489996");
    await keyboard.press("Enter");
    await expect(page.locator('[name="city"]')).toHaveValue("Hillerød");
    await expect(page.locator('[name="desiredTreatment"]')).toBeFocused();
    await keyboard.type("48 fjernes");
    await tabTo(page.locator('[name="paymentType"]').first());
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    await tabTo(page.locator('[name="regionNumber"]'));
    await keyboard.type("5790000000001");
    await tabTo(page.getByRole("button", { name: "Næste" }));
    await keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Trin 2 af 3: HENVISER INFORMATION" })).toBeFocused();
    await tabTo(page.getByRole("link", { name: "Opret ny henviser" }));
    await keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Opret ny henviser" })).toBeFocused();
    await keyboard.press("Shift+Tab");
    await keyboard.type("mette");
    await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(1);
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await tabTo(page.getByRole("button", { name: "Næste" }));
    await keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Trin 3 af 3: RØNTGENBILLEDER" })).toBeFocused();
    await tabTo(page.locator('[name="radiographsSendType"]').first());
    await keyboard.press("ArrowDown");
    await tabTo(page.getByRole("button", { name: "Send henvisning" }));
    await keyboard.press("Enter");
    // The region's approval was announced but not uploaded.
    await expect(page.locator("#step3-error")).toBeFocused();
    await tabTo(page.getByRole("button", { name: "Send henvisning" }));
    await keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeFocused();
  });

  test("Enter submits the step, and searches in the CPR boxes", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto(wizard);
    await fill(page, { cpr6: "251248", cpr4: "9996" });
    await page.locator('[name="cpr4"]').press("Enter");
    await expect(page.locator('[name="city"]')).toHaveValue("Hillerød");
    await page.locator(".patient-card").click();
    await page.locator('[name="city"]').press("Enter");
    await expect(page.getByText("Skriv den ønskede behandling.").first()).toBeVisible();
  });
});

test("after a conflict a press takes the stored payment with all that belongs to it", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  const step = `/management/henvisning-tandlaeger?kladde=${id}&trin=1`;
  const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
  const pays = (page: Page, type: number) => page.locator(`[name="paymentType"][value="${type}"]`);
  for (const page of [first, second]) {
    await page.goto(step);
    await settled(page);
  }
  await pays(first, 2).check({ force: true });
  await field(first, "regionNumber").fill("5790000000001");
  await press(first, "savePatient");
  await expect(first).toHaveURL(/trin=2/);
  await pays(second, 1).check({ force: true });
  await field(second, "policeClaim").fill("P-77");
  await press(second, "savePatient");
  await expect(second.getByText("Nu: Regionstandpleje").first()).toBeVisible();
  await second.getByRole("button", { name: "Tag den nye" }).first().click();
  await expect(pays(second, 2)).toBeChecked();
  await expect(field(second, "regionNumber")).toHaveValue("5790000000001");
  await press(second, "savePatient");
  await expect(second).toHaveURL(/trin=2/);
  await second.goto(step);
  await expect(field(second, "regionNumber")).toHaveValue("5790000000001");
});

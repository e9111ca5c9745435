import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, press, settled, test } from "./portal";

const wizard = "/management/henvisning-tandlaeger";
const valid = {
  firstName: "Åse",
  lastName: "Kjær",
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  desiredTreatment: "Fjernelse af 38.",
};

let next = 0;
/** A number that no person can have (day + 60), another one each time. */
function aCpr() {
  next += 1;
  return { cpr6: "670175", cpr4: String(2000 + Math.floor(Math.random() * 7000) + next).slice(0, 4) };
}

async function fill(page: Page, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).fill(value);
}

/** In the window, and not under the bar of actions. Runs in the browser. */
function isSeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const bar = document.querySelector("[data-bar]");
  const end = !bar || bar.contains(element) ? window.innerHeight : bar.getBoundingClientRect().top;
  return bottom > 0 && top < end - 4;
}

/** Ctrl+V in the first box. */
async function paste(page: Page, text: string) {
  await page.locator('[name="cpr6"]').evaluate((box, what) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", what);
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

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
  // 'Kladde nr. … er gemt.': a pencil only where what was saved is edited.
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

test("a draft opens where something is missing, the patient stands on every step, and the receipt leads to one more for the same patient", async ({
  portal,
  javaScriptEnabled,
}) => {
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
  // An approval that is to be uploaded and is not is asked about before the step is left; here it goes without.
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

test("names a refused file together with a missing field", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  await fill(page, { ...valid, ...aCpr(), lastName: "" });
  await page.locator('[name="journals"]').setInputFiles({
    name: "skjult.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from("MZ\u0090\0 an exe by another name"),
  });
  await press(page, "savePatient");
  const summary = page.getByRole("alert").filter({ hasText: "Der er felter som mangler" });
  await expect(summary).toContainText("Skriv patientens efternavn.");
  await expect(summary).toContainText("skjult.pdf");
});

test("keeps what was emptied or unticked when something else is wrong", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  await fill(page, { ...valid, ...aCpr(), profession: "Lærer" });
  await page
    .locator('[name="journals"]')
    .setInputFiles({ name: "journal.csv", mimeType: "text/csv", buffer: Buffer.from("dato;tekst\n1.1.2026;Ømhed\n") });
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  await page.goto(page.url().replace("trin=3", "trin=1"));
  await fill(page, { profession: "", city: "" });
  await page.getByLabel("Behold journal.csv").uncheck();
  await page.getByLabel("Haste henvisning").check();
  await press(page, "savePatient");
  await expect(page.getByText("Skriv byen.").first()).toBeVisible();
  await expect(page.locator('[name="profession"]')).toHaveValue("");
  await expect(page.getByLabel("Behold journal.csv")).not.toBeChecked();
  await expect(page.getByLabel("Haste henvisning")).toBeChecked();
});

test("only a protected address may be left out", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  // Of the embedded test persons: invented, with a protected address.
  await fill(page, { ...valid, cpr6: "610180", cpr4: "9990", address: "", zip: "", city: "" });
  await press(page, "fetchAddress");
  await expect(page.getByText("Patienten har hemmelig adresse.")).toBeVisible();
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);

  await page.goto(wizard);
  await fill(page, { ...valid, ...aCpr(), address: "" });
  await press(page, "savePatient");
  await expect(page.getByText("Skriv patientens adresse.").first()).toBeVisible();
});

test("with JavaScript: a look-up's button tells how it went until the next edit, a protected address is warned of while it stands, a long text is counted near its limit", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "without JavaScript each answer is a page of its own");
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  const button = page.locator('button[value="fetchAddress"]');
  const warning = page.getByText("men der står en adresse her.");
  await fill(page, { ...valid, cpr6: "620135", cpr4: "9990" });
  await press(page, "fetchAddress");
  await expect(page.getByText("CPR-registret oplyser, at patienten er død.")).toBeVisible();
  await expect(button).toHaveAttribute("data-state", "failure");
  await expect(page.locator('[name="address"]')).toHaveValue(valid.address);
  await page.locator('[name="comment"]').fill("Noget andet");
  await expect(button).not.toHaveAttribute("data-state", "failure");

  await page.goto(wizard);
  await fill(page, { ...valid, cpr6: "610180", cpr4: "9990", address: "", zip: "", city: "" });
  await press(page, "fetchAddress");
  await expect(warning).toHaveCount(0);
  await page.locator('[name="address"]').fill("Åvej 1");
  await expect(warning).toBeVisible();
  await page.locator('[name="address"]').fill("");
  await expect(warning).toHaveCount(0);

  const note = page.locator("[id$=diagnose-length]");
  await page.locator('[name="diagnose"]').fill("a".repeat(3000));
  await expect(note.locator("p")).toBeHidden();
  await page.locator('[name="diagnose"]').fill("a".repeat(4001));
  await expect(note.locator("p")).toHaveText("4.001 af 4.000 tegn: 1 for mange.");
  await expect(note.locator("[aria-live=polite]")).toHaveText("4.001 af 4.000 tegn: 1 for mange.");
  await expectAccessible(page);
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

test.describe("with JavaScript", () => {
  test.beforeEach(({ javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "what script adds");
  });

  test("another CPR number clears the form, finds drafts, and can be undone", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    const known = aCpr();
    await page.goto(wizard);
    await fill(page, { ...valid, ...known });
    await press(page, "savePatient");
    await expect(page).toHaveURL(/trin=3/);
    const draft = new URL(page.url()).searchParams.get("kladde")!;

    await page.goto(wizard);
    const begun = aCpr();
    await fill(page, { ...valid, ...begun, firstName: "Ida" });
    await fill(page, { cpr4: known.cpr4 });
    await expect(page.getByText("Formularen er ryddet.")).toBeVisible();
    await expect(page.locator('[name="firstName"]')).toHaveValue("");
    await expect(page.locator('[name="cpr4"]')).toHaveValue(known.cpr4);
    await expect(page.getByRole("link", { name: `Nr. ${draft}` })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Fortryd" }).click();
    await expect(page.locator('[name="firstName"]')).toHaveValue("Ida");
    // The number too, of a form that was never saved.
    await expect(page.locator('[name="cpr4"]')).toHaveValue(begun.cpr4);

    await page.goto(`${wizard}?kladde=${draft}&trin=1`);
    await expect(page.getByText(`Kladde nr. ${draft} er gemt.`)).toBeVisible();
    await paste(page, `${known.cpr6}-9876`);
    await expect(page.getByText("Formularen er ryddet.")).toBeVisible();
    await expect(page.getByText(`Kladde nr. ${draft} er gemt.`)).toBeHidden();
  });

  test("what is typed is autosaved, and restored after the browser was closed", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto(wizard);
    await fill(page, { firstName: "Halvt", lastName: "Skrevet", comment: "Midt i det hele" });
    await page.getByLabel("BUT").check();
    await expect(page.getByText(/^Gemt \d\d\.\d\d$/)).toBeVisible({ timeout: 15_000 });
    await page.context().close();

    const again = await portal.pageFor("tandlaege");
    await again.goto(wizard);
    await again.getByRole("link", { name: "Halvt Skrevet" }).first().click();
    await expect(again.getByText(/^Vi har hentet det, du skrev/)).toBeVisible();
    await expect(again.locator('[name="comment"]')).toHaveValue("Midt i det hele");
    await expect(again.getByLabel("BUT")).toBeChecked();
    await again.getByRole("button", { name: "Kassér" }).click();
    await expect(again.getByText("er kasseret")).toBeVisible();
    await expect(again.getByText("Halvt Skrevet")).toBeHidden();
  });

  test("a lost connection leaves the form as it is, and the next submission works", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto(wizard);
    await fill(page, { ...valid, ...aCpr() });
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Næste" }).click();
    await expect(page.getByText("!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt")).toBeVisible();
    await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
    await page.context().setOffline(false);
    await press(page, "savePatient");
    await expect(page).toHaveURL(/trin=3/);
  });

  test("a lost connection is reported once on step 3, and on the page of drafts", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto(wizard);
    await fill(page, { ...valid, ...aCpr() });
    await press(page, "savePatient");
    await page.getByLabel("Sendes med post").check();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Send henvisning" }).click();
    await expect(page.getByText("Forbindelsen blev afbrudt")).toHaveCount(1);
    await expect(page.getByLabel("Sendes med post")).toBeChecked();
    await page.context().setOffline(false);
    await page.goto("/management/draft-visits");
    await settled(page);
    await fill(page, { patientName: "Kjær" });
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Søg" }).click();
    await expect(page.getByText("Forbindelsen blev afbrudt")).toHaveCount(1);
    await expect(page.locator('[name="patientName"]')).toHaveValue("Kjær");
  });

  test("a session that expired in the middle of step 1 leaves the form, with its files, as it is", async ({
    portal,
  }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto(wizard);
    await fill(page, { ...valid, ...aCpr() });
    await page
      .locator('[name="journals"]')
      .setInputFiles({ name: "stor.csv", mimeType: "text/csv", buffer: Buffer.alloc(400_000, "a;b\n") });
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Næste" }).click();
    await expect(page.getByText("Du er ikke logget ind. Log ind, og prøv igen.").first()).toBeVisible();
    await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
    await page.context().addCookies(cookies);
    await press(page, "savePatient");
    await expect(page).toHaveURL(/trin=3/);
  });

  test("fields of another payment are hidden, and empty when they are shown again; without health insurance the group is Basis", async ({
    portal,
  }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto(wizard);
    const payment = page.getByRole("group", { name: "Betaling" });
    const approval = page.getByRole("group", { name: "Behandlingsgodkendelse", exact: true });
    await expect(page.locator('[name="insuranceCompany"], [name="regionNumber"], [name="approval"]')).toHaveCount(0);
    await payment.getByLabel("Regionstandpleje").check();
    await fill(page, { regionNumber: "5790000000001", regionCity: "Århus" });
    await approval.getByLabel("Intet ekstra materiale").check();
    await expect(page.locator('[name="approval"]')).toHaveCount(0);
    await payment.getByLabel("BUT").check();
    await expect(page.locator('[name="regionNumber"]')).toHaveValue("5790000000001");
    await expect(approval.getByLabel("Intet ekstra materiale")).toBeChecked();
    await payment.getByLabel("Forsikringssag").check();
    await expect(approval.getByRole("radio")).toHaveCount(3);
    await expect(approval.getByLabel("Uploades nu")).toBeChecked();
    await expect(page.locator('[name="approval"]')).toBeVisible();
    await fill(page, { insuranceCompany: "Bælt" });
    await approval.getByLabel("Sendes med post").check();
    await payment.getByLabel("Egenbet").check();
    await expect(approval).toHaveCount(0);
    await payment.getByLabel("Regionstandpleje").check();
    await expect(page.locator('[name="regionNumber"]')).toHaveValue("");
    await expect(approval.getByLabel("Uploades nu")).toBeChecked();
    await expect(page.locator('[name="approval"]')).toBeVisible();

    await page.getByRole("group", { name: "Medlem" }).getByLabel("Ja").check();
    await page.getByLabel("Gruppe").selectOption("2");
    await page.getByRole("group", { name: "Medlem" }).getByLabel("Nej").check();
    await expect(page.getByLabel("Gruppe")).toBeDisabled();
    await expect(page.getByLabel("Gruppe")).toHaveValue("0");
  });

  test("what was typed and chosen before hydration stays", async ({ portal }) => {
    const page = await portal.pageFor("admin");
    let arrive = () => {};
    const late = new Promise<void>((resolve) => (arrive = resolve));
    await page.route("**/build/**/*.js", async (route) => (await late, route.continue()));
    await page.goto(wizard, { waitUntil: "commit" });
    await page.getByRole("group", { name: "Betaling" }).getByLabel("Forsikringssag").check();
    await page.getByLabel("EDI henvisning").check();
    await fill(page, { ...valid, ...aCpr(), insuranceCompany: "Bælt", externalId: "4711" });
    await page.getByRole("group", { name: "Medlem" }).getByLabel("Ja").check();
    await page.getByLabel("Gruppe").selectOption("3");
    arrive();
    // With JavaScript the fields of the other payments go away.
    await expect(page.locator('[name="regionNumber"]')).toHaveCount(0);
    for (const [name, value] of Object.entries({
      insuranceCompany: "Bælt",
      externalId: "4711",
      healthInsuranceType: "3",
      firstName: "Åse",
    })) {
      await expect(page.locator(`[name="${name}"]`), name).toHaveValue(value);
    }
    await expect(page.getByLabel("Gruppe")).toBeEnabled();
  });

  test("a whole referral by keyboard alone, with visible focus that moves to each step", async ({ portal }) => {
    const page = await portal.pageFor("sekretaer");
    await page.goto(wizard);
    const { keyboard } = page;
    const focused = page.locator(":focus");
    /** Tab until a control of this name has focus; none on the way may lie under the sticky bar or outside the window. */
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
    // On to what the register does not know.
    await expect(page.locator('[name="mobilePhone"]')).toBeFocused();
    await tabTo(page.locator('[name="desiredTreatment"]'));
    await keyboard.type("48 fjernes");
    await tabTo(page.locator('[name="paymentType"]').first());
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    await keyboard.press("Tab");
    await expect(page.locator('[name="regionNumber"]')).toBeFocused();
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
    // The region's approval was to be uploaded, and was not.
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
    await page.locator('[name="city"]').press("Enter");
    await expect(page.getByText("Skriv den ønskede behandling.").first()).toBeVisible();
  });
});

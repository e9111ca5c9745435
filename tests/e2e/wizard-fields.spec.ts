import type { Page } from "@playwright/test";
import { expect, expectAccessible, press, test } from "./portal";
import { aCpr, fill, valid, wizard } from "./wizard-page";
import { aPdf } from "../support/pdf";

test.use({ matrix: "without script" });

async function paste(page: Page, text: string) {
  await page.locator('[name="cpr6"]').evaluate((box, what) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", what);
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test("a pasted CPR number keeps every digit, whatever sign stands around or between", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "a paste is filled in by the script");
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  for (const text of [
    "251248–9996",
    "251248−9996",
    "251248\u20119996",
    "\u202a251248-9996\u202c",
    "25\u00ad1248 9996",
    "CPR: 251248-9996",
  ]) {
    await fill(page, { cpr6: "", cpr4: "" });
    await paste(page, text);
    await expect(page.locator('[name="cpr6"]'), text).toHaveValue("251248");
    await expect(page.locator('[name="cpr4"]'), text).toHaveValue("9996");
  }
  await paste(page, "070860-1gh89");
  await expect(page.locator('[name="cpr4"]')).toHaveValue("1GH89");
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

test("an urgent referral asks why, and says whom to ring there and once it is sent", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  const advice = page.getByText(/Kan patienten ikke vente, til klinikken har læst henvisningen/);
  const reason = page.getByLabel("Hvorfor haster det?");
  if (javaScriptEnabled) {
    await expect(advice).toBeHidden();
    await expect(reason).toBeHidden();
  }
  await page.getByLabel("Haste henvisning").check();
  await expect(advice).toBeVisible();
  await reason.selectOption({ label: "Hævelse" });
  await fill(page, { ...valid, ...aCpr() });
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  await page.getByLabel("Intet ekstra materiale").check();
  await press(page, "sendReferral");
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();
  await expect(advice).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /^[\d\s]{8,}$/ })).toHaveAttribute(
    "href",
    /^tel:\d{8}$/,
  );
  await page.getByRole("link", { name: "Se henvisningen" }).click();
  await expect(page.getByText("Haster · Hævelse")).toBeVisible();
});

test("only a protected address may be left out", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  // An embedded test person with a protected address.
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

test("with JavaScript: look-ups, protected addresses and long texts are told", async ({
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
  await fill(page, { comment: "Noget andet" });
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
    const journal = { name: "journal.pdf", mimeType: "application/pdf", buffer: aPdf() };
    await page.locator('[name="journals"]').setInputFiles(journal);
    await fill(page, { cpr4: known.cpr4 });
    await expect(page.getByText("Formularen er ryddet.")).toBeVisible();
    await expect(page.getByText("Fortryd henter teksterne tilbage, men ikke journal.pdf.")).toBeVisible();
    await expect(page.locator('[name="firstName"]')).toHaveValue("");
    await expect(page.locator('[name="cpr4"]')).toHaveValue(known.cpr4);
    await expect(page.getByRole("link", { name: `Nr. ${draft}` })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Fortryd" }).click();
    await expect(page.locator('[name="firstName"]')).toHaveValue("Ida");
    await expect(page.getByText("Vælg filen igen:")).toBeVisible();
    // Also the number of a form that was never saved.
    await expect(page.locator('[name="cpr4"]')).toHaveValue(begun.cpr4);

    await page.goto(`${wizard}?kladde=${draft}&trin=1`);
    await expect(page.getByText(`Kladde nr. ${draft} er gemt.`)).toBeVisible();
    await paste(page, `CPR: ${known.cpr6}–9876`);
    await expect(page.getByText("Formularen er ryddet.")).toBeVisible();
    await expect(page.getByText(`Kladde nr. ${draft} er gemt.`)).toBeHidden();
  });

  test("fields of another payment are hidden, and empty when shown again", async ({ portal }) => {
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
});

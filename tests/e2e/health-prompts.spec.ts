import { expect, expectAccessible, press, test } from "./portal";
import { addImages } from "./referrals";
import { aCpr, fill, valid, wizard } from "./wizard-page";

test.use({ matrix: "with script" });

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("allergy, interpreter and day of exposure reach triage and call-up", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  await expect(page.locator('[name="interpreter"]')).toBeHidden();
  const allergy = page.getByRole("group", { name: "Allergi" });
  await expect(allergy.getByLabel("Ikke oplyst")).toBeChecked();
  const patient = aCpr();
  await fill(page, { ...valid, ...patient, lastName: "", allergies: "Penicillin", interpreter: "arabisk" });
  await page.getByRole("group", { name: "Medicin" }).getByLabel("Ingen kendte").check();
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "savePatient");
  await expect(page.getByText("Skriv patientens efternavn.").first()).toBeVisible();
  await expect(page.locator('[name="interpreter"]')).toBeVisible();
  await fill(page, { lastName: "Kjær" });
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const id = new URL(page.url()).searchParams.get("kladde")!;
  await page.goto(page.url().replace("trin=3", "trin=1"));
  await expect(page.locator('[name="allergies"]')).toHaveValue("Penicillin");
  await expect(allergy.getByLabel("Ja")).toBeChecked();
  await expect(page.getByRole("group", { name: "Medicin" }).getByLabel("Ingen kendte")).toBeChecked();
  await expect(page.locator('[name="interpreter"]')).toHaveValue("arabisk");

  await page.goto(page.url().replace("trin=1", "trin=3"));
  await addImages(page, [{ name: "48.png", mimeType: "image/png", buffer: pixel }], 0, Boolean(javaScriptEnabled));
  await expect(page.getByText("1 fil er modtaget.", { exact: true })).toBeVisible();
  if (javaScriptEnabled) await page.reload();
  await page.getByText("Hvornår er det optaget?").click();
  await page.getByRole("textbox", { name: "Optagelsesdato for 48.png" }).fill("12.03.2024");
  if (javaScriptEnabled) await page.getByRole("textbox", { name: "Optagelsesdato for 48.png" }).blur();
  else await page.getByRole("button", { name: "Gem dato" }).click();
  await expect(page.getByText("Optaget 12.03.2024")).toBeVisible();
  await press(page, "sendReferral");
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();

  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  const clinical = staff.getByRole("region", { name: "Ønsket behandling og diagnose" });
  await expect(clinical).toContainText("Allergi");
  await expect(clinical).toContainText("Penicillin");
  await expect(clinical).toContainText("Ingen kendte");
  await expect(clinical).not.toContainText("Alkohol");
  await expect(staff.getByText(/optaget 12\.03\.2024, \d+ (måneder|år) før/i)).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.locator("#indkaldelse summary").first().click();
  await expect(staff.getByText("Tolk: arabisk", { exact: true })).toBeVisible();

  await page.goto(wizard);
  await fill(page, patient);
  await page.getByRole("button", { name: "Gem data" }).click();
  await expect(page.getByText(/^Sidst oplyst \d\d\.\d\d\.\d{4}: Penicillin\. Gælder det stadig\?/)).toBeVisible();
  if (!javaScriptEnabled) return;
  await page.getByRole("button", { name: "Indsæt i Allergi" }).click();
  await expect(page.locator('[name="allergies"]')).toHaveValue("Penicillin");
  await expect(allergy.getByLabel("Ja")).toBeChecked();
  await page.getByRole("button", { name: "Indsæt i Medicin" }).click();
  await expect(page.getByRole("group", { name: "Medicin" }).getByLabel("Ingen kendte")).toBeChecked();
});

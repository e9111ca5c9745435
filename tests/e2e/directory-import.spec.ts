import { expect, expectAccessible, press, test } from "./portal";

test.use({ matrix: "with script" });

test("clinics and referrers are imported after a dry run with its errors", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  const mark = javaScriptEnabled ? "Ærø" : "Årø";
  const upload = async (kind: string, text: string) => {
    await page.goto("/management/settings/import");
    await page.getByLabel(kind, { exact: true }).check();
    await page
      .locator('[name="DirectoryFile"]')
      .setInputFiles({ name: "fil.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") });
    await press(page, "uploadDirectory");
  };
  await upload("Klinikker", "Navn;By\nA;B\n");
  await expect(page.getByText(/Filen mangler kolonnerne Titel, Adresse/).first()).toBeVisible();

  await upload(
    "Klinikker",
    `Titel;Adresse;Postnummer;By;E-mail;Telefon\r\nTandlægerne ${mark};Vej 1;8000;Aarhus;k@eksempel.dk;86123456\r\nUden mail;Vej 2;8000;Aarhus;;86123456\r\n`,
  );
  await expect(page.getByRole("list", { name: "Sammentælling" })).toContainText("Oprettes: 1");
  await expect(page.getByText("Skriv en e-mailadresse, fx navn@eksempel.dk.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("button", { name: "Importér 1" }).click();
  await expect(page).toHaveURL(/\/management\/clinics/);
  await expect(page.getByText("1 af 2 linjer er importeret.").first()).toBeVisible();

  await upload(
    "Henvisere",
    `Fornavn;Efternavn;Brugernavn;E-mail;Klinik\nÅse;Kjær;aase${mark.length}${javaScriptEnabled ? "m" : "u"};aase@eksempel.dk;Tandlægerne ${mark}\n`,
  );
  await page.getByRole("button", { name: "Importér 1" }).click();
  await expect(page).toHaveURL(/\/management\/users/);
  await expect(page.getByText("De nye brugere får en mail med et link.").first()).toBeVisible();
});

import { expect, expectAccessible, press, type RunningPortal, test } from "./portal";
import { hashPassword } from "../../app/features/accounts/passwords.server";
import { insertUser } from "../../app/features/accounts/store.server";
import { insertClinic } from "../../app/features/directory/store.server";

test.use({ matrix: "with script" });

const PASSWORD = "Hvidtjoern7Kost";
let count = 0;

/** Two clinics in a town of their own, and two profiles of one dentist with a name no demo account has. */
async function twins(portal: RunningPortal, mark: string, roleOfSecond: "Dentist" | "Dentist Secretary" = "Dentist") {
  const word = `Tvilling${mark}${(count += 1)}`;
  return portal.withDatabase(async (db) => {
    const now = new Date();
    const clinic = {
      name: `${word} Tandklinik`,
      address: "Åvej 1",
      zip: "8000",
      city: word,
      phone: "10 00 00 01",
      email: "a@eksempel.dk",
    };
    const clinics = [
      await insertClinic(db, clinic, now),
      await insertClinic(db, { ...clinic, name: `${word} Tandhus` }, now),
    ];
    const passwordHash = await hashPassword(PASSWORD);
    const users = ["et", "to"].map((name) => `${word}.${name}`.toLowerCase());
    for (const [index, userName] of users.entries())
      await insertUser(
        db,
        {
          userName,
          firstName: "Maren",
          lastName: index === 0 ? "Kjær" : "Kjaer",
          email: `${userName}@eksempel.dk`,
          passwordHash,
          roles: [index === 0 ? "Dentist" : roleOfSecond],
          clinicIds: [clinics[0]!],
          creatorId: null,
        },
        now,
      );
    return { word, clinic, users };
  });
}

test("staff merge two profiles of a dentist and undo it", async ({ portal, javaScriptEnabled }) => {
  const { word, users } = await twins(portal, javaScriptEnabled ? "m" : "u");
  const [first, second] = users as [string, string];
  const page = await portal.pageFor("admin");
  await page.goto("/management/users");
  await page.getByLabel("Søg", { exact: true }).fill(word);
  await press(page, "filterUsers");
  await expect(page.getByText("2 brugere")).toBeVisible();
  await page
    .getByRole("row", { name: new RegExp(first) })
    .getByRole("button", { name: /til fusionering/ })
    .click();
  if (!javaScriptEnabled) await expect(page.getByRole("button", { name: "Fusioner profilerne (1)" })).toBeDisabled();
  await page
    .getByRole("row", { name: new RegExp(second) })
    .getByRole("button", { name: /til fusionering/ })
    .click();
  await page.getByRole("link", { name: "Fusioner profilerne (2)" }).click();
  await expect(page.getByText("Resultat - Hevisere info")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);

  await page.getByRole("group", { name: "Efternavn" }).getByRole("radio").nth(1).check();
  const email = page.getByRole("group", { name: "Email" });
  await email.getByRole("textbox").fill("ikke en adresse");
  await press(page, "mergeUsers");
  await expect(email.getByText("Skriv en e-mailadresse")).toBeVisible();
  await expect(page.getByText("Sæt kryds for at bekræfte fusioneringen.").first()).toBeVisible();
  await expect(page.getByRole("group", { name: "Efternavn" }).getByRole("radio").nth(1)).toBeChecked();
  await expect(email.getByRole("textbox")).toHaveValue("ikke en adresse");
  await email.getByRole("textbox").fill(`${word}@eksempel.dk`);
  await page
    .getByLabel(`Ja, ${first} og ${second} skal samles.`)
    .or(page.getByLabel(`Ja, ${second} og ${first} skal samles.`))
    .check();
  await page.setViewportSize({ width: 360, height: 800 });
  const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  if (javaScriptEnabled) expect(await page.evaluate(isTooWide)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
  await press(page, "mergeUsers");
  await expect(page.getByText(`${second} er samlet med ${first}.`).first()).toBeVisible();
  await expect(page).toHaveURL(/\/management\/users\?.*#betjening$/);
  await expect(page.getByText("1 bruger", { exact: true })).toBeVisible();

  const theirs = await portal.pageFor(null);
  await theirs.goto("/login");
  await theirs.getByLabel("Brugernavn").fill(second);
  await theirs.getByLabel("Adgangskode", { exact: true }).fill(PASSWORD);
  await theirs.locator('button[value="signIn"]').click();
  await expect(theirs.getByText(`Din profil er samlet med ${first}.`).first()).toBeVisible();

  await page.getByRole("link", { name: /^Åbn / }).click();
  await expect(page.getByText(`${second} er samlet ind i denne.`)).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "undoMerge");
  await expect(page.getByText("Fusioneringen er fortrudt.").first()).toBeVisible();
  await expect(page.getByText("2 brugere")).toBeVisible();
});

test("a dentist merged with a secretary stays a dentist", async ({ portal, javaScriptEnabled }) => {
  const { users } = await twins(portal, javaScriptEnabled ? "s" : "t", "Dentist Secretary");
  const [dentist, secretary] = users as [string, string];
  const ids = await portal.withDatabase(async (db) => {
    const ofSecretary = { mobilePhone: "40 99 88 77", ediDentistId: "579000", sendEndingLettersViaEdi: true };
    await db.updateTable("user").set(ofSecretary).where("userName", "=", secretary).execute();
    const rows = await db.selectFrom("user").select("id").where("userName", "in", users).orderBy("id").execute();
    return rows.map(({ id }) => id);
  });
  const page = await portal.pageFor("admin");
  await page.goto(`/management/users/fusioner?valgt=${ids.join(".")}`);
  const radio = (group: string, column: number) =>
    page.getByRole("group", { name: group, exact: true }).getByRole("radio").nth(column);
  const flags = ["Tandlæge sekretær", "EDI Henviser id", "Send Udskrivningsbrev via EDI"];
  for (const flag of flags) await expect(radio(flag, 0)).toBeChecked();
  // Empty numbers are prefilled, and chosen with their column.
  await expect(radio("Mobil", 1)).toBeChecked();
  await page.getByRole(javaScriptEnabled ? "button" : "link", { name: `Klik alle af hos ${dentist}` }).click();
  for (const row of [...flags, "Mobil"]) await expect(radio(row, 0)).toBeChecked();
  await page.getByRole("group", { name: "Efternavn" }).getByRole("textbox").fill("Kjærgaard");
  await page.getByLabel(/skal samles\.$/).check();
  await press(page, "mergeUsers");
  await expect(page.getByText(`${secretary} er samlet med ${dentist}.`).first()).toBeVisible();
  const stored = await portal.withDatabase(async (db) => ({
    ...(await db.selectFrom("user").selectAll().where("id", "=", ids[0]!).executeTakeFirstOrThrow()),
    roles: await db.selectFrom("userRole").select("role").where("userId", "=", ids[0]!).execute(),
  }));
  expect(stored).toMatchObject({
    roles: [{ role: "Dentist" }],
    lastName: "Kjærgaard",
    mobilePhone: null,
    ediDentistId: null,
    sendEndingLettersViaEdi: false,
  });
});

test("staff merge two clinics; a secretary sees nothing of it", async ({ portal, javaScriptEnabled }) => {
  const { word } = await twins(portal, javaScriptEnabled ? "n" : "v");
  const page = await portal.pageFor("admin");
  await page.goto("/management/clinics");
  await page.getByLabel("Søg", { exact: true }).fill(word);
  await press(page, "filterClinics");
  for (const [index, name] of ["Tandklinik", "Tandhus"].entries()) {
    await page
      .getByRole("row", { name: new RegExp(`${word} ${name}`) })
      .getByRole("button", { name: /til fusionering/ })
      .click();
    await expect(page.getByText(`Fusioner klinikkerne (${index + 1})`)).toBeVisible();
  }
  await page.getByRole("link", { name: "Fusioner klinikkerne (2)" }).click();
  await expect(page.getByText("Alle henvisninger bliver hos den oprindelige henviser.")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByLabel(/skal samles\.$/).check();
  await press(page, "mergeClinics");
  await expect(page.getByText(`${word} Tandhus er samlet med ${word} Tandklinik.`).first()).toBeVisible();
  await expect(page.getByText("1 klinik", { exact: true })).toBeVisible();
  await page.goto("/management/clinics");
  await page.getByLabel("Status", { exact: true }).first().selectOption({ label: "Inaktiv" });
  await page.getByLabel("Søg", { exact: true }).fill(word);
  await press(page, "filterClinics");
  await expect(page.getByText(`Samlet med ${word} Tandklinik`)).toBeVisible();

  const secretary = await portal.pageFor("sekretaer");
  await secretary.goto("/management/clinics");
  await expect(secretary.getByText("Fusioner")).toHaveCount(0);
  await secretary.goto("/management/clinics/fusioner?valgt=1.2");
  await expect(secretary.getByText("Access Denied by Role")).toBeVisible();
});

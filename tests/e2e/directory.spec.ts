import type { Page } from "@playwright/test";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";

test.use({ matrix: "with script" });

const PASSWORD = "Hvidtjoern7Kost";
let count = 0;

/** Address in the newest sent mail to somebody. */
async function linkTo(portal: RunningPortal, address: string): Promise<string> {
  const page = await portal.pageFor("admin");
  const mail = page.getByRole("article").filter({ hasText: address }).first();
  await expect(async () => {
    await page.goto("/dev/outbox");
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 120_000 });
  return (await mail.locator('a[href*="/change-password"]').first().getAttribute("href"))!;
}

async function signIn(page: Page, userName: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("Brugernavn").fill(userName);
  await page.getByLabel("Adgangskode", { exact: true }).fill(password);
  await page.locator('button[value="signIn"]').click();
}

/** By combobox with JavaScript, by select without. */
async function chooseClinic(page: Page, intent: string, name: string, isScripted: boolean) {
  const field = page.locator(`#${intent}-clinicId`);
  if (!isScripted) return void (await field.selectOption({ label: name }));
  await field.fill(name.slice(0, 8));
  await page.getByRole("listbox", { name: "Klinik" }).getByRole("option", { name }).click();
}

test("staff make a dentist, who chooses a password by the mailed link", async ({ portal, javaScriptEnabled }) => {
  const userName = `ny.tandlaege${javaScriptEnabled ? "m" : "u"}${(count += 1)}`;
  const email = `${userName}@eksempel.dk`;
  const page = await portal.pageFor("admin");
  await page.goto("/management/users");
  await page.getByRole("link", { name: "Opret bruger" }).click();
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "createUser");
  await expect(page.getByText("Skriv et fornavn.").first()).toBeVisible();
  await page.getByLabel("Fornavn").fill("Øjvind");
  await page.getByLabel("Efternavn").fill("Nyberg");
  await page.getByLabel("Brugernavn").fill(userName);
  await page.getByLabel("E-mail").fill(email);
  await chooseClinic(page, "createUser", "Søborg Tandklinik", javaScriptEnabled ?? false);
  await press(page, "createUser");
  await expect(page.getByText("Øjvind Nyberg er oprettet.").first()).toBeVisible();

  const own = await portal.pageFor(null);
  await own.goto(await linkTo(portal, email));
  await own.getByLabel("Ny adgangskode").fill(PASSWORD);
  await own.getByLabel("Gentag adgangskoden").fill(PASSWORD);
  await own.locator('button[value="resetPassword"]').click();
  await signIn(own, userName, PASSWORD);
  await expect(own).toHaveURL(/\/management/);

  await page.locator("#updateUser-dentistExternalId").fill("55123");
  await press(page, "updateUser");
  await expect(page.getByText("Brugeren er opdateret.").first()).toBeVisible();
  await page.getByRole("link", { name: "Ændre password" }).click();
  await page.getByLabel("Ny adgangskode").fill("Graagaas9Mose");
  await page.getByLabel("Gentag adgangskoden").fill("Graagaas9Mose");
  await press(page, "setUserPassword");
  await expect(page.getByText("Adgangskoden er blevet ændret.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);

  await signIn(own, userName, "Graagaas9Mose");
  await expect(own.getByRole("heading", { name: "Vælg din egen adgangskode" })).toBeVisible();
  await page.goto("/management/users");
  await settled(page);
  await chooseClinic(page, "filterUsers", "Søborg Tandklinik", javaScriptEnabled ?? false);
  await press(page, "filterUsers");
  const listed = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(listed.filter({ hasText: "Øjvind Nyberg" }).first()).toBeVisible();
  await expect(listed.filter({ hasNotText: "Søborg Tandklinik" })).toHaveCount(0);
  if (javaScriptEnabled) await expect(page.locator("#filterUsers-clinicId")).toHaveValue("Søborg Tandklinik");
  if (javaScriptEnabled) await expectAccessible(page);

  await own.goto("/management/draft-visits");
  await own.getByLabel("Ny adgangskode").fill(`${PASSWORD}8`);
  await own.getByLabel("Gentag adgangskoden").fill(`${PASSWORD}8`);
  await press(own, "chooseOwnPassword");
  await expect(own).toHaveURL(/draft-visits/);
});

test("a secretary sees and changes only what is their clinic's", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("sekretaer");
  await page.goto("/management/users");
  await expect(page.getByText("Tandhuset Nordhavn")).toHaveCount(0);
  await page.getByRole("link", { name: "Opret bruger" }).click();
  await expect(page.locator("#createUser-clinicId")).toBeDisabled();
  await expect(page.getByText("Surgeon")).toHaveCount(0);

  await page.goto("/management/clinics");
  await expect(page.getByRole("link", { name: "Opret klinik" })).toHaveCount(0);
  await page.getByRole("link", { name: /^Åbn / }).click();
  await expect(page.getByRole("heading", { name: /Henvisere\/brugere \(\d+\)/ })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  if (javaScriptEnabled) expect(await page.evaluate(isTooWide)).toBe(false);
  await page.getByLabel("Mobil").fill("10 33 80 12");
  await press(page, "updateClinic");
  await expect(page.getByText("Klinikken er opdateret.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
});

test("an empty form names every field that is missing, and a status is never missing", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/users/opret");
  await press(page, "createUser");
  const summary = page.getByRole("alert").filter({ hasText: "Der er felter som mangler" });
  for (const text of ["Skriv et fornavn.", "Skriv et efternavn.", "Skriv et brugernavn.", "Vælg en klinik."])
    await expect(summary.getByRole("link", { name: text })).toBeVisible();
  await page.goto("/management/users");
  await page.getByRole("link", { name: /^Åbn / }).first().click();
  const editor = page.locator("#updateUser");
  await expect(editor.locator("label", { hasText: "Brugernavn" })).toHaveText(/\*/);
  await expect(editor.locator("label", { hasText: "Status" })).toHaveText("Status");
});

test("staff make a clinic", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/clinics");
  await page.getByRole("link", { name: "Opret klinik" }).click();
  await page.getByLabel("Titel").fill(`Klinik nr. ${(count += 1)} ${javaScriptEnabled ? "m" : "u"}`);
  await press(page, "createClinic");
  await expect(page.getByText("Skriv adressen.").first()).toBeVisible();
  for (const [label, text] of [
    ["Adresse", "Åvej 1"],
    ["Postnummer", "8000"],
    ["By", "Aarhus"],
    ["E-mail", "ny@eksempel.dk"],
    ["Telefon", "10 00 00 09"],
  ] as const)
    await page.getByLabel(label, { exact: false }).last().fill(text);
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "createClinic");
  await expect(page.getByText(/er oprettet\./).first()).toBeVisible();
});

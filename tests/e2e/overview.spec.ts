import type { Page } from "@playwright/test";
import { insertUser } from "../../app/features/accounts/user-store.server";
import { insertClinic } from "../../app/features/directory/clinic-store.server";
import { addImages, expect, expectAccessible, press, test } from "./portal";

const overview = "/management/overview";

/** The bulk data's newest referrals wait for triage; what a test needs besides it sets itself. */
async function rowIds(page: Page): Promise<number[]> {
  const ids = await page.locator("tr[id^=r]").evaluateAll((rows) => rows.map((row) => Number(row.id.slice(1))));
  return ids;
}

test("a filter is typed, shown as chips, kept over pages, and taken off one by one", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  const [id] = await rowIds(page);
  const name = (await page.locator(`#r${id} .c-name`).innerText()).split("\n")[0]!;
  await page.locator('[name="patientName"]').fill(name.split(" ").reverse().join(" ").toUpperCase());
  await page.locator('[name="dateFrom"]').fill("1.1.2020");
  await page.locator('[name="patientName"]').press("Enter");
  await expect(page.getByRole("link", { name: "Fjern filter: Dato fra 01.01.2020" })).toBeVisible();
  expect(decodeURIComponent(page.url())).not.toContain(name.split(" ")[0]);
  await expect(page.locator(`#r${id}`)).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("link", { name: /Fjern filter: Patient navn/ }).click();
  await expect(page.getByRole("link", { name: /Fjern filter/ })).toHaveCount(1);
  await page.getByRole("link", { name: "Reset filtre" }).click();
  await expect(page.getByRole("link", { name: /Fjern filter/ })).toHaveCount(0);
  await page.goto(`${overview}?f=vrøvl`);
  await expect(page.getByText("Filtrene er nulstillet, fordi linket ikke længere gælder.")).toBeVisible();
});

test("a refused filter keeps everything typed, also the boxes under 'Flere filtre'", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  await page.locator('[name="patientName"]').fill("Søren");
  await press(page, "moreFilters");
  await expect(page.locator('[name="patientName"]')).toHaveValue("Søren");
  await page.getByLabel("Testhenvisning").check();
  await page.locator('[name="clinicId"]').selectOption({ index: 1 });
  await page.locator(".status-pop > summary").click();
  await page.getByRole("checkbox", { name: "Visiteret haster" }).uncheck();
  await page.locator('[name="visitNumber"]').fill("tolv");
  await press(page, "applyFilter");
  await expect(page.getByText("Skriv nummeret med tal.").first()).toBeVisible();
  await expect(page.getByLabel("Testhenvisning")).toBeChecked();
  await expect(page.locator('[name="clinicId"]')).not.toHaveValue("");
  await expect(page.locator('[name="statuses"][value="1"]')).not.toBeChecked();
  await expect(page.locator('[name="statuses"][value="0"]')).toBeChecked();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.locator('[name="visitNumber"]').fill("");
  await press(page, "applyFilter");
  for (const chip of ["Patient navn: Søren", "Testhenvisning", /^Fjern filter: Klinik/, "Status: 14 valgt"]) {
    await expect(page.getByRole("link", { name: chip })).toBeVisible();
  }
});

test("each role sees the filters that are its own", async ({ portal }) => {
  for (const [userName, staffs, referrer, mine] of [["admin", 1, 1, 0], ["kirurg", 1, 1, 1], ["sekretaer", 0, 1, 0], ["tandlaege", 0, 0, 0]] as const) {
    const page = await portal.pageFor(userName);
    await page.goto(overview);
    await press(page, "moreFilters");
    await expect(page.locator('[name="onlyEdi"]'), userName).toHaveCount(staffs);
    await expect(page.locator('[name="onlyTest"]')).toHaveCount(staffs);
    await expect(page.locator('[name="referrerId"]')).toHaveCount(referrer);
    await expect(page.locator('[name="myNewMessages"]')).toHaveCount(mine);
    await expect(page.locator('[name="newMessages"]')).toHaveCount(1);
    await expect(page.locator('[name="statuses"][value="10"]')).toHaveCount(staffs);
    await expect(page.locator('[name="pick"]').first()).toHaveCount(staffs);
  }
});

test("more referrers than a list can show: found while typing, or by a name and a choice", async ({ portal, javaScriptEnabled }) => {
  const userName = `stor${Date.now()}`;
  await portal.withDatabase(async (db) => {
    const now = new Date();
    const clinic = await insertClinic(db, { name: "Storklinikken", address: "Åvej 1", zip: "8000", city: "Aarhus", phone: "10 00 00 01", email: "stor@eksempel.dk" }, now);
    const known = await db.selectFrom("user").select(["password_hash", "accepted_conditions_version"]).where("user_name", "=", "sekretaer").executeTakeFirstOrThrow();
    const base = { email: "stor@eksempel.dk", passwordHash: known.password_hash, dentistExternalId: null, clinicIds: [clinic], creatorId: null };
    const secretary = await insertUser(db, { ...base, userName, firstName: "Stine", lastName: "Stor", roles: ["Secretary"] }, now);
    await db.updateTable("user").set({ accepted_conditions_version: known.accepted_conditions_version }).where("id", "=", secretary).execute();
    for (let index = 0; index < 51; index += 1) await insertUser(db, { ...base, userName: `${userName}-${index}`, firstName: index === 7 ? "Æskil" : "Bo", lastName: `Nr${index}`, roles: ["Dentist"] }, now);
  });
  const page = await portal.pageFor(userName);
  await page.goto(overview);
  await page.locator('[name="patientName"]').fill("Søren");
  await press(page, "moreFilters");
  if (javaScriptEnabled) {
    const referrer = page.getByRole("combobox", { name: "Henviser" });
    await referrer.fill("aeskil");
    await expect(page.locator(".combo-list [role=option]")).toHaveText(["Æskil Nr7 (klinik: Storklinikken)"]);
    await expectAccessible(page);
    // Enter chooses in the list, and only then searches.
    await referrer.press("Enter");
    await expect(referrer).toHaveValue("Æskil Nr7 (klinik: Storklinikken)");
    await referrer.press("Enter");
  } else {
    await page.getByLabel("Henviser", { exact: true }).fill("aeskil");
    await press(page, "moreFilters");
    await page.getByRole("radio", { name: "Æskil Nr7 (klinik: Storklinikken)" }).check();
    await press(page, "applyFilter");
  }
  await expect(page.getByRole("link", { name: "Fjern filter: Henviser: Æskil Nr7 (klinik: Storklinikken)" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Fjern filter: Patient navn: Søren" })).toBeVisible();
});

test("a GEM that came second says what it is now, keeps the choice, and shows no tick", async ({ portal, javaScriptEnabled }) => {
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [first, second]) await page.goto(overview);
  const [id] = await rowIds(first);
  const row = (page: Page) => page.locator(`#r${id}`);
  const save = async (page: Page, status: string) => {
    await row(page).locator("select").selectOption(status);
    await row(page).getByRole("button", { name: /GEM/ }).click();
  };
  await save(first, "3");
  await expect(row(first).getByRole("button", { name: "GEM – lykkedes" })).toBeVisible();
  await save(second, "8");
  await expect(second.getByText(`nr. ${id} er nu Klar til indkaldelse`)).toBeVisible();
  await expect(row(second).getByRole("button", { name: "GEM – mislykkedes" })).toBeVisible();
  await expect(row(second).locator("select")).toHaveValue("8");
  if (javaScriptEnabled) {
    await expectAccessible(second);
    await expect(row(second).getByRole("button")).toBeFocused();
    await row(second).locator("select").selectOption("4");
    await expect(row(second).getByRole("button", { name: "GEM", exact: true })).toBeVisible();
    await second.context().setOffline(true);
    await save(second, "4");
    await expect(second.locator(".notices").getByText("!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt")).toBeVisible();
    await expect(row(second).getByRole("button", { name: "GEM – mislykkedes" })).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    // A log-out that reached nobody says so, and leaves everything as it is.
    await second.getByRole("button", { name: "Log ud" }).first().click();
    await expect(second.locator("main > .notice").getByText("!! SOMETHING WENT WRONG !!")).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    await second.getByRole("link", { name: "Nr.", exact: true }).click();
    await expect(second.getByRole("heading", { name: "!! SOMETHING WENT WRONG !!" })).toBeVisible();
    await second.context().setOffline(false);
    await second.getByRole("link", { name: "Prøv igen" }).click();
    await expect(second.getByRole("heading", { name: "Oversigt" })).toBeVisible();
  }
  await first.goto(overview);
  await expect(row(first).locator("select")).toHaveValue("3");
});

test("several are changed at once and brought back", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=1`);
  const ids = (await rowIds(page)).slice(0, 3);
  const before = await Promise.all(ids.map((id) => page.locator(`#r${id} select`).inputValue()));
  const other = ["14", "2", "3", "16"].find((status) => !before.includes(status))!;
  for (const id of ids) await page.getByRole("checkbox", { name: `Vælg nr. ${id}`, exact: true }).check();
  if (javaScriptEnabled) {
    await expect(page.getByRole("button", { name: "Skift status på 3" })).toBeEnabled();
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

test("all that match are asked about by number, changed, and brought back", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?f=s2`);
  const total = Number(/^(\d+) henvisning/.exec(await page.locator(".list-head b").innerText())?.[1]);
  expect(total, "in the bulk data").toBeGreaterThan(1);
  await page.locator("#mass-status").selectOption("16");
  await page.getByRole("button", { name: `Skift alle ${total} i filteret` }).click();
  await expect(page.getByRole("dialog")).toContainText(`Skift status på ${total} henvisninger?`);
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "setAllStatuses");
  await expect(page.getByText(`${total} henvisninger er nu Afventer overlæge.`)).toBeVisible();
  await press(page, "undoStatuses");
  await expect(page.locator(".list-head b")).toHaveText(`${total} henvisninger`);
});

test("from referral to referral along the list, and through a whole triage by the keyboard alone", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const [one, two, three] = await rowIds(page);
  await page.locator(`#r${one} .c-open a`).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  await page.getByRole("link", { name: "Næste", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${two}$`));
  if (javaScriptEnabled) await expect(page.getByRole("link", { name: "Næste", exact: true })).toBeFocused();
  await page.getByRole("link", { name: "Næste", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${three}$`));
  await page.locator(`#r${three} select`).focus();
  const before = await page.locator(`#r${three} select`).inputValue();
  await page.keyboard.press(before === "0" ? "ArrowDown" : "ArrowUp");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Status er gemt. Nr. ${three} er nu`)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/overview/${three}`));
  await page.getByRole("link", { name: "Forrige", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${two}$`));
});

test("a referral with files asks about them when it is closed", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  await dentist.goto("/management/henvisning-tandlaeger");
  const typed = { cpr6: "680180", cpr4: "1471", firstName: "Åge", lastName: "Lukket", address: "Kaj 1", zip: "8000", city: "Aarhus", desiredTreatment: "Fjernelse af 38." };
  for (const [name, value] of Object.entries(typed)) await dentist.locator(`[name="${name}"]`).first().fill(value);
  await press(dentist, "savePatient");
  await expect(dentist).toHaveURL(/trin=2/);
  await press(dentist, "saveReferrer");
  await expect(dentist).toHaveURL(/trin=3/);
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await addImages(dentist, { name: "38.png", mimeType: "image/png", buffer: pixel }, 0, javaScriptEnabled === true);
  await expect(dentist.getByText("38.png").first()).toBeVisible();
  await press(dentist, "sendReferral");
  await expect(dentist).toHaveURL(/nr=\d+/);
  const id = Number(new URL(dentist.url()).searchParams.get("nr"));

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

test("what waits and who was called up too long ago lead to their lists; the banner can be closed for the session", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  const queue = page.locator(".queue > *").first();
  const count = Number((await queue.locator("b").innerText()).replace(".", ""));
  await queue.getByRole("link").click();
  await expect(page.locator(".list-head b")).toHaveText(count === 1 ? "1 henvisning" : `${count} henvisninger`);
  await page.goto(overview);
  const banner = page.locator(".notice", { hasText: "Indkaldelser, der venter." });
  if ((await banner.count()) > 0) {
    if (javaScriptEnabled) await expectAccessible(page);
    await press(page, "closeCallUpStats");
    await expect(banner).toHaveCount(0);
    await page.goto(overview);
    await expect(banner).toHaveCount(0);
  }
});

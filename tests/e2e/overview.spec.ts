import type { Page } from "@playwright/test";
import { insertUser } from "../../app/features/accounts/user-store.server";
import { insertClinic } from "../../app/features/directory/clinic-store.server";
import { addImages, expect, expectAccessible, press, readAnew, test } from "./portal";

const overview = "/management/overview";

/** The bulk data's newest referrals wait for triage; what a test needs besides it sets itself. */
async function rowIds(page: Page): Promise<number[]> {
  const ids = await page.locator("tr[id^=r]").evaluateAll((rows) => rows.map((row) => Number(row.id.slice(1))));
  return ids;
}

test("a filter is shown as chips, kept across pages, and removed one chip at a time", async ({
  portal,
  javaScriptEnabled,
}) => {
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

test("a refused filter keeps everything typed, also the boxes under 'Flere filtre'", async ({
  portal,
  javaScriptEnabled,
}) => {
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

test("each role sees its own filters", async ({ portal }) => {
  for (const [userName, staffs, referrer, mine] of [
    ["admin", 1, 1, 0],
    ["kirurg", 1, 1, 1],
    ["sekretaer", 0, 1, 0],
    ["tandlaege", 0, 0, 0],
  ] as const) {
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

test("with more referrers than a list can show, one is found while typing, or by a search and a choice", async ({
  portal,
  javaScriptEnabled,
}) => {
  const userName = `stor${Date.now()}`;
  await portal.withDatabase(async (db) => {
    const now = new Date();
    const clinic = await insertClinic(
      db,
      {
        name: "Storklinikken",
        address: "Åvej 1",
        zip: "8000",
        city: "Aarhus",
        phone: "10 00 00 01",
        email: "stor@eksempel.dk",
      },
      now,
    );
    const known = await db
      .selectFrom("user")
      .select(["password_hash", "accepted_conditions_version"])
      .where("user_name", "=", "sekretaer")
      .executeTakeFirstOrThrow();
    const base = {
      email: "stor@eksempel.dk",
      passwordHash: known.password_hash,
      dentistExternalId: null,
      clinicIds: [clinic],
      creatorId: null,
    };
    const secretary = await insertUser(
      db,
      { ...base, userName, firstName: "Stine", lastName: "Stor", roles: ["Secretary"] },
      now,
    );
    await db
      .updateTable("user")
      .set({ accepted_conditions_version: known.accepted_conditions_version })
      .where("id", "=", secretary)
      .execute();
    for (let index = 0; index < 51; index += 1)
      await insertUser(
        db,
        {
          ...base,
          userName: `${userName}-${index}`,
          firstName: index === 7 ? "Æskil" : "Bo",
          lastName: `Nr${index}`,
          roles: ["Dentist"],
        },
        now,
      );
  });
  const page = await portal.pageFor(userName);
  await page.goto(overview);
  await page.locator('[name="patientName"]').fill("Søren");
  await press(page, "moreFilters");
  if (javaScriptEnabled) {
    const referrer = page.getByRole("combobox", { name: "Henviser" });
    await referrer.fill("aeskil");
    await expect(page.locator("[role=listbox] [role=option]")).toHaveText(["Æskil Nr7 (klinik: Storklinikken)"]);
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
  await expect(
    page.getByRole("link", { name: "Fjern filter: Henviser: Æskil Nr7 (klinik: Storklinikken)" }),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Fjern filter: Patient navn: Søren" })).toBeVisible();
});

test("a GEM that is a conflict shows the present status, keeps the choice, and shows no tick", async ({
  portal,
  javaScriptEnabled,
}) => {
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
    // A list that is read anew behind the choice neither takes it away nor makes it newer than it is.
    await readAnew(second);
    await expect(row(second).locator("select")).toHaveValue("8");
  }
  await row(second).getByRole("button", { name: /GEM/ }).click();
  await expect(second.getByText(`nr. ${id} er nu Klar til indkaldelse`)).toBeVisible();
  await expect(row(second).getByRole("button", { name: /^GEM nr. \d+ – mislykkedes$/ })).toBeVisible();
  await expect(row(second).locator("select")).toHaveValue("8");
  if (javaScriptEnabled) {
    await expectAccessible(second);
    await expect(row(second).getByRole("button", { name: /^GEM/ })).toBeFocused();
    await row(second).locator("select").selectOption("4");
    await expect(row(second).getByRole("button", { name: /^GEM nr. \d+$/ })).toBeVisible();
    await second.context().setOffline(true);
    await save(second, "4");
    await expect(
      second.locator(".notices").getByText("!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt"),
    ).toBeVisible();
    await expect(row(second).getByRole("button", { name: /^GEM nr. \d+ – mislykkedes$/ })).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    // A log-out that reached nobody says so, and leaves everything as it is.
    await second.getByRole("button", { name: "Log ud" }).first().click();
    await expect(second.locator("main > .notice").getByText("!! SOMETHING WENT WRONG !!")).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    await second.getByRole("link", { name: "Nr.", exact: true }).click();
    // A page that cannot be reached is waited for, and what stands on this one stays.
    await expect(second.getByText("Der er ingen forbindelse.")).toBeVisible();
    await expect(row(second).locator("select")).toHaveValue("4");
    await second.context().setOffline(false);
    await expect(second.getByText("Der er ingen forbindelse.")).toHaveCount(0);
    await expect(second.getByRole("heading", { name: "Oversigt" })).toBeVisible();
  }
  await first.goto(overview);
  await expect(row(first).locator("select")).toHaveValue("3");
});

test("GEM on a row that has its status already does not fail, however often it is pressed", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const id = (await rowIds(page))[7]!;
  const gem = page.locator(`#r${id}`).getByRole("button", { name: /GEM/ });
  for (let time = 0; time < 3; time += 1) {
    const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
    await gem.click();
    await answered;
    await expect(page.getByText(`Nr. ${id} er allerede`)).toBeVisible();
    await expect(gem).not.toHaveAttribute("aria-busy", "true");
    await expect(gem).toHaveAccessibleName(`GEM nr. ${id} – lykkedes`);
  }
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
    // At the list's end the bar lies over no row; on the way a row is always half under it.
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

test("all that match are confirmed by number, given a status that is chosen, and undone", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=1`);
  const total = Number(/^(\d+) henvisning/.exec(await page.locator(".list-head b").innerText())?.[1]);
  expect(total, "more than a page of them").toBeGreaterThan(20);
  const all = page.getByRole("link", { name: `Vælg alle ${total} i filteret` });
  if (javaScriptEnabled) {
    // Offered once the page is chosen.
    await expect(page.getByRole("button", { name: "Eksportér valgte" })).toBeDisabled();
    await expect(all).toHaveCount(0);
    await page.getByRole("checkbox", { name: "Vælg alle på siden" }).check();
    await expect(page.getByRole("button", { name: "Eksportér valgte" })).toBeEnabled();
  }
  await all.click();
  await expect(page.getByRole("dialog")).toContainText(`Skift status på ${total} henvisninger?`);
  // No status is presumed.
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

test("steps from referral to referral along the list, and triages by keyboard alone", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const [one, two, three] = await rowIds(page);
  // The name is the way in, and the one stop of Tab for it.
  await expect(page.locator(`#r${one} .c-open a`)).toHaveAttribute("tabindex", "-1");
  await page.locator(`#r${one} .c-name a`).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  await page.getByRole("link", { name: "Næste", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${two}$`));
  if (javaScriptEnabled) await expect(page.getByRole("link", { name: "Næste", exact: true })).toBeFocused();
  await page.getByRole("link", { name: "Næste", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${three}$`));
  const status = page.getByLabel(`Status for nr. ${three}`, { exact: true });
  await status.focus();
  const before = await status.inputValue();
  await page.keyboard.press(before === "0" ? "ArrowDown" : "ArrowUp");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Status er gemt. Nr. ${three} er nu`)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/overview/${three}`));
  await page.getByRole("link", { name: "Forrige", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${two}$`));
});

test("an open referral keeps its place after a status that the filter leaves out, until it is closed", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const waiting = (await rowIds(page)).slice(0, 8);
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 0 }).where("id", "in", waiting).execute());
  await page.goto(`${overview}?f=s0&sort=-1`);
  const before = await rowIds(page);
  const [above, open, below] = before.slice(2, 5) as [number, number, number];
  await page.locator(`#r${open} .c-open a`).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${open}$`));
  await page.locator("article").getByRole("button", { name: "Visiteret", exact: true }).click();

  const saved = page.locator(".status-saved");
  await expect(saved).toContainText("Visiteret");
  expect((await rowIds(page)).slice(2, 5)).toEqual([above, open, below]);
  await expect(page.locator(`#r${open}`)).toContainText("Ikke længere i filteret");
  await expect(page.locator(`#r${open}`)).toBeInViewport();
  await expect(page.getByRole("link", { name: /^Næste \(\d+ tilbage\)$/ })).toBeFocused();
  if (javaScriptEnabled) await expectAccessible(page);

  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(saved).toContainText(`Fortrudt. Nr. ${open} er igen Afventer visitering.`);
  await expect(page.locator(`#r${open}`)).not.toContainText("Ikke længere i filteret");
  await page.locator("article").getByRole("button", { name: "Visiteret", exact: true }).click();
  await expect(saved).toContainText("Visiteret");
  await expect(page.getByRole("link", { name: /^Næste \(\d+ tilbage\)$/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${below}$`));
  await expect(page.locator(`#r${open}`)).toHaveCount(0);
  await expect(page.locator("#r" + below)).toBeInViewport();
});

test("a link to one referral opens it at its head, with all statuses, GEM and 'Fortryd', also when it is closed", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=1`);
  const [id] = await rowIds(page);
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 7 }).where("id", "=", id!).execute());
  await page.goto(`${overview}/${id}`);
  await expect(page.locator(".data")).toHaveCount(0);
  const head = page.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) });
  await expect(head).toBeInViewport();
  expect((await head.boundingBox())!.y).toBeLessThan(300);
  if (javaScriptEnabled) await expectAccessible(page);
  const choose = () => page.getByLabel(`Status for nr. ${id}`, { exact: true }).selectOption({ label: "I behandling" });
  await choose();
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("id", "=", id!)
      .execute(),
  );
  if (javaScriptEnabled) await readAnew(page);
  await page.getByRole("button", { name: `GEM nr. ${id}` }).click();
  await expect(page.getByText(/ændret, siden du åbnede den/).first()).toBeVisible();
  await choose();
  await page.getByRole("button", { name: `GEM nr. ${id}` }).click();
  await expect(page.locator(".status-saved")).toContainText("I behandling");
  await expect(page.getByRole("link", { name: "Til oversigten" })).toBeFocused();
  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(page.locator(".status-saved")).toContainText(`Nr. ${id} er igen Afsluttet.`);
  await expect(page.getByLabel(`Status for nr. ${id}`, { exact: true })).toHaveValue("7");
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

test("prints the open referral alone, or the list as a table with its filter", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?f=s0&sort=-1`);
  const [one, two] = await rowIds(page);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  await expect(page.getByText("Status: Afventer visitering").last()).toBeVisible();
  expect(await page.locator(`#r${one} .c-cpr`).evaluate((cell) => getComputedStyle(cell).display)).toBe("table-cell");
  await expect(page.locator(".c-pick").first()).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.locator(`#r${one} .c-open a`).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${one}`) })).toBeVisible();
  // The open referral stands in the place of its row.
  for (const selector of [
    `#r${one} .c-open`,
    `#r${two}`,
    ".filter",
    ".list-head",
    "article select",
    "article textarea",
    "article button",
  ]) {
    for (const element of await page.locator(selector).all()) await expect(element).toBeHidden();
  }
});

test("in forced colours the current tab, step and page are distinguishable", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.emulateMedia({ forcedColors: "active" });
  const outlines = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((element) => getComputedStyle(element).outlineStyle));
  for (const [address, parts] of [
    [overview, ["nav[aria-label=Hovedmenu]", "nav[aria-label^=Sider]"]],
    ["/management/henvisning-tandlaeger?form=forced-colours", ["nav[aria-label=Trin]"]],
  ] as const) {
    await page.goto(address);
    for (const part of parts) {
      expect(new Set(await outlines(`${part} [aria-current]`)), part).toEqual(new Set(["solid"]));
      expect(await outlines(`${part} a:not([aria-current])`), part).not.toContain("solid");
    }
  }
});

test("on a phone an open referral fills the page, and has the focus", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${overview}?sort=-1`);
  const [one, two] = await rowIds(page);
  await page.locator(`#r${one} .c-name a`).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  if (javaScriptEnabled) await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${one}`) })).toBeFocused();
  await expect(page.locator(`#r${one}`)).toBeInViewport();
  await expect(page.locator(`#r${two}`)).toBeHidden();
  await page.getByRole("link", { name: "Oversigt", exact: true }).last().click();
  await expect(page.locator(`#r${two}`)).toBeVisible();
});

test("a name of 35 and one of 70 letters stay inside the page, in the list and in the head", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const ids = (await rowIds(page)).slice(0, 2);
  const names = [
    "Wolfeschlegelsteinhausenbergerdorff",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamteng",
  ];
  for (const [index, id] of ids.entries())
    await portal.withDatabase((db) =>
      db.updateTable("referral").set({ last_name: names[index] }).where("id", "=", Number(id)).execute(),
    );
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const address of [`${overview}?sort=-1`, ...ids.map((id) => `${overview}/${id}`)]) {
      await page.goto(address);
      await expect(page.getByText(names[address.endsWith(String(ids[1])) ? 1 : 0]!).first()).toBeVisible();
      expect(await wider(), `${address} at ${width} px`).toBe(0);
    }
  }
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

  // Until the archive has the image, it cannot be deleted.
  await portal.withDatabase((db) =>
    expect
      .poll(
        () =>
          db.selectFrom("outbox").select("id").where("referral_id", "=", id).where("settled_at", "is", null).execute(),
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

test("the queues and the overdue call-ups link to their lists; the banner can be closed for the session", async ({
  portal,
  javaScriptEnabled,
}) => {
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

test("one box selects all statuses; with JavaScript the list closes by Escape and by a click elsewhere", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  const picker = page.locator(".status-pop");
  await picker.locator("summary").click();
  await page.getByLabel("Vælg alle", { exact: true }).check();
  if (javaScriptEnabled) {
    await page.keyboard.press("Escape");
    await expect(picker).not.toHaveAttribute("open");
    await expect(picker.locator("summary")).toBeFocused();
    await picker.locator("summary").click();
    await page.getByRole("heading", { name: "Oversigt" }).click();
    await expect(picker).not.toHaveAttribute("open");
  }
  await press(page, "applyFilter");
  await expect(page.getByRole("link", { name: "Fjern filter: Status: 17 valgt" })).toBeVisible();
});

test("closing a row returns the focus to its link, and messages stand in one live region", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled !== true, "focus and spoken messages are the script's");
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const [, id] = await rowIds(page);
  const toggle = page.locator(`#r${id} .c-open a`);
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${id}$`));
  await expect(toggle).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/overview\?/);
  await expect(page.locator("article")).toHaveCount(0);
  await expect(page.locator(`#r${id} .c-name a`)).toBeFocused();
  const before = await page.locator(`#r${id} select`).inputValue();
  await page.locator(`#r${id} select`).selectOption(before === "8" ? "6" : "8");
  await page.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  await expect(page.locator("[data-messages]")).toContainText(`Status er gemt. Nr. ${id}`);
  await page.locator('[name="visitNumber"]').fill("tolv");
  await press(page, "applyFilter");
  await expect(page).toHaveTitle(/^Fejl: /);
});

import { insertUser } from "../../app/features/accounts/store.server";
import { insertClinic } from "../../app/features/directory/store.server";
import { expect, expectAccessible, press, settled, test } from "./portal";
import { aReferral, rowIds } from "./referrals";

test.use({ matrix: "with script" });

const overview = "/management/overview";

test("a filter is shown as chips, kept across pages, and removed one chip at a time", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  const [id] = await rowIds(page);
  const name = await page.locator(`#r${id} .c-name a`).innerText();
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

test("a search that leaves out a closed patient offers the referral", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 7 }).where("id", "=", id).execute());
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  await page.locator('[name="visitNumber"]').fill(String(id));
  await page.locator('[name="visitNumber"]').press("Enter");
  await expect(page.getByText("1 henvisning med en anden status passer.")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("link", { name: "Vis den" }).click();
  await expect(page.locator(`#r${id}`)).toContainText("Afsluttet");
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

test("one box selects all statuses; the list closes by Escape and click", async ({ portal, javaScriptEnabled }) => {
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

test("with many referrers, one is found while typing or by a search", async ({ portal, javaScriptEnabled }) => {
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
      .select(["passwordHash", "acceptedConditionsVersion"])
      .where("userName", "=", "sekretaer")
      .executeTakeFirstOrThrow();
    const base = {
      email: "stor@eksempel.dk",
      passwordHash: known.passwordHash,
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
      .set({ acceptedConditionsVersion: known.acceptedConditionsVersion })
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
    await referrer.fill("zzzz");
    await referrer.press("Tab");
    await press(page, "applyFilter");
    await expect(page.locator(".field-error").filter({ hasText: "Vælg en henviser fra listen." })).toBeVisible();
    await expect(referrer).toHaveValue("zzzz");
    await referrer.fill("aeskil");
    await expect(page.locator("[role=listbox] [role=option]")).toContainText(["Æskil Nr7 (klinik: Storklinikken)"]);
    await expectAccessible(page);
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

test("queues and overdue call-ups link to their lists", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto(overview);
  const queue = page.locator(".queue > *").first();
  const count = Number((await queue.locator("b").innerText()).replace(".", ""));
  await queue.getByRole("link").click();
  await expect(page.locator(".list-head b")).toHaveText(count === 1 ? "1 henvisning" : `${count} henvisninger`);
  await page.goto(overview);
  const banner = page.locator(".notice", { hasText: "Indkaldelser, der venter." });
  if ((await banner.count()) > 0) {
    // Folded while there is more than one.
    if (!(await banner.isVisible())) await page.locator(".reminders > summary").click();
    if (javaScriptEnabled) await expectAccessible(page);
    await press(page, "closeCallUpStats");
    await expect(banner).toHaveCount(0);
    await page.goto(overview);
    await expect(banner).toHaveCount(0);
  }
});

test("on a phone the filter is folded above the rows until its line is pressed", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(overview);
  await settled(page);
  const name = page.getByLabel("Patient navn");
  await expect(name).toBeHidden();
  await page.locator(".filter > details > summary").click();
  await name.fill("Findes Ikke");
  await page.getByRole("button", { name: "Søg", exact: true }).click();
  await expect(page.getByText("0 henvisninger")).toBeVisible();
  await expect(name).toBeHidden();
});

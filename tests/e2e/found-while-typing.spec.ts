import type { Page } from "@playwright/test";
import { insertUser } from "../../app/features/accounts/store.server";
import { postForm } from "./post-form";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aDraft, aReferral } from "./referrals";

test.use({ matrix: "without script" });

const FROM_THE_LIST = "Vælg en henviser fra listen.";
const optionsOf = (page: Page) => page.getByRole("listbox").getByRole("option");
let count = 0;

async function stepTwo(page: Page): Promise<number> {
  const id = await aDraft(page, ["680175", String(4000 + (count += 1))]);
  await page.goto(`/management/henvisning-tandlaeger?kladde=${id}&trin=2`);
  await settled(page);
  return id;
}

const referrerOf = (portal: RunningPortal, id: number) =>
  portal.withDatabase(async (db) => {
    const row = await db
      .selectFrom("referral")
      .leftJoin("user", "user.id", "referral.referrerId")
      .select(["user.firstName", "user.email"])
      .where("referral.id", "=", id)
      .executeTakeFirstOrThrow();
    return [row.firstName, row.email];
  });

/** Two people with the same name in the secretary's clinic. */
async function namesakes(portal: RunningPortal, lastName: string): Promise<string[]> {
  const emails = ["et", "to"].map((which) => `${which}.${lastName.toLowerCase()}@eksempel.dk`);
  await portal.withDatabase(async (db) => {
    const clinic = await db
      .selectFrom("userClinic")
      .innerJoin("user", "user.id", "userClinic.userId")
      .select("clinicId")
      .where("userName", "=", "sekretaer")
      .executeTakeFirstOrThrow();
    for (const email of emails)
      await insertUser(
        db,
        {
          userName: email,
          email,
          passwordHash: null,
          dentistExternalId: null,
          clinicIds: [clinic.clinicId],
          creatorId: null,
          firstName: "Jens",
          lastName,
          roles: ["Dentist"],
        },
        new Date(),
      );
  });
  return emails;
}

test("two referrers of one name are told apart, and the chosen one is saved", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("sekretaer");
  const lastName = `Navnefælle${javaScriptEnabled ? "a" : "b"}`;
  const [, second] = (await namesakes(portal, lastName)) as [string, string];
  const id = await stepTwo(page);
  if (javaScriptEnabled) {
    await page.getByRole("combobox", { name: "Henviser" }).fill(`Jens ${lastName}`);
    await expect(optionsOf(page)).toHaveCount(2);
    await expectAccessible(page);
    await optionsOf(page).filter({ hasText: second }).click();
  } else {
    await page.getByLabel("Navn eller klinik").fill(`Jens ${lastName}`);
    await press(page, "searchReferrers");
    await page.getByRole("radio", { name: second }).check();
  }
  await press(page, "saveReferrer");
  await expect(page).toHaveURL(/trin=3/);
  expect(await referrerOf(portal, id)).toEqual(["Jens", second]);
});

test("an old page's name that is another's than its id is refused", async ({ portal }) => {
  const page = await portal.pageFor("sekretaer");
  const id = await stepTwo(page);
  const { referrerId } = await portal.withDatabase((db) =>
    db.selectFrom("user").select("id as referrerId").where("userName", "=", "tandlaege").executeTakeFirstOrThrow(),
  );
  const answer = await postForm(page, page.url(), {
    intent: "saveReferrer",
    referralId: id,
    referrerId,
    referrerIdText: "Bo Anden (klinik: Anden)",
  });
  expect(answer.status()).toBe(400);
  expect(await answer.text()).toContain(FROM_THE_LIST);
  expect(await referrerOf(portal, id)).toEqual([null, null]);
});

test.describe("with JavaScript", () => {
  test.beforeEach(({ javaScriptEnabled }) => test.skip(!javaScriptEnabled, "without it nothing is found while typing"));

  test("step 2 saves the name that stands in the field, or refuses it", async ({ portal }) => {
    const page = await portal.pageFor("admin");
    const id = await stepTwo(page);
    const referrer = page.getByRole("combobox", { name: "Henviser" });
    const next = page.getByRole("button", { name: "Næste" });
    await referrer.fill("kjærgaard mette");
    await expect(optionsOf(page)).toHaveCount(1);
    await referrer.press("Enter");
    await expect(referrer).toHaveValue(/^Mette Kjærgaard/);
    await next.click();
    await expect(page).toHaveURL(/trin=3/);

    await page.goBack();
    await expect(referrer).toHaveValue(/^Mette Kjærgaard/);
    await settled(page);
    await referrer.fill("zzzz");
    await next.click();
    await expect(page.locator(".field-error").filter({ hasText: FROM_THE_LIST })).toBeVisible();
    await expect(referrer).toHaveValue("zzzz");
    await expect(page.locator(".card").filter({ hasText: "Mette Kjærgaard" })).toHaveCount(0);
    await expectAccessible(page);
    expect((await referrerOf(portal, id))[0]).toBe("Mette");
    await referrer.fill("bjørn dahl");
    await next.click();
    await expect(page).toHaveURL(/trin=3/);
    expect((await referrerOf(portal, id))[0]).toBe("Bjørn");
  });

  test("Enter takes the only match of what was typed, nobody of a former search", async ({ portal }) => {
    const page = await portal.pageFor("admin");
    await stepTwo(page);
    const referrer = page.getByRole("combobox", { name: "Henviser" });
    await referrer.fill("kjærgaard mette");
    await expect(optionsOf(page)).toHaveCount(1);
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/management/henvisning-tandlaeger*", async (route) => (await late, route.continue()));
    await referrer.fill("bjørn dahl");
    await referrer.press("Enter");
    await expect(page.getByRole("status").filter({ hasText: "Søger…" })).toBeAttached();
    await expect(referrer).toHaveValue("bjørn dahl");
    answer();
    await expect(referrer).toHaveValue(/^Bjørn Dahl/);
  });

  test("a field left chooses its only match, and Escape gives the former back", async ({ portal }) => {
    const page = await portal.pageFor("admin");
    await stepTwo(page);
    const referrer = page.getByRole("combobox", { name: "Henviser" });
    await referrer.fill("bjørn dahl");
    await referrer.press("Tab");
    await expect(referrer).toHaveValue(/^Bjørn Dahl/);
    await expect(page.locator(".card").filter({ hasText: "Bjørn Dahl" })).toBeVisible();
    await referrer.fill("mette");
    await expect(page.locator(".card")).toHaveCount(0);
    await referrer.press("Escape");
    await expect(referrer).toHaveValue(/^Bjørn Dahl/);
    await expect(page.locator(".card").filter({ hasText: "Bjørn Dahl" })).toBeVisible();
  });

  test("'Skift henviser' refuses a name that nobody has", async ({ portal }) => {
    const { id } = await aReferral(await portal.pageFor("tandlaege"));
    const staff = await portal.pageFor("admin");
    await staff.goto(`/management/overview/${id}`);
    await staff.getByRole("link", { name: "Skift henviser" }).click();
    const referrer = staff.getByRole("dialog").getByRole("combobox", { name: "Henviser" });
    await referrer.fill("zzzz");
    await referrer.press("Tab");
    await press(staff, "changeReferrer");
    await expect(staff.locator(".field-error").filter({ hasText: FROM_THE_LIST })).toBeVisible();
    await expect(referrer).toHaveValue("zzzz");
    expect((await referrerOf(portal, id))[0]).toBe("Mette");
  });

  test("a clinic is the one that stands in the field: in a filter and a new user", async ({ portal }) => {
    const page = await portal.pageFor("admin");
    await page.goto("/management/users");
    await settled(page);
    const clinic = page.getByRole("combobox", { name: "Klinik" });
    await clinic.fill("zzzz");
    await clinic.press("Tab");
    await press(page, "filterUsers");
    await expect(page.locator(".field-error").filter({ hasText: "Vælg fra listen." })).toBeVisible();
    await expect(clinic).toHaveValue("zzzz");
    await clinic.fill("på åen");
    await clinic.press("Tab");
    await expect(clinic).toHaveValue("Tandlægerne på Åen");
    await press(page, "filterUsers");
    await expect(page.getByRole("link", { name: "Fjern filter: Klinik: Tandlægerne på Åen" })).toBeVisible();

    await page.goto("/management/users/opret");
    await settled(page);
    const own = page.getByRole("dialog").getByRole("combobox", { name: "Klinik" });
    await own.fill("på åen");
    await own.press("Tab");
    await own.fill("zzzz");
    await own.press("Tab");
    for (const [name, value] of Object.entries({
      firstName: "Åse",
      lastName: "Ny",
      userName: `ny${Date.now()}`,
      email: "ny@eksempel.dk",
    }))
      await page.getByRole("dialog").locator(`[name="${name}"]`).fill(value);
    await press(page, "createUser");
    await expect(page.locator(".field-error").filter({ hasText: "Vælg en klinik fra listen." })).toBeVisible();
    await expect(own).toHaveValue("zzzz");
  });

  test("a clinic that was chosen before the script came stays chosen", async ({ portal }) => {
    const page = await portal.pageFor("admin");
    let arrive = () => {};
    const late = new Promise<void>((resolve) => (arrive = resolve));
    await page.route("**/build/**/*.js", async (route) => (await late, route.continue()));
    await page.goto("/management/users", { waitUntil: "commit" });
    await page.getByLabel("Klinik", { exact: true }).selectOption("Tandlægerne på Åen");
    arrive();
    await expect(page.getByRole("combobox", { name: "Klinik" })).toHaveValue("Tandlægerne på Åen");
    await press(page, "filterUsers");
    await expect(page.getByRole("link", { name: "Fjern filter: Klinik: Tandlægerne på Åen" })).toBeVisible();
  });
});

test("a closed patient is found from any page by CPR number, number or name", async ({ portal, javaScriptEnabled }) => {
  const patient = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ status: 7 }).where("id", "=", patient.id).execute(),
  );
  const page = await portal.pageFor("admin");
  const search = patientSearch(page);
  await page.goto("/management/sms");
  if (javaScriptEnabled) {
    await settled(page);
    await page.keyboard.press("/");
    await expect(search).toBeFocused();
  } else await search.focus();
  await page.keyboard.type(String(patient.id));
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${patient.id}$`));
  await settled(page);
  await search.fill(patient.cpr.join("-"));
  await search.press("Enter");
  await expect(search).toHaveValue("");
  expect(page.url()).not.toContain(patient.cpr[0]);
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${patient.id}$`));
  await settled(page);
  await search.fill("Nanna Findesikke");
  await search.press("Enter");
  await expect(page.getByText("Ingen henvisninger passer til filtrene.")).toBeVisible();
});

const patientSearch = (page: Page) => page.getByLabel("Find patient: CPR, nr. eller navn").first();

test("patients are suggested while typing, open ones first, and Enter opens the first", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "without JavaScript the search has a page of results");
  const dentist = await portal.pageFor("tandlaege");
  const [closed, open] = [await aReferral(dentist), await aReferral(dentist)];
  const name = "Suggestine";
  await portal.withDatabase(async (db) => {
    for (const { id } of [closed, open]) {
      const values = { firstName: name, nameSort: `suggestine ærø ${id}` };
      await db.updateTable("referral").set(values).where("id", "=", id).execute();
    }
    await db.updateTable("referral").set({ status: 7 }).where("id", "=", closed.id).execute();
  });
  const page = await portal.pageFor("admin");
  await page.goto("/management/users");
  await settled(page);
  const options = page.getByRole("listbox", { name: "Patienter" }).getByRole("option");
  await patientSearch(page).fill(open.cpr[0]);
  await expect(options.first()).toContainText(open.cpr[0]);
  await page.keyboard.press("Escape");
  await expect(options).toHaveCount(0);
  await patientSearch(page).fill(open.cpr.join("-"));
  await expect(options).toHaveCount(1);
  await expect(options).toContainText(`${open.cpr.join("-")}`);
  await expect(options).toContainText("Afventer visitering");
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${open.id}$`));
  expect(page.url()).not.toContain(open.cpr[0]);
  await expect(patientSearch(page)).toHaveValue("");
});

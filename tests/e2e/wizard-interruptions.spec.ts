import { expect, press, settled, test } from "./portal";
import { aCpr, fill, valid, wizard } from "./wizard-page";

test.describe("with JavaScript", () => {
  test.beforeEach(({ javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "what script adds");
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

  test("step 1 is left in the middle of typing: the text is kept, and no page fails", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    const answers: number[] = [];
    page.on("response", (response) => {
      if (response.request().postData()?.includes("intent=saveAutosave")) answers.push(response.status());
    });
    const { cpr6, cpr4 } = aCpr();
    await page.goto(wizard);
    await settled(page);
    await fill(page, { cpr6, cpr4 });
    await settled(page);
    await fill(page, { firstName: "Midtvejs", comment: "48 skal" });
    await fill(page, { cpr4: String(Number(cpr4) + 1) });
    await expect.poll(() => answers).toEqual([200]);
    await settled(page);
    await fill(page, { firstName: "Undervejs", comment: "38 skal" });
    await page.getByRole("link", { name: "Kladde", exact: true }).click();
    await expect(page).toHaveURL(/draft-visits/);
    await expect.poll(() => answers).toEqual([200, 200]);
    await page.goto(wizard);
    for (const name of ["Midtvejs", "Undervejs"])
      await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
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

  test("a session that expired within step 1 leaves the form as it is", async ({ portal }) => {
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
});

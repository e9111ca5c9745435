import type { Page } from "@playwright/test";
import { answerTo, expect, expectAccessible, press, type RunningPortal, settled, signInByHand, test } from "./portal";
import { installClock } from "./profiles";
import { arrived, MEGABYTE, onItsWay, picture, slowConnection } from "./upload-page";
import { aCpr, fill, valid, wizard } from "./wizard-page";

/** Signs somebody else in in another tab of the browser. */
async function signInBeside(portal: RunningPortal, page: Page, userName: string): Promise<void> {
  await page.context().addCookies(await (await portal.pageFor(userName)).context().cookies());
}

function nameOf(portal: RunningPortal, userName: string): Promise<string> {
  return portal.withDatabase(async (db) => {
    const user = await db
      .selectFrom("user")
      .select(["firstName", "lastName"])
      .where("userName", "=", userName)
      .executeTakeFirstOrThrow();
    return `${user.firstName} ${user.lastName}`;
  });
}

test.describe("without JavaScript, a form that another person opened", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === true, "with JavaScript the form stays where it is");

  async function sendOthers(portal: RunningPortal): Promise<Page> {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/change-password");
    await page.locator('[name="phone"]').fill("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    await press(page, "changeProfile");
    return page;
  }

  test("shows nothing typed, and gives it back after its opener's sign-in", async ({ portal }) => {
    const page = await sendOthers(portal);
    const [opener, present] = [await nameOf(portal, "ewinther"), await nameOf(portal, "tandlaege2")];
    await expect(page.getByText(`Formularen blev åbnet af ${opener}. Du er logget ind som ${present}.`)).toBeVisible();
    expect(await page.content()).not.toContain("10 22 33 44");
    await page.getByRole("button", { name: `Log ud, og log ind som ${opener}` }).click();
    await expect(page).toHaveURL(/\/login\?to=/);
    expect(await page.content()).not.toContain("10 22 33 44");
    await signInByHand(page, "ewinther");
    await expect(page).toHaveURL(/\/management\/change-password/);
    await expect(page.locator('[name="phone"]')).toHaveValue("10 22 33 44");
  });

  test("is not filled in by 'Back' for the next person, and is for its own", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    const phone = page.locator('[name="phone"]');
    const leaveAndReturn = async () => {
      await page.goto("/management/overview");
      await page.goBack();
      await expect(page).toHaveURL(/change-password/);
    };
    await page.goto("/management/change-password");
    await phone.fill("10 22 33 44");
    await leaveAndReturn();
    await expect(phone).toHaveValue("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    await leaveAndReturn();
    await expect(page.locator('[name="userName"]')).toHaveValue("tandlaege2");
    await expect(phone).not.toHaveValue("10 22 33 44");
  });

  test("gives it to nobody else who signs in then", async ({ portal }) => {
    const page = await sendOthers(portal);
    await press(page, "signOutForOpener");
    await signInByHand(page, "tandlaege2");
    await expect(page.locator('[name="userName"]')).toHaveValue("tandlaege2");
    await expect(page.locator('[name="phone"]')).not.toHaveValue("10 22 33 44");
  });

  test("stores nothing of it, keeps no file, and names the files to its opener alone", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/henvisning-tandlaeger");
    await page.locator('[name="firstName"]').fill("Ditlev-Åse");
    await page.locator('[name="journals"]').setInputFiles({
      name: "journal-ditlev.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("a;b\n"),
    });
    await signInBeside(portal, page, "tandlaege2");
    await press(page, "savePatient");
    await expect(page.getByText(/^Formularen blev åbnet af/)).toBeVisible();
    expect(await page.content()).not.toMatch(/Ditlev-Åse|journal-ditlev/);
    const stored = await portal.withDatabase(async (db) => ({
      referrals: await db.selectFrom("referral").select("id").where("firstName", "=", "Ditlev-Åse").execute(),
      files: await db.selectFrom("storedFile").select("id").where("fileName", "=", "journal-ditlev.csv").execute(),
    }));
    expect(stored).toEqual({ referrals: [], files: [] });
    await press(page, "signOutForOpener");
    await signInByHand(page, "ewinther");
    await expect(page.locator('[name="firstName"]')).toHaveValue("Ditlev-Åse");
    await expect(page.locator(".notice").filter({ hasText: "Vælg filen igen:" })).toContainText("journal-ditlev.csv");
  });

  test("shows nothing of a form either whose button is no more", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/change-password");
    const ticket = await page.locator('form:has([name="phone"]) [name="ticket"]').inputValue();
    await signInBeside(portal, page, "tandlaege2");
    const answer = await page.request.post("/management/change-password", {
      headers: { "sec-fetch-site": "same-origin" },
      form: { ticket, intent: "anIntentOfOlderDays", phone: "10 22 33 44" },
    });
    expect(answer.status()).toBe(409);
    expect(await answer.text()).not.toContain("10 22 33 44");
  });

  test("keeps no password", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/change-password");
    await page.locator('[name="currentPassword"]').last().fill("Hemmelig1234");
    await page.locator('[name="newPassword"]').fill("Hemmelig5678");
    await signInBeside(portal, page, "tandlaege2");
    await press(page, "changePassword");
    await press(page, "signOutForOpener");
    await signInByHand(page, "ewinther");
    await expect(page).toHaveURL(/\/management\/change-password/);
    await expect(page.locator('[name="newPassword"]')).toHaveValue("");
  });
});

test.describe("with JavaScript, a page that another person opened", () => {
  test.skip(
    ({ javaScriptEnabled }) => javaScriptEnabled !== true,
    "without JavaScript nothing on a page changes by itself",
  );

  const lock = (page: Page) => page.getByRole("main", { name: "Siden er låst" });

  /** Simulates returning to the window. */
  const comeBack = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event("focus")));

  test("a form that is sent stays as it was typed, locked until its person is back", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/change-password");
    await settled(page);
    await page.locator('[name="phone"]').fill("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    const answer = await answerTo(page, () => page.locator('button[value="changeProfile"]').click());
    expect(answer.status()).toBe(409);
    const [opener, present] = [await nameOf(portal, "ewinther"), await nameOf(portal, "tandlaege2")];
    await expect(lock(page)).toContainText(`Formularen blev åbnet af ${opener}. Du er logget ind som ${present}.`);
    await expect(page.locator('[name="phone"]')).toBeHidden();
    await expectAccessible(page);
    await signInBeside(portal, page, "ewinther");
    await comeBack(page);
    await expect(lock(page)).toHaveCount(0);
    await expect(page.locator('[name="phone"]')).toHaveValue("10 22 33 44");
    await press(page, "changeProfile");
    await expect(page.getByText("Dine brugerdata er gemt.").first()).toBeVisible();
  });

  test("the poll locks it, and whoever is signed in can load it as their own", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await installClock(page);
    await page.goto("/management/change-password");
    await settled(page);
    await page.locator('[name="phone"]').fill("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    await page.clock.fastForward(11_000);
    await expect(lock(page)).toBeVisible();
    for (const part of ["banner", "navigation", "contentinfo"] as const)
      await expect(page.getByRole(part)).toHaveCount(0);
    await page.getByRole("button", { name: `Hent siden som ${await nameOf(portal, "tandlaege2")}` }).click();
    await expect(page.locator('[name="userName"]')).toHaveValue("tandlaege2");
    await expect(page.locator('[name="phone"]')).not.toHaveValue("10 22 33 44");
  });

  test("a page that the browser brings back whole is locked at once", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await installClock(page);
    await page.goto("/management/change-password");
    await settled(page);
    await page.locator('[name="phone"]').fill("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    // Simulates Safari's page cache, which the test's browsers do not have.
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect(lock(page)).toBeVisible();
  });

  test("data that are read for another person never take the place of what was typed", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/change-password");
    await settled(page);
    await page.locator('[name="phone"]').fill("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    await page.evaluate(() => (window as unknown as RemixWindow).__remixRouter.revalidate());
    await expect(lock(page)).toBeVisible();
    await expect(page.locator('[name="userName"]')).toHaveValue("ewinther");
    await signInBeside(portal, page, "ewinther");
    await comeBack(page);
    await settled(page);
    await expect(page.locator('[name="phone"]')).toHaveValue("10 22 33 44");
    await expect(page.locator('[name="userName"]')).toHaveValue("ewinther");
  });

  test("autosave keeps nothing for another person, nor runs while the page is locked", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await installClock(page);
    await page.goto(wizard);
    await settled(page);
    const formKey = await page.locator("#patient-form input[name=formKey]").inputValue();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.postData()?.includes("intent=saveAutosave")) asked.push(request.url());
    });
    const answered = page.waitForResponse((answer) =>
      Boolean(answer.request().postData()?.includes("intent=saveAutosave")),
    );
    // Whichever request is answered first locks the page; here it is the autosave.
    await page.route("**/management/konto*", async (route) => {
      await answered;
      await route.fallback();
    });
    await signInBeside(portal, page, "tandlaege2");
    await fill(page, { ...aCpr(), ...valid });
    expect((await answered).status()).toBe(409);
    await expect(lock(page)).toBeVisible();
    expect(await autosaversOf(portal, formKey)).toEqual([]);
    // Longer than the retry interval.
    await page.clock.fastForward(12_000);
    await page.evaluate(() => fetch("/management/konto"));
    expect(asked).toHaveLength(1);
    await signInBeside(portal, page, "ewinther");
    await comeBack(page);
    await expect(lock(page)).toHaveCount(0);
    await expect(page.locator('[name="desiredTreatment"]')).toHaveValue(valid.desiredTreatment);
    await page.clock.fastForward(12_000);
    await expect.poll(() => autosaversOf(portal, formKey)).toEqual(["ewinther"]);
  });

  test("an upload is begun for its person alone, and waits for them", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto(wizard);
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await signInBeside(portal, page, "tandlaege2");
    const begun = page.waitForResponse((response) => response.url().endsWith("/management/uploads"));
    await page.locator("#billeder").setInputFiles([picture("fremmed.bmp")]);
    expect((await begun).status()).toBe(409);
    await expect(lock(page)).toBeVisible();
    expect(await uploadsOf(portal, "fremmed.bmp")).toEqual([]);
    await signInBeside(portal, page, "ewinther");
    await comeBack(page);
    await expect(arrived(page, "fremmed.bmp").or(page.getByText("fremmed.bmp")).first()).toBeVisible();
    await expect.poll(() => uploadsOf(portal, "fremmed.bmp")).toEqual(["ewinther"]);
  });

  test("an upload that is under way waits until its person is back, and arrives then", async ({ portal }) => {
    const page = await portal.pageFor("ewinther");
    await page.goto(wizard);
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    const connection = await slowConnection(page, MEGABYTE / 4);
    await page.locator("#billeder").setInputFiles([picture("halvt.bmp", 3)]);
    await expect(onItsWay(page, "halvt.bmp")).toHaveAttribute("data-upload-state", "sending");
    await signInBeside(portal, page, "tandlaege2");
    await comeBack(page);
    await expect(lock(page)).toBeVisible();
    await expect(onItsWay(page, "halvt.bmp")).toHaveAttribute("data-upload-state", "waiting");
    await connection.mend();
    await signInBeside(portal, page, "ewinther");
    await comeBack(page);
    await expect(arrived(page, "halvt.bmp").or(page.getByText("halvt.bmp")).first()).toBeVisible();
    await expect(onItsWay(page, "halvt.bmp")).toHaveCount(0, { timeout: 15_000 });
  });
});

interface RemixWindow {
  __remixRouter: { revalidate(): void };
}

/** Owners of the form's autosaved copies. */
const autosaversOf = (portal: RunningPortal, formKey: string): Promise<string[]> =>
  portal.withDatabase(async (db) => {
    const rows = await db
      .selectFrom("autosave")
      .innerJoin("user", "user.id", "autosave.userId")
      .select("user.userName")
      .where("autosave.formKey", "=", formKey)
      .execute();
    return rows.map(({ userName }) => userName);
  });

/** Owners of uploads with this name. */
const uploadsOf = (portal: RunningPortal, fileName: string): Promise<string[]> =>
  portal.withDatabase(async (db) => {
    const rows = await db
      .selectFrom("partialUpload")
      .innerJoin("user", "user.id", "partialUpload.ownerId")
      .select("user.userName")
      .where("partialUpload.fileName", "=", fileName)
      .execute();
    return rows.map(({ userName }) => userName);
  });

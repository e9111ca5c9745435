import type { Page } from "@playwright/test";
import { expect, press, type RunningPortal, signInByHand, test } from "./portal";

/** Somebody else signs in in another tab of the page's browser. */
async function signInBeside(portal: RunningPortal, page: Page, userName: string): Promise<void> {
  await page.context().addCookies(await (await portal.pageFor(userName)).context().cookies());
}

function nameOf(portal: RunningPortal, userName: string): Promise<string> {
  return portal.withDatabase(async (db) => {
    const user = await db
      .selectFrom("user")
      .select(["first_name", "last_name"])
      .where("user_name", "=", userName)
      .executeTakeFirstOrThrow();
    return `${user.first_name} ${user.last_name}`;
  });
}

test.describe("without JavaScript, a form that another person opened", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === true, "with JavaScript the form stays where it is");

  /** Ewinther has typed a telephone number, tandlaege2 sends it. */
  async function sendOthers(portal: RunningPortal): Promise<Page> {
    const page = await portal.pageFor("ewinther");
    await page.goto("/management/change-password");
    await page.locator('[name="phone"]').fill("10 22 33 44");
    await signInBeside(portal, page, "tandlaege2");
    await press(page, "changeProfile");
    return page;
  }

  test("shows nothing that was typed, and gives it back to its opener after their sign-in", async ({ portal }) => {
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
      referrals: await db.selectFrom("referral").select("id").where("first_name", "=", "Ditlev-Åse").execute(),
      files: await db.selectFrom("stored_file").select("id").where("file_name", "=", "journal-ditlev.csv").execute(),
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

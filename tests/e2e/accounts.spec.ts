import { issueToken } from "../../app/features/accounts/token-store.server";
import { expect, expireSession, press, settled, test } from "./portal";
import { installClock } from "./profiles";

async function signInByHand(page: import("@playwright/test").Page, userName: string, password: string): Promise<void> {
  await page.locator('[name="userName"]').fill(userName);
  await page.locator('[name="password"]').fill(password);
  await press(page, "signIn");
}

test("sign-in reports a wrong password and keeps the name; the right one leads to the overview", async ({ portal }) => {
  const page = await portal.pageFor(null);
  await page.goto("/login?userName=sekretaer");
  await expect(page.locator('[name="userName"]')).toHaveValue("sekretaer");
  await signInByHand(page, "sekretaer", "Forkert123");
  await expect(page.getByRole("alert")).toContainText("Kontoen blev ikke fundet, eller adgangskoden er ikke korrekt.");
  await expect(page.locator('[name="userName"]')).toHaveValue("sekretaer");
  await expect(page.locator('[name="password"]')).toHaveValue("");
  await signInByHand(page, "sekretaer", "Demo1234");
  await expect(page).toHaveURL(/\/management\/overview$/);
  await expect(page.getByRole("heading", { name: "Oversigt over henvisninger" })).toBeVisible();
  await press(page, "signOut");
  await expect(page).toHaveURL(/\/login$/);
  await page.goto("/management/overview");
  await expect(page).toHaveURL(/\/login\?to=/);
});

test("the mailed link sets a new password once", async ({ portal }) => {
  const page = await portal.pageFor(null);
  await page.goto("/login?glemt=1");
  await expect(page).toHaveTitle(/Glemt adgangskode$/);
  await page.locator('[name="userName"]').fill("findes-ikke");
  await press(page, "forgotPassword");
  await expect(page.getByText("Profilen/e-mailen findes ikke eller er inaktiv.")).toBeVisible();
  await page.locator('[name="userName"]').fill("zyilmaz");
  await press(page, "forgotPassword");
  await expect(page.getByText("Vi har sendt en mail")).toBeVisible();

  // The worker sends it from the outbox within a second or two; the mailbox stands in for SMTP.
  const link = page.getByRole("link", { name: "Vælg ny adgangskode" });
  await expect(async () => {
    await page.goto("/dev/outbox");
    await expect(link.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  const address = (await link.first().getAttribute("href"))!;
  await page.goto(address);
  await page.locator('[name="newPassword"]').fill("kort");
  await page.locator('[name="repeatPassword"]').fill("kort2");
  await press(page, "resetPassword");
  await expect(page.getByText("Adgangskoden skal have mindst 7 tegn.")).toBeVisible();
  await page.locator('[name="newPassword"]').fill("Vinterbad 2027!");
  await page.locator('[name="repeatPassword"]').fill("Vinterbad 2027!");
  await press(page, "resetPassword");
  await expect(page.getByText("Din adgangskode er blevet ændret. Log ind med den nye.")).toBeVisible();
  await signInByHand(page, "zyilmaz", "Vinterbad 2027!");
  await expect(page).toHaveURL(/\/management\/overview$/);

  // Used up; and cut off by a mail program.
  for (const broken of [address, "/change-password"]) {
    await page.goto(broken);
    await page.locator('[name="newPassword"]').fill("Sommerbad 2027!");
    await page.locator('[name="repeatPassword"]').fill("Sommerbad 2027!");
    await press(page, "resetPassword");
    await expect(page.getByText("Linket er brugt eller udløbet.")).toBeVisible();
  }
});

test("reports a new password that is too simple once, at its field", async ({ portal }) => {
  const page = await portal.pageFor(null);
  const token = await portal.withDatabase(async (db) => {
    const { id } = await db
      .selectFrom("user")
      .select("id")
      .where("user_name_norm", "=", "tandlaege")
      .executeTakeFirstOrThrow();
    return issueToken(db, { purpose: "passwordReset", userId: id, now: new Date(), minutes: 10 });
  });
  await page.goto(`/change-password?userName=tandlaege&token=${token}`);
  await page.locator('[name="newPassword"]').fill("Password1");
  await page.locator('[name="repeatPassword"]').fill("Password1");
  await press(page, "resetPassword");
  await expect(page.getByText("Adgangskoden er for enkel.")).toHaveCount(1);
});

test("the sign-in page redirects somebody who is signed in to the link's page", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/login?to=%2Fmanagement%2Fdraft-visits");
  await expect(page).toHaveURL(/\/management\/draft-visits$/);
});

test("the profile form reports a taken user name and keeps what was typed", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("ktoft");
  await page.goto("/management/change-password");
  await page.locator('[name="userName"]').fill("tandlaege");
  await page.locator('[name="phone"]').fill("10 22 33 44");
  await press(page, "changeProfile");
  await expect(
    page.getByText("Skriv din nuværende adgangskode for at ændre brugernavn eller e-mail.").first(),
  ).toBeVisible();
  await expect(page.locator('[name="userName"]')).toHaveValue("tandlaege");
  await page.locator("#changeProfile-currentPassword").fill("Demo1234");
  await press(page, "changeProfile");
  await expect(page.getByText("Brugernavn allerede taget.").first()).toBeVisible();
  await expect(page.locator('[name="phone"]')).toHaveValue("10 22 33 44");
  await page.locator('[name="userName"]').fill("ktoft");
  await press(page, "changeProfile");
  await expect(page.getByText("Dine brugerdata er gemt.")).toBeVisible();
  if (javaScriptEnabled) {
    const button = page.locator('button[value="changeProfile"]');
    await expect(button).toHaveAttribute("data-state", "success");
    await page.locator('[name="phone"]').press("End");
    await page.locator('[name="phone"]').pressSequentially(" ");
    await expect(button).not.toHaveAttribute("data-state", "success");
  }
  await page.reload();
  await expect(page.locator('[name="phone"]')).toHaveValue("10 22 33 44");
});

test("a changed password ends the other sessions and keeps this one", async ({ portal }) => {
  const [page, elsewhere] = [await portal.pageFor("vkrogh"), await portal.pageFor("vkrogh")];
  await page.goto("/management/change-password");
  const fields = { currentPassword: "Demo1234", newPassword: "Efterårsblad 42", repeatPassword: "Efterårsblad 42" };
  for (const [name, value] of Object.entries(fields)) await page.locator(`#changePassword-${name}`).fill(value);
  await press(page, "changePassword");
  await expect(page.getByText("Din adgangskode er blevet ændret")).toBeVisible();
  await page.getByRole("link", { name: "ÆNDRE PASSWORD" }).click();
  await expect(page.locator("#changePassword-currentPassword")).toBeVisible();
  await elsewhere.goto("/management/overview");
  await expect(elsewhere).toHaveURL(/\/login/);
});

test("reports passwords that differ: with JavaScript before the button is enabled, without it from the server", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege2");
  await page.goto("/management/change-password");
  const button = page.locator('button[value="changePassword"]');
  const differ = page.getByText("Passwords matcher ikke");
  await page.locator("#changePassword-currentPassword").fill("Demo1234");
  await page.locator('[name="newPassword"]').fill("Vinterbad 2027!");
  if (javaScriptEnabled) {
    await expect(button).toBeDisabled();
    await page.locator('[name="repeatPassword"]').pressSequentially("Vinter");
    await expect(differ).toHaveCount(0);
    await page.keyboard.press("Tab");
    await expect(differ).toBeVisible();
    await page.locator('[name="repeatPassword"]').fill("Vinterbad 2027!");
    await expect(differ).toHaveCount(0);
    await expect(button).toBeEnabled();
    return;
  }
  await page.locator('[name="repeatPassword"]').fill("Noget andet 1");
  await press(page, "changePassword");
  await expect(differ.first()).toBeVisible();
});

test("a form whose session expired keeps everything typed", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("ewinther");
  await page.goto("/management/change-password");
  await page.locator('[name="phone"]').fill("10 55 66 77");
  await expireSession(portal, page);
  await press(page, "changeProfile");
  if (javaScriptEnabled) {
    await expect(page.getByText("Du er ikke logget ind. Log ind, og prøv igen.").first()).toBeVisible();
    await expect(page.locator('[name="phone"]')).toHaveValue("10 55 66 77");
    return;
  }
  await expect(page.getByText("Du er blevet logget ud. Log ind igen, så får du det, du skrev, tilbage.")).toBeVisible();
  await signInByHand(page, "ewinther", "Demo1234");
  await expect(page).toHaveURL(/\/management\/change-password/);
  await expect(page.locator('[name="phone"]')).toHaveValue("10 55 66 77");
});

test("a form whose session expired is restored and names the files to choose again", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled, "with JavaScript the form stays where it is, files and all");
  const page = await portal.pageFor("ewinther");
  await page.goto("/management/henvisning-tandlaeger");
  await page.locator('[name="firstName"]').fill("Åse");
  // Longer than what a form that is sealed may hold: its fields come before its files, and are read alone.
  await page.locator('[name="journals"]').setInputFiles(
    ["journal.csv", "epikrise.csv"].map((name) => ({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from("a;b\n".repeat(100_000)),
    })),
  );
  await expireSession(portal, page);
  await press(page, "savePatient");
  await signInByHand(page, "ewinther", "Demo1234");
  await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
  await expect(page.locator(".notice").filter({ hasText: "Vælg filerne igen:" })).toContainText(
    "journal.csv, epikrise.csv",
  );
  await page.reload();
  await expect(page.getByText("Vælg filerne igen:")).toHaveCount(0);
});

test("a page reports by itself that its session ended, and removes the notice after a sign-in in another window", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "without JavaScript there is no polling");
  const page = await portal.pageFor("kirurg");
  await installClock(page);
  await page.goto("/management/draft-visits");
  await settled(page);
  const notice = page.getByText("Du er logget ud.");
  await expireSession(portal, page);
  await page.clock.fastForward(11_000);
  await expect(notice).toBeVisible();
  await page.context().addCookies(await (await portal.pageFor("kirurg")).context().cookies());
  await page.clock.fastForward(11_000);
  await expect(notice).toHaveCount(0);
});

test("another person who signs in at the same browser never sees what the former person typed", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled, "with JavaScript the form stays where it is");
  const page = await portal.pageFor("ewinther");
  await page.goto("/management/change-password");
  await page.locator('[name="phone"]').fill("10 99 88 77");
  await expireSession(portal, page);
  await press(page, "changeProfile");
  await signInByHand(page, "tandlaege2", "Demo1234");
  await expect(page).toHaveURL(/\/management\/change-password/);
  await expect(page.locator('[name="userName"]')).toHaveValue("tandlaege2");
  await expect(page.locator('[name="phone"]')).not.toHaveValue("10 99 88 77");
});

test("new conditions in the middle of a form keep everything typed", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/henvisning-tandlaeger");
  const typed = {
    cpr6: "670173",
    cpr4: "1251",
    firstName: "Åse",
    lastName: "Kjær",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "Fjernelse af 18.",
  };
  for (const [name, value] of Object.entries(typed)) await page.locator(`[name="${name}"]`).fill(value);
  const staff = await portal.pageFor("admin");
  await staff.goto("/management/settings/tekster/conditions");
  await expect(staff.getByText("skal alle henvisere og tandlægesekretærer acceptere")).toBeVisible();
  await staff.getByLabel("Tekst", { exact: true }).fill("Nye betingelser\n\nFra i dag.");
  if (!javaScriptEnabled) await press(staff, "previewPortalText");
  await expect(staff.getByRole("region", { name: "Sådan ser den ud" })).toContainText("Fra i dag.");
  const last = Number(await staff.locator('[name="seenVersion"]').inputValue());
  await press(staff, "savePortalText");
  try {
    await expect(staff.getByText(`Teksten er gemt som version ${last + 1}.`).first()).toBeVisible();
    await press(page, "savePatient");
    if (javaScriptEnabled) {
      await expect(page.getByText("Der er nye betingelser.").first()).toBeVisible();
      const [terms] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: "Læs og acceptér dem i et nyt vindue" }).click(),
      ]);
      await press(terms, "acceptConditions");
    } else {
      await expect(page.getByText("Nye betingelser")).toBeVisible();
      await press(page, "acceptConditions");
    }
    await expect(page.locator('[name="desiredTreatment"]')).toHaveValue("Fjernelse af 18.");
    await press(page, "savePatient");
    await expect(page).toHaveURL(/trin=3/);
  } finally {
    await portal.withDatabase((db) =>
      db.deleteFrom("portal_text").where("kind", "=", "conditions").where("version", ">", last).execute(),
    );
  }
});

test("the edition without JavaScript has no script, and everything still works", async ({ portal }) => {
  const page = await portal.pageFor("bdahl");
  await page.goto("/management/overview");
  await press(page, "lightEdition");
  await expect(page).toHaveURL(/\/management\/overview/);
  await expect(page.locator("script")).toHaveCount(0);
  await page.goto("/management/henvisning-tandlaeger");
  await press(page, "savePatient");
  await expect(page.getByText("Skriv patientens fornavn.").first()).toBeVisible();
  await page.locator('[name="firstName"]').fill("Åse");
  await page
    .locator('[name="journals"]')
    .setInputFiles({ name: "journal.csv", mimeType: "text/csv", buffer: Buffer.from("a;b\n") });
  await press(page, "fullEdition");
  for (const [edition, scripts] of [
    ["lightEdition", true],
    ["fullEdition", false],
  ] as const) {
    await expect(page.locator('[name="firstName"]'), "what was typed goes along").toHaveValue("Åse");
    expect((await page.locator("script").count()) > 0).toBe(scripts);
    if (edition === "lightEdition")
      await expect(page.locator(".notice").filter({ hasText: "Vælg filen igen:" })).toContainText("journal.csv");
    await press(page, edition);
  }
  await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
});

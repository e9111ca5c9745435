import { issueToken } from "../../app/features/accounts/access-token-store.server";
import { expect, press, signInByHand, test } from "./portal";

test.use({ matrix: "with script" });

test("a wrong password is reported and keeps the name; the right one signs in", async ({ portal }) => {
  const page = await portal.pageFor(null);
  await page.goto("/login?userName=sekretaer");
  await expect(page.locator('[name="userName"]')).toHaveValue("sekretaer");
  await signInByHand(page, "sekretaer", "Forkert123");
  await expect(page.getByRole("alert")).toContainText("Kontoen blev ikke fundet, eller adgangskoden er ikke korrekt.");
  await expect(page.locator('[name="userName"]')).toHaveValue("sekretaer");
  await expect(page.locator('[name="password"]')).toHaveValue("");
  await signInByHand(page, "sekretaer");
  await expect(page).toHaveURL(/\/management\/overview$/);
  await expect(page.getByRole("heading", { name: "Oversigt over henvisninger" })).toBeVisible();
  await press(page, "signOut");
  await expect(page).toHaveURL(/\/login$/);
  await page.goto("/management/overview");
  await expect(page).toHaveURL(/\/login\?to=/);
});

test("one press on the demo's door signs in as that person", async ({ portal }) => {
  const page = await portal.pageFor(null);
  await page.goto("/login");
  await page.getByText("Prøv CPR 251248-9996 i Henvis").click();
  await expect(page.getByText("021122-3989 Åge Test Berggren")).toBeVisible();
  await page.getByRole("button", { name: "Tandlæge Mette Kjærgaard" }).click();
  await expect(page).toHaveURL(/\/management\/overview$/);
  await expect(page.getByText("Mette Kjærgaard").first()).toBeVisible();
});

test("the trial outbox has a tab for each way of sending", async ({ portal }) => {
  const page = await portal.pageFor(null);
  await page.goto("/dev/outbox");
  for (const tab of ["SMS", "Mail", "e-Boks", "Brev", "Andet", "Alle"]) {
    await page.getByRole("link", { name: tab, exact: true }).click();
    await expect(page.locator(".ob-tabs [aria-current]")).toHaveText(tab);
  }
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

  // The worker sends it within seconds; the local mailbox replaces SMTP.
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
      .where("userNameNorm", "=", "tandlaege")
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

test("reports passwords that differ, by script or by the server", async ({ portal, javaScriptEnabled }) => {
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

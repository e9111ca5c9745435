import type { Page } from "@playwright/test";
import { findByUserName, insertUser } from "../../app/features/accounts/store.server";
import { hashPassword } from "../../app/features/accounts/passwords.server";
import { oneTimeCode } from "../support/one-time-code";
import { expect, expectAccessible, press, type RunningPortal, signInByHand, test } from "./portal";

test.use({ matrix: "with script" });

const PASSWORD = "Hvidtjoern7Kost";
let count = 0;

/** A new member of staff, since a second factor stays with its account. */
async function staffMember(portal: RunningPortal): Promise<string> {
  const userName = `totrin${process.pid}-${(count += 1)}`;
  const passwordHash = await hashPassword(PASSWORD);
  await portal.withDatabase((db) =>
    insertUser(
      db,
      {
        userName,
        firstName: "Tove",
        lastName: "Trin",
        email: `${userName}@eksempel.dk`,
        passwordHash,
        roles: ["Admin"],
        clinicIds: [],
        creatorId: null,
      },
      new Date(),
    ),
  );
  return userName;
}

async function signIn(page: Page, userName: string): Promise<void> {
  await page.goto("/login?to=%2Fmanagement%2Fsms");
  await signInByHand(page, userName, PASSWORD);
}

/** The authenticator's code, treating the used one as older, so that the test need not wait for the next step. */
async function unusedCode(portal: RunningPortal, userName: string, secret: string): Promise<string> {
  await portal.withDatabase(async (db) => {
    const { id } = (await findByUserName(db, userName))!;
    await db.updateTable("secondFactor").set({ lastStep: 1 }).where("userId", "=", id).execute();
  });
  return oneTimeCode(secret, new Date());
}

async function fillPassword(page: Page, intent: string): Promise<void> {
  await page.locator(`[id^="${intent}-"][name="currentPassword"]`).fill(PASSWORD);
  await press(page, intent);
}

test("staff set up a second factor, use codes, and a colleague resets it", async ({ portal, javaScriptEnabled }) => {
  const userName = await staffMember(portal);
  const own = await portal.pageFor(userName);
  await own.goto("/management/change-password");
  await own.getByRole("link", { name: "Sikkerhed" }).click();
  await expect(own.getByText("Denne session")).toBeVisible();
  await press(own, "beginSecondFactor");
  await expect(own.getByText("Skriv din adgangskode.").first()).toBeVisible();
  await fillPassword(own, "beginSecondFactor");
  await expect(own.getByRole("img", { name: "QR-kode til din kode-app" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(own);
  const secret = (await own.locator("#totp-key").innerText()).replace(/\s/g, "");
  await own.getByLabel("Engangskode").fill("000000");
  await press(own, "checkSecondFactor");
  await expect(own.getByText("Koden er ikke rigtig. Skriv den, der står i appen nu.").first()).toBeVisible();
  await own.getByLabel("Engangskode").fill(oneTimeCode(secret, new Date()));
  await press(own, "checkSecondFactor");
  await expect(own.getByText("De vises kun nu.")).toBeVisible();
  const codes = await own.locator("main ol li").allInnerTexts();
  expect(codes).toHaveLength(10);
  const [file] = await Promise.all([own.waitForEvent("download"), own.getByRole("link", { name: "Hent" }).click()]);
  expect(file.suggestedFilename()).toBe("gendannelseskoder.txt");
  if (javaScriptEnabled) await expectAccessible(own);
  await press(own, "activateSecondFactor");
  await expect(own.getByText("Totrinslogin er slået til.").first()).toBeVisible();
  await expect(own.getByText("10 gendannelseskoder tilbage")).toBeVisible();
  await own.reload();
  await expect(own.getByText(codes[0]!)).toHaveCount(0);

  const page = await portal.pageFor(null);
  await signIn(page, userName);
  await expect(page.getByRole("heading", { name: "Bekræft, at det er dig" })).toBeVisible();
  expect(await page.locator("script").count()).toBe(0);
  if (javaScriptEnabled) await expectAccessible(page);
  await expect(page.getByLabel("Engangskode")).toBeFocused();
  await page.getByLabel("Engangskode").fill("000000");
  await press(page, "confirmSignIn");
  await expect(page.getByText("Koden er ikke rigtig. Skriv den, der står i appen nu.")).toBeVisible();
  await page.getByLabel("Engangskode").fill(await unusedCode(portal, userName, secret));
  await press(page, "confirmSignIn");
  await expect(page).toHaveURL(/\/management\/sms/);

  const other = await portal.pageFor(null);
  await signIn(other, userName);
  await other.getByText("Har du ikke telefonen? Brug en gendannelseskode").click();
  await other.getByLabel("Gendannelseskode").fill(codes[0]!);
  await other.getByRole("button", { name: "Log ind med gendannelseskode" }).click();
  await expect(other.getByText(/Der er 9 koder tilbage/).first()).toBeVisible();

  await own.goto("/management/change-password/sikkerhed");
  await own
    .getByRole("link", { name: /^Log ud her/ })
    .first()
    .click();
  await fillPassword(own, "endOwnSession");
  await expect(own.getByText("Du er logget ud der.").first()).toBeVisible();

  const admin = await portal.pageFor("admin");
  const id = await portal.withDatabase(async (db) => (await findByUserName(db, userName))!.id);
  await admin.goto(`/management/users?aaben=${id}`);
  await admin.locator("summary", { hasText: "Nulstil totrinslogin" }).click();
  await admin.locator("#resetUserSecondFactor-currentPassword").fill("Demo1234");
  await press(admin, "resetUserSecondFactor");
  await expect(admin.getByText("Totrinslogin er nulstillet for Tove Trin.").first()).toBeVisible();
  await own.goto("/management/overview");
  await expect(own).toHaveURL(/\/login/);
  const again = await portal.pageFor(null);
  await signIn(again, userName);
  await expect(again).toHaveURL(/\/management\/sms/);
});

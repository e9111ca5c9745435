import { expect, press, test } from "./portal";

test.use({ matrix: "with script" });

test("staff send themselves a mail and an SMS, and answer the SMS", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/change-password");
  const tests = page.getByRole("region", { name: "Send en prøve til mig" });
  await expect(tests.getByText("SMS: beskeder gemmes på denne maskine og sendes ikke.")).toBeVisible();
  await page.locator('[name="mobilePhone"]').fill("ring til mig");
  await press(page, "sendTestSms");
  await expect(tests.getByText("Skriv et mobilnummer, fx 40 12 34 56 eller +45 40 12 34 56.").first()).toBeVisible();
  await expect(page.locator('[name="mobilePhone"]')).toHaveValue("ring til mig");
  await page.locator('[name="mobilePhone"]').fill("40 12 34 56");
  await press(page, "sendTestSms");
  const lines = tests.getByRole("list", { name: "Dine prøver" }).getByRole("listitem");
  await expect(lines.first()).toContainText("SMS til +4540123456");
  await press(page, "sendTestEmail");
  await expect(lines).toHaveCount(2);
  await expect(async () => {
    await tests.getByRole("link", { name: "Opdatér" }).click();
    await expect(lines.filter({ hasText: "Prøve: gemt på denne maskine, ikke sendt" })).toHaveCount(2, {
      timeout: 500,
    });
  }).toPass();
  await expect(page.locator('[name="mobilePhone"]')).toHaveValue("40 12 34 56");

  await page.goto("/dev/outbox");
  const sms = page.getByRole("article").filter({ hasText: "SMS til +4540123456" }).first();
  await expect(sms).toContainText("Prøve: gemt på denne maskine, ikke sendt");
  await sms.getByLabel("Svar som modtager").fill("Det virker");
  await sms.getByRole("button", { name: "Svar" }).click();
  await expect(sms).toContainText("Det virker");
});

test("a dentist does not see that part of the page", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/change-password");
  await expect(page.getByRole("heading", { name: "Din profil" })).toBeVisible();
  await expect(page.getByText("SEND EN PRØVE TIL MIG")).toHaveCount(0);
});

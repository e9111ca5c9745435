import { expect, expectAccessible, press, test } from "./portal";

test.use({ matrix: "with script" });

const settings = "/management/settings/api-noegler";

test("a key is made with the password, shown once, works, and is revoked", async ({ portal, javaScriptEnabled }) => {
  await portal.withDatabase((db) => db.deleteFrom("apiKey").execute());
  const page = await portal.pageFor("admin");
  await page.goto(settings);
  await expect(page.getByText("Der er ingen nøgler endnu.")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByRole("textbox", { name: "Navn", exact: true }).fill("Journalsystem");
  await page.getByLabel("Kun fra disse adresser").fill("hjemme");
  await press(page, "createApiKey");
  await expect(page.getByText("Vælg mindst én ting, som nøglen må.").first()).toBeVisible();
  await expect(page.getByText(/Skriv IP-adresser eller netværk/).first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Navn", exact: true })).toHaveValue("Journalsystem");
  await page.getByLabel(/^Læse henvisninger/).check();
  await page.getByLabel("Kun fra disse adresser").fill("127.0.0.0/8\n::1");
  await page.getByLabel("Din adgangskode").fill("Demo1234");
  await press(page, "createApiKey");

  const key = page.getByLabel("API-nøgle", { exact: true });
  await expect(key).toHaveValue(/^hp_[\w-]{43}$/);
  const token = await key.inputValue();
  await expect(page.getByText("Den vises kun denne ene gang.")).toBeVisible();
  await expect(page.getByRole("row", { name: /Journalsystem/ })).toContainText("Aktiv");
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height });
  const isWhole = await key.evaluate(
    (field) => field.scrollWidth <= field.clientWidth && field.scrollHeight <= field.clientHeight,
  );
  expect(isWhole, "the whole key is seen on a phone").toBe(true);
  await page.setViewportSize({ width, height });
  if (javaScriptEnabled) {
    await expect(page.getByRole("heading", { name: "Nøglen »Journalsystem« er oprettet" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Kopiér" })).toBeVisible();
    await expectAccessible(page);
  }
  const call = async () => {
    const answer = await fetch(`${portal.origin}/api/Visits?PageSize=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.status;
  };
  expect(await call()).toBe(200);
  await page.getByRole("link", { name: "Jeg har gemt nøglen" }).click();
  await expect(key).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Journalsystem/ })).toContainText("Aktiv");
  expect(await page.content()).not.toContain(token);

  await page.getByRole("link", { name: "Tilbagekald: Journalsystem" }).click();
  const question = page.getByRole("dialog", { name: "Tilbagekald »Journalsystem«?" });
  await expect(question).toContainText("bliver afvist fra næste kald");
  expect(await call()).toBe(200);
  await question.getByRole("button", { name: "Tilbagekald nøglen" }).click();
  await expect(page.getByText("Nøglen »Journalsystem« er tilbagekaldt.").first()).toBeVisible();
  await expect(page.getByRole("row", { name: /Journalsystem/ })).toContainText("Tilbagekaldt");
  expect(await call()).toBe(401);
});

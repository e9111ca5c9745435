import { type Page } from "@playwright/test";
import { expect, expectAccessible, press, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

const picture = () => ({
  name: "panorama.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
});

const line = (page: Page, label: string) => page.locator("#materiale li").filter({ hasText: label });

async function unfold(page: Page, label: string, title: string) {
  await line(page, label).locator("summary", { hasText: title }).click();
}

test("what is missing is asked for and answered until the referral returns", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist);
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await staff.getByRole("link", { name: "Afventer materiale" }).click();
  const form = staff.getByRole("form").or(staff.locator("#ret-materiale form")).first();
  await press(staff, "askForMaterial");
  await expect(staff.locator("#materiale")).toContainText("Vælg mindst én ting.");
  for (const label of ["Panoramaoptagelse", "Medicinliste", "Andet"])
    await form.getByLabel(label, { exact: true }).check();
  await form.getByLabel("Besked til henviseren").fill("Panoramaet er fra 2019.");
  await press(staff, "askForMaterial");
  await expect(staff.locator("#materiale")).toContainText("Skriv, hvad der mangler.");
  await expect(form.getByLabel("Medicinliste", { exact: true })).toBeChecked();
  await form.getByLabel("Andet, som mangler").fill("Tandkort");
  if (javaScriptEnabled) await expectAccessible(staff);
  await press(staff, "askForMaterial");
  await expect(staff.getByRole("heading", { name: "Mangler 3 ting" })).toBeVisible();
  await expect(staff.getByRole("link", { name: /^Til oversigten|^Næste/ })).toBeFocused();

  await dentist.goto("/management/overview");
  await expect(dentist.locator(`#r${id}`)).toContainText("Mangler 3 ting");
  await dentist.goto(`/management/overview/${id}`);
  await expect(dentist.locator("#materiale")).toContainText("Panoramaet er fra 2019.");
  if (javaScriptEnabled) await expectAccessible(dentist);
  await dentist.setViewportSize({ width: 320, height: 640 });
  expect(await dentist.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await dentist.setViewportSize({ width: 1280, height: 800 });

  await line(dentist, "Panoramaoptagelse")
    .getByRole("link", { name: /^Upload billeder/ })
    .click();
  await expect(dentist.getByRole("dialog")).toContainText("Panoramaoptagelse");
  if (javaScriptEnabled) await expect(dentist.locator("[data-uploads=ready]")).toBeVisible();
  await dentist.locator("#uploadImages-radiographs").setInputFiles(picture());
  if (!javaScriptEnabled) await press(dentist, "addRadiographs");
  await expect(dentist.locator(".upload-dialog")).toContainText(javaScriptEnabled ? "Overført" : "panorama.png");
  await dentist.getByRole("link", { name: "Luk" }).last().click();
  await expect(line(dentist, "Panoramaoptagelse")).toContainText("panorama.png");

  await unfold(dentist, "Medicinliste", "Upload dokument");
  const documents = dentist.getByRole("form", { name: "Dokument: Medicinliste" });
  await documents.locator("[name=journals]").setInputFiles({
    name: "medicin.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("navn;dosis\nParacetamol;1 g\n"),
  });
  await documents.getByRole("button", { name: "Upload" }).click();
  await expect(line(dentist, "Medicinliste")).toContainText("medicin.csv");
  await expect(dentist.getByRole("heading", { name: "Mangler 1 ting" })).toBeVisible();

  await unfold(dentist, "Tandkort", "Har vi ikke");
  const none = dentist.getByRole("form", { name: "Findes ikke: Tandkort" });
  await none.getByRole("button").click();
  await expect(none).toContainText("Skriv kort hvorfor");
  await none.getByLabel("Hvorfor?").fill("Er makuleret");
  await none.getByRole("button").click();
  await expect(dentist.getByRole("heading", { name: /^Materiale modtaget/ })).toBeVisible();

  await staff.goto("/management/overview?f=s0&sort=8");
  await expect(staff.locator(`#r${id}`)).toContainText("Materiale modtaget");
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.getByRole("heading", { name: /^Materiale modtaget/ })).toBeVisible();
  await expect(line(staff, "Tandkort")).toContainText("Findes ikke: Er makuleret");
  await expect(staff.locator("#filer")).toContainText("medicin.csv");
});

test("the list is changed, withdrawn, and restored with 'Fortryd'", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}?ret=materiale`);
  await staff.getByLabel("CBCT", { exact: true }).check();
  await press(staff, "askForMaterial");
  await staff.getByRole("link", { name: "Ret listen over, hvad der mangler" }).click();
  await expect(staff.getByLabel("CBCT", { exact: true })).toBeChecked();
  await staff.getByLabel("Journal", { exact: true }).check();
  await press(staff, "askForMaterial");
  await expect(staff.getByRole("heading", { name: "Mangler 2 ting" })).toBeVisible();
  await staff.getByRole("button", { name: "Træk tilbage" }).click();
  await expect(staff.getByText(`Nr. ${id} er nu Afventer visitering.`)).toBeAttached();
  await expect(staff.locator("#materiale")).toHaveCount(0);
  await press(staff, "undoStatuses");
  await expect(staff.getByRole("heading", { name: "Mangler 2 ting" })).toBeVisible();
});

test("missing material of an urgent referral is asked for from its next steps", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ referenceType: 1 }).where("id", "=", id).execute(),
  );
  const staff = await portal.pageFor("admin");
  for (const width of [1280, 360]) {
    await staff.setViewportSize({ width, height: 740 });
    await staff.goto(`/management/overview/${id}?sort=-1#r${id}`);
    await settled(staff);
    await staff.getByRole("link", { name: "Afventer materiale", exact: true }).click();
    await settled(staff);
    await expect(staff.getByRole("heading", { name: "Mangler materiale" })).toBeInViewport();
    const first = staff.getByRole("checkbox", { name: "Panoramaoptagelse" });
    await expect(first).toBeInViewport();
    if (javaScriptEnabled) await expect(first).toBeFocused();
    await first.click();
    await expect(first).toBeChecked();
  }
});

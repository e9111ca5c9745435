import { expect, expectAccessible, press, test } from "./portal";
import { aDraft } from "./referrals";

test.use({ matrix: "with script" });

const typed = {
  firstName: "Øjvind",
  lastName: "Ærø",
  address: "Kaj 7",
  zip: "5970",
  city: "Ærøskøbing",
  desiredTreatment: "Vurdering af 48.",
};

test("a draft is found, opened at its step, deleted after a question and restored", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/henvisning-tandlaeger");
  for (const [name, value] of Object.entries({ ...typed, cpr6: "650174", cpr4: "1238" }))
    await page.locator(`[name="${name}"]`).fill(value);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const id = Number(new URL(page.url()).searchParams.get("kladde"));

  await page.goto("/management/draft-visits");
  const row = page
    .getByRole("row")
    .filter({ hasText: "Øjvind Ærø" })
    .filter({ hasText: String(id) });
  await expect(row).toContainText("650174-1238");
  await row.getByRole("link", { name: `Ret kladde nr. ${id}` }).click();
  await expect(page).toHaveURL(/kladde=\d+&trin=3#patient-form$/);
  await expect(page.locator("[data-bar]")).toContainText("Øjvind Ærø · 650174-1238");

  await page.goto("/management/draft-visits");
  await page.getByRole("link", { name: `Slet kladde nr. ${id}` }).click();
  await expect(page.getByRole("dialog")).toContainText("Kladden for Øjvind Ærø");
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "deleteDraft");
  await expect(page.getByText(`Kladde nr. ${id} er slettet.`)).toBeVisible();
  await expect(row).toHaveCount(0);
  await press(page, "restoreDraft");
  await expect(row).toHaveCount(1);
});

test("the receipt's address says of a draft that it is not sent, and leads back to it", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  const id = await aDraft(page, ["650174", "1239"]);
  await page.goto(`/management/visit-sent?nr=${id}`);
  await expect(page.getByRole("heading", { name: `Kladde nr. ${id} er ikke sendt` })).toBeVisible();
  await expect(page.getByText("TAK FOR DIN HENVISNING")).toHaveCount(0);
  await page.getByRole("link", { name: "Fortsæt kladden" }).click();
  await expect(page).toHaveURL(new RegExp(`kladde=${id}&trin=`));
  await page.goto("/management/visit-sent?nr=999999");
  await expect(page.getByRole("heading", { name: "Henvisningen findes ikke" })).toBeVisible();
});

test("filters drafts by name and referrer, and puts nothing typed in the address", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("sekretaer");
  await page.goto("/management/henvisning-tandlaeger");
  for (const [name, value] of Object.entries({ ...typed, cpr6: "650175", cpr4: "1240", lastName: "Sjældensø" }))
    await page.locator(`[name="${name}"]`).fill(value);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=2/);
  await page.goto("/management/draft-visits");
  await expect(page.getByLabel("Henviser").getByRole("option").first()).toHaveText("Alle");
  await page.getByLabel("Patient navn").fill("sjaeldensoe");
  await press(page, "filterDrafts");
  await expect(page.getByText("1 kladde", { exact: true })).toBeVisible();
  expect(decodeURIComponent(page.url())).not.toMatch(/sj(ae|æ)l/i);
  await page.locator('[name="dateFrom"]').fill("32.13.2026");
  await press(page, "filterDrafts");
  await expect(page.getByText("Datoen findes ikke.").first()).toBeVisible();
  await expect(page.getByLabel("Patient navn")).toHaveValue("sjaeldensoe");
  if (javaScriptEnabled) await expectAccessible(page);
  await page.locator('[name="dateFrom"]').fill("01.01.2031");
  await press(page, "filterDrafts");
  await expect(page.getByText("Ingen data...")).toBeVisible();
  await page.getByRole("link", { name: "Reset filtre" }).click();
  await expect(page.getByLabel("Patient navn")).toHaveValue("");
});

test("the dentist, the clinic's secretary and staff see a draft, and nobody else", async ({ portal }) => {
  const dentist = await portal.pageFor("tandlaege");
  await dentist.goto("/management/henvisning-tandlaeger");
  for (const [name, value] of Object.entries({ ...typed, cpr6: "660175", cpr4: "1239" }))
    await dentist.locator(`[name="${name}"]`).fill(value);
  await press(dentist, "savePatient");
  await expect(dentist).toHaveURL(/trin=3/);
  const id = Number(new URL(dentist.url()).searchParams.get("kladde"));
  for (const [userName, sees] of [
    ["sekretaer", true],
    ["admin", true],
    ["tandlaegesekretaer", false],
    ["tandlaege2", false],
  ] as const) {
    const page = await portal.pageFor(userName);
    await page.goto("/management/draft-visits");
    await expect(page.getByRole("link", { name: `Ret kladde nr. ${id}` })).toHaveCount(sees ? 1 : 0);
    const opened = await page.request.get(`/management/henvisning-tandlaeger?kladde=${id}&trin=1`);
    expect(opened.status(), userName).toBe(sees ? 200 : 404);
  }
});

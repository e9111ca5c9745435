import type { Page } from "@playwright/test";
import { expect, expectAccessible, press, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";
import { aPdf } from "../support/pdf";

test.use({ matrix: "with script" });

const pdf = aPdf();
const file = (name: string) => ({ name, mimeType: "application/pdf", buffer: pdf });

async function begun(portal: RunningPortal): Promise<{ id: number; page: Page }> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  await page.locator("#udskrivningsbrev > summary").click();
  await page.getByRole("button", { name: "Nyt brev" }).click();
  await expect(page.getByText("Brev 1 er begyndt.").first()).toBeVisible();
  await page.goto(`/management/ending-letter?aaben=${id}&sort=-2`);
  return { id, page };
}

async function upload(page: Page, id: number): Promise<void> {
  const part = page.locator(`#brev-${id}-1`);
  await part.getByText("Upload PDF").click();
  await part.locator('input[type="file"][name="letterPdf"]').setInputFiles(file("Ubrev.pdf"));
  await part.locator('button[value="uploadLetter"]').click();
  await expect(page.getByText(/Udskrivningsbrev 1 er sat i kø til/).first()).toBeVisible();
}

test("a letter is uploaded and sent; the link fetches it after sign-in", async ({ portal, javaScriptEnabled }) => {
  const { id, page } = await begun(portal);
  const part = page.locator(`#brev-${id}-1`);
  await expect(part.getByText("Ingen afsendelsesdato")).toBeVisible();
  await expect(part.getByText("Pdf-filen mangler")).toBeVisible();
  await expect(part.getByRole("button", { name: "Gensend" })).toBeDisabled();
  await upload(page, id);
  await expect(async () => {
    await page.reload();
    await expect(part.getByText("Ubrev sendt med succes")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 120_000 });
  await expect(part.getByText("1/2")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);

  const link = `/management?vid=${id}&mid=1&trmPdf=true&num=1`;
  const nobody = await portal.pageFor(null);
  await nobody.goto(link);
  await nobody.locator('[name="userName"]').fill("tandlaege");
  await nobody.locator('[name="password"]').fill("Demo1234");
  const download = nobody.waitForEvent("download");
  await nobody.locator('button[value="signIn"]').click();
  expect((await download).suggestedFilename()).toBe("Ubrev.pdf");

  const referrer = await portal.pageFor("tandlaege");
  await referrer.goto(`/management/ending-letter?aaben=${id}&sort=-2`);
  const own = referrer.locator(`#brev-${id}-1`);
  await expect(own.getByRole("link", { name: "Ubrev.pdf" })).toBeVisible();
  for (const name of ["Gensend", "Annullér", "Nyt brev"])
    await expect(referrer.getByRole("button", { name })).toHaveCount(0);
  await expect(own.getByText("Ubrev sendt med succes")).toHaveCount(0);
  const fetched = await referrer.request.get(
    (await own.getByRole("link", { name: "Ubrev.pdf" }).getAttribute("href"))!,
  );
  expect((await fetched.body()).equals(pdf)).toBe(true);

  const stranger = await portal.pageFor("tandlaege2");
  expect((await stranger.request.get(link)).status()).toBe(404);
});

test("a letter that was sent keeps its date when its file is gone", async ({ portal }) => {
  const { id, page } = await begun(portal);
  await portal.withDatabase(async (db) => {
    await db
      .updateTable("dischargeLetter")
      .set({ status: 1, attempts: 1, sendDate: "2026-03-02T09:30:00.000Z" })
      .where("referralId", "=", id)
      .execute();
  });
  for (const reader of [page, await portal.pageFor("tandlaege")]) {
    await reader.goto(`/management/ending-letter?aaben=${id}&sort=-2`);
    const part = reader.locator(`#brev-${id}-1`);
    await expect(part.getByText("02.03.2026 kl. 10.30")).toBeVisible();
    await expect(part.getByText("Pdf-filen mangler").first()).toBeVisible();
    await expect(part.getByText("1/2")).toBeVisible();
  }
});

test("a letter is deleted after the question, and a patient's refusal stops the rest", async ({ portal }) => {
  const { id, page } = await begun(portal);
  await upload(page, id);
  await page.locator(`#brev-${id}-1`).getByRole("link", { name: "Slet brev 1" }).click();
  await expect(page.getByRole("heading", { name: "Slet udskrivningsbrev 1?" })).toBeVisible();
  await press(page, "deleteLetter");
  await expect(page.getByText("Udskrivningsbrev 1 er slettet.").first()).toBeVisible();
  await press(page, "restoreLetter");
  await expect(page.getByText("Udskrivningsbrev 1 er hentet tilbage.").first()).toBeVisible();
  const back = page.locator(`#brev-${id}-1`);
  await expect(back.getByRole("link", { name: "Ubrev.pdf" })).toBeVisible();
  await back.getByRole("link", { name: "Slet brev 1" }).click();
  await press(page, "deleteLetter");
  await page.goto(`/management/overview/${id}`);
  await page.locator("#udskrivningsbrev > summary").click();
  const box = page.getByLabel("Patienten har frabedt sig brev til henviser");
  await box.check();
  const save = page.locator("#udskrivningsbrev").getByRole("button", { name: "GEM" });
  if ((await save.count()) > 0 && (await save.isVisible())) await save.click();
  await expect(page.getByText("Patienten har frabedt sig brev til henviser.").first()).toBeVisible();
});

test("a letter is written: what was typed stays, and the PDF is sent", async ({ portal, javaScriptEnabled }) => {
  const { id, page } = await begun(portal);
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ status: 6 }).where("id", "=", id).executeTakeFirstOrThrow(),
  );
  await page.goto("/management/settings/breve");
  await page
    .locator("form", { hasText: "Standardsætninger" })
    .locator('[name="medicine"]')
    .fill("Efter operation = Ibuprofen.\nIngen.");
  await press(page, "saveLetterPhrases");
  await expect(page.getByText("Standardsætningerne er gemt.").first()).toBeVisible();
  await page.goto(`/management/overview/${id}`);
  await page.getByRole("link", { name: "Skriv brev" }).click();
  await page.locator('[name="diagnosis"]').fill("Retineret 48");
  await page.locator('[name="followUp"]').fill("Kontrol om en uge.");
  if (javaScriptEnabled) await page.getByRole("button", { name: "Efter operation", exact: true }).click();
  else {
    await page.locator('[name="medicinePhrase"]').selectOption({ label: "Efter operation" });
    await page.getByRole("button", { name: "Indsæt i Medicin" }).click();
  }
  await expect(page.locator('[name="medicine"]')).toHaveValue("Ibuprofen.");
  await expect(page.locator('[name="followUp"]')).toHaveValue("Kontrol om en uge.");
  if (!javaScriptEnabled) await press(page, "previewLetter");
  await expect(page.locator("section").filter({ hasText: "Sådan ser brevet ud" })).toContainText("Kontrol om en uge.");
  await press(page, "writeLetter");
  await expect(page.getByText("Skriv, hvad der er gjort.").first()).toBeVisible();
  await expect(page.locator('[name="followUp"]')).toHaveValue("Kontrol om en uge.");
  if (javaScriptEnabled) await expectAccessible(page);
  await page.locator('[name="treatment"]').fill("48 er fjernet.");
  await press(page, "writeLetter");
  await expect(page.getByText("Udskrivningsbrev 1 er skrevet og sat i kø.").first()).toBeVisible();
  await expect(page.getByRole("link", { name: `Udskrivningsbrev_${id}_1.pdf` })).toBeVisible();
});

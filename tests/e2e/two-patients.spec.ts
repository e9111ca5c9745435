import type { Page } from "@playwright/test";
import { expect, press, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";
import { aPdf } from "../support/pdf";

test.use({ matrix: "without script" });

const pdf = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: aPdf(name),
});

const titlesSentTo = (portal: RunningPortal, id: number) =>
  portal.withDatabase((db) =>
    db
      .selectFrom("billingLetter as bill")
      .innerJoin("outbox", "outbox.id", "bill.outboxId")
      .innerJoin("storedFile", "storedFile.id", "outbox.storedFileId")
      .select(["bill.kind", "storedFile.fileName"])
      .where("bill.referralId", "=", id)
      .orderBy("bill.id")
      .execute(),
  );

async function openAlone(page: Page, id: number): Promise<void> {
  await page.goto(`/management/overview/${id}`);
  await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) })).toBeVisible();
}

async function openBills(page: Page) {
  const bills = page.locator("#fakturaer");
  if (!(await bills.evaluate((part) => (part as HTMLDetailsElement).open)))
    await bills.locator("summary").first().click();
  return bills;
}

test("what is typed and chosen for one patient is gone when the next one is opened", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "without JavaScript each referral is a page of its own");
  const dentist = await portal.pageFor("tandlaege");
  const older = (await aReferral(dentist)).id;
  const newer = (await aReferral(dentist)).id;
  const page = await portal.pageFor("admin");
  // A referral outside the list's page is shown above it.
  await page.goto(`/management/overview/${newer}?sort=1&page=1`);
  await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${newer}`) })).toBeVisible();
  await page.locator('[name="text"]').first().fill(`Om patienten i nr. ${newer}`);
  await (await openBills(page)).locator('input[type="file"]').setInputFiles(pdf(`faktura-${newer}.pdf`));
  await page.evaluate((to) => {
    const router = (window as unknown as { __remixRouter: { navigate(to: string): void } }).__remixRouter;
    router.navigate(to);
  }, `/management/overview/${older}?sort=1&page=1`);
  await page.getByRole("button", { name: "Gå videre uden at gemme" }).click();
  await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${older}`) })).toBeVisible();
  await expect(page.locator('[name="text"]').first()).toHaveValue("");
  expect(
    await page.locator('#fakturaer input[type="file"]').evaluate((input) => (input as HTMLInputElement).files!.length),
  ).toBe(0);
});

test("each invoice and estimate sent from one page is the file that was chosen for it", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await openAlone(page, id);
  for (const [kind, name] of [
    ["invoice", "A.pdf"],
    ["invoice", "B.pdf"],
    ["offer", "C.pdf"],
  ] as const) {
    const bills = await openBills(page);
    await bills.locator(`[name="billKind"][value="${kind}"]`).check();
    await bills.locator('input[type="file"]').setInputFiles(pdf(name));
    await press(page, "sendBill");
    await expect(page.getByText(/er sat i kø\./).first()).toBeVisible();
    await expect
      .poll(
        () =>
          page.locator('#fakturaer input[type="file"]').evaluate((input) => (input as HTMLInputElement).files!.length),
        "the picker is empty after a success",
      )
      .toBe(0);
  }
  expect(await titlesSentTo(portal, id)).toEqual([
    { kind: "invoice", fileName: "A.pdf" },
    { kind: "invoice", fileName: "B.pdf" },
    { kind: "offer", fileName: "C.pdf" },
  ]);
});

test("a second letter uploaded in the same open form replaces the first", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await openAlone(page, id);
  await page.locator("#udskrivningsbrev > summary").click();
  await page.getByRole("button", { name: "Nyt brev" }).click();
  await expect(page.getByText("Brev 1 er begyndt.").first()).toBeVisible();
  await page.goto(`/management/ending-letter?aaben=${id}&sort=-2`);
  const part = page.locator(`#brev-${id}-1`);
  for (const [name, opener] of [
    ["brev.pdf", "Upload PDF"],
    ["brev2.pdf", "Upload ny"],
  ] as const) {
    await part.getByText(opener).first().click();
    await part.locator('input[type="file"][name="letterPdf"]').setInputFiles(pdf(name));
    await part.locator('button[value="uploadLetter"]').click();
    await expect(part.getByRole("link", { name, exact: true })).toBeVisible();
  }
});

import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./portal";
import { aReferral } from "./referrals";
import { aPdf } from "../support/pdf";

test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, "Without JavaScript each answer is a new page.");

const pdf = (name: string) => ({ name, mimeType: "application/pdf", buffer: aPdf() });

const logo = {
  name: "logo.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};

interface FileForm {
  open(page: Page, id: number): Promise<{ input: Locator; button: Locator }>;
  file: { name: string; mimeType: string; buffer: Buffer };
  done: RegExp;
}

/** Forms that upload a file and stay on their page. */
const forms: Record<string, FileForm> = {
  "a discharge letter": {
    async open(page, id) {
      await page.goto(`/management/overview/${id}`);
      const part = page.locator("#udskrivningsbrev");
      await part.locator("> summary").click();
      await page.getByRole("button", { name: "Nyt brev" }).click();
      await expect(page.getByText("Brev 1 er begyndt.").first()).toBeVisible();
      await part.getByText("Upload PDF").click();
      return {
        input: part.locator('input[name="letterPdf"]').first(),
        button: part.locator('button[value="uploadLetter"]').first(),
      };
    },
    file: pdf("Ubrev.pdf"),
    done: /Udskrivningsbrev 1 er sat i kø til/,
  },
  "an invoice": {
    async open(page, id) {
      await page.goto(`/management/overview/${id}`);
      const part = page.locator("#fakturaer");
      await part.locator("> summary").click();
      return { input: part.locator('input[name="bill"]'), button: part.locator('button[value="sendBill"]') };
    },
    file: pdf("faktura.pdf"),
    done: /Fakturaen er sat i kø/,
  },
  "a message with an attachment": {
    async open(page, id) {
      await page.goto(`/management/overview/${id}`);
      const form = page.locator('form[aria-label="Ny besked"]');
      await form.locator("textarea").fill("Se filen.");
      return { input: form.locator('input[type="file"]').last(), button: form.getByRole("button", { name: "Send" }) };
    },
    file: pdf("svar.pdf"),
    done: /Beskeden er sendt/,
  },
  "the logo that is there already": {
    async open(page) {
      await page.goto("/management/settings/breve");
      await page.locator('input[name="letterLogo"]').setInputFiles(logo);
      await page.locator('button[value="saveLetterLogo"]').click();
      await expect(page.getByText(/^Logoet er gemt/).first()).toBeVisible();
      // Saving resets nothing on the page.
      await page.reload();
      return {
        input: page.locator('input[name="letterLogo"]'),
        button: page.locator('button[value="saveLetterLogo"]'),
      };
    },
    file: logo,
    done: /^Logoet er gemt/,
  },
};

/** Double presses: within one task, before the form is marked as busy, and afterwards. */
const presses: Record<string, (button: Locator) => Promise<void>> = {
  "one press": (button) => button.click(),
  "two presses at once": (button) =>
    button.evaluate((element: HTMLButtonElement) => {
      element.click();
      element.click();
    }),
  "a double click": (button) => button.dblclick(),
};

for (const [what, { open, file, done }] of Object.entries(forms))
  for (const [how, press] of Object.entries(presses))
    test(`${what} that was sent by ${how} leaves an empty form, and leaving asks nothing`, async ({ portal }) => {
      const { id } = await aReferral(await portal.pageFor("tandlaege"));
      const page = await portal.pageFor("admin");
      const { input, button } = await open(page, id);
      await input.setInputFiles(file);
      await press(button);
      await expect(page.getByText(done).first()).toBeVisible();
      await expect.poll(() => input.evaluate((field: HTMLInputElement) => field.files?.length)).toBe(0);
      await expect(page.getByRole("list", { name: "Valgte filer" })).toHaveCount(0);
      await page.getByRole("link", { name: "Statistik" }).first().click();
      await expect(page.getByRole("heading", { name: "Statistik" })).toBeVisible();
    });

import type { ReferralChanges } from "../factories/referrals";
import { answerTo, expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aDraft, aReferral } from "./referrals";
import type { Locator, Page } from "@playwright/test";
import { aPdf } from "../support/pdf";

test.use({ matrix: "with script" });

/** A referral to be called up, with a mobile phone. */
async function ready(portal: RunningPortal, changes: ReferralChanges = {}): Promise<number> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set({ status: 3, mobilePhone: "40 12 34 56", ...changes })
      .where("id", "=", id)
      .execute(),
  );
  return id;
}

const open = (id: number) => `/management/call-up-letters?aaben=${id}`;
const panel = (page: Page, id: number) => page.locator(`form#callUp-${id}`);

const reloadUntil = (page: Page, check: () => Promise<void>) =>
  expect(async () => {
    await page.reload();
    await check();
  }).toPass({ timeout: 120_000 });

test("a patient is called up by SMS after a preview, and the referral moves on", async ({
  portal,
  javaScriptEnabled,
}) => {
  const id = await ready(portal, { patientWithoutEboks: true });
  const page = await portal.pageFor("admin");
  await page.goto(open(id));
  const form = panel(page, id);
  await expect(form.getByText("Ikke tilmeldt e-Boks")).toBeVisible();
  await expect(form.getByRole("radio", { name: /e-Boks/ })).toBeDisabled();
  await form.getByRole("radio", { name: /SMS/ }).check();
  await expect(page.getByText("så finder vi en tid, der passer dig.").filter({ visible: true }).first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await form.getByLabel("E-mail", { exact: true }).fill("ikke en adresse");
  await press(page, "sendCallUp");
  await expect(form.getByText(/Skriv en e-mailadresse/).first()).toBeVisible();
  await expect(form.getByLabel("E-mail", { exact: true })).toHaveValue("ikke en adresse");
  await form.getByLabel("E-mail", { exact: true }).fill("");
  await form.getByLabel("Kommentar").fill("Hører dårligt i telefonen.");
  await press(page, "sendCallUp");
  await expect(page.getByText("Indkaldelsen er sat i kø.").first()).toBeVisible();
  await reloadUntil(page, () => expect(page.getByText("Ikke længere i filteret")).toBeVisible({ timeout: 500 }));
  const row = page.locator(`#r${id}`);
  await expect(row).toContainText("Indkaldt, afventer opring");
  await expect(row).toContainText("Succes");
  await expect(form.getByRole("button", { name: "Gensend" })).toBeEnabled();
  await expect(form.getByLabel("Kommentar")).toHaveValue("Hører dårligt i telefonen.");
});

test("'Send og åbn næste' calls one up and opens the next row", async ({ portal, javaScriptEnabled }) => {
  const [second, first] = [await ready(portal), await ready(portal)];
  const page = await portal.pageFor("admin");
  await page.goto(open(first));
  if (javaScriptEnabled) await settled(page);
  await panel(page, first).getByLabel("E-mail", { exact: true }).fill("ikke en adresse");
  await press(page, "sendCallUpAndOpenNext");
  await expect(
    panel(page, first)
      .getByText(/Skriv en e-mailadresse/)
      .first(),
  ).toBeVisible();
  await panel(page, first).getByLabel("E-mail", { exact: true }).fill("");
  await press(page, "sendCallUpAndOpenNext");
  await expect(page.getByText(/^Indkaldelsen til .+ er sat i kø\.$/).first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`aaben=${second}`));
  await expect(panel(page, second)).toBeVisible();
});

test("an e-mail of another patient is refused at its field", async ({ portal }) => {
  const email = `optaget${Date.now()}@eksempel.dk`;
  await aDraft(await portal.pageFor("tandlaege"), ["670176", "2345"], { email, emailConfirm: email });
  const id = await ready(portal);
  const page = await portal.pageFor("admin");
  await page.goto(open(id));
  const field = panel(page, id).getByLabel("E-mail", { exact: true });
  await field.fill(email);
  await press(page, "updateCallUp");
  const link = page.getByRole("alert").getByRole("link", { name: /Mailen hører til en anden patient/ });
  await link.click();
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveValue(email);
});

test("a letter waits for its batch, is withdrawn, and is sent once printed", async ({ portal }) => {
  const id = await ready(portal);
  const page = await portal.pageFor("admin");
  await page.goto(open(id));
  const form = panel(page, id);
  await form.getByRole("radio", { name: /Brev/ }).check();
  await press(page, "sendCallUp");
  await expect(page.getByText("Indkaldsbrev er planlagt.").first()).toBeVisible();
  await expect(form.getByRole("button", { name: "Send Indkaldelse" })).toBeDisabled();
  await press(page, "withdrawCallUp");
  await expect(page.getByText("Indkaldelsen er annulleret.").first()).toBeVisible();
  await expect(page.getByText("Annulleret", { exact: true })).toBeVisible();
  await form.getByRole("radio", { name: /Brev/ }).check();
  await press(page, "sendCallUp");
  await expect(page.getByText("Indkaldsbrev er planlagt.").first()).toBeVisible();
  await page.getByRole("button", { name: /Dan brevbunke nu \(\d+\)/ }).click();
  await expect(page.getByText(/Brevbunke nr\. \d+ er dannet med \d+ brev/).first()).toBeVisible();
  await page.getByRole("link", { name: /Arkiv/ }).click();
  const batch = page.getByRole("region", { name: "Arkiv" }).getByRole("listitem").first();
  const pdf = await page.request.get((await batch.getByRole("link").getAttribute("href"))!);
  expect([pdf.status(), pdf.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  await batch.getByRole("button", { name: "Markér som udskrevet" }).click();
  await expect(page.getByText(/Brevbunke nr\. \d+ er udskrevet/).first()).toBeVisible();
  await page.goto(open(id));
  await expect(page.locator(`#r${id}`)).toContainText("Succes");
  const letter = panel(page, id).getByRole("link", { name: "PDF" }).first();
  expect((await page.request.get((await letter.getAttribute("href"))!)).status()).toBe(200);
});

test("several patients are called up after a preview, and withdrawn", async ({ portal, javaScriptEnabled }) => {
  const [one, other] = [await ready(portal), await ready(portal, { mobilePhone: null, address: null })];
  const page = await portal.pageFor("admin");
  await page.goto("/management/call-up-letters");
  for (const id of [one, other]) await page.getByRole("checkbox", { name: `Vælg nr. ${id}` }).check();
  await page.getByLabel("Send som").selectOption({ label: "Brev" });
  await press(page, "askCallUps");
  await expect(page.getByRole("heading", { name: "Indkald 1 patient med Brev" })).toBeVisible();
  await expect(page.getByText(new RegExp(`Nr\\. ${other} .*: Adresse, postnr\\. eller by mangler`))).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "sendCallUps");
  await expect(page.getByText("1 indkaldelse er sat i kø.")).toBeVisible();
  await press(page, "withdrawCallUps");
  await expect(page.getByText("1 indkaldelse er annulleret.").first()).toBeVisible();
});

test("by telephone the patient is in treatment", async ({ portal }) => {
  const id = await ready(portal);
  const page = await portal.pageFor("kirurg");
  await page.goto(open(id));
  await press(page, "callUpByPhone");
  await expect(page.locator(`#r${id}`)).toContainText("I behandling");
});

test("the open referral sends time and invoice, and says why it cannot", async ({ portal }) => {
  const id = await ready(portal, { email: null });
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  const time = page.locator("#behandlingstid");
  await time.locator("summary").first().click();
  await expect(time.getByText("Der er ingen e-mail")).toBeVisible();
  await expect(time.getByText(/Mangler til teksten: datoen for behandlingen/).first()).toBeVisible();
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set({ operationDate: "2030-01-10", operationHour: 10, operationMinute: 15 })
      .where("id", "=", id)
      .execute(),
  );
  await page.reload();
  await time.locator("summary").first().click();
  await time.getByRole("radio", { name: /e-Boks/ }).check();
  await press(page, "sendAppointmentLetter");
  await expect(page.getByText("Behandlingstiden er sat i kø.").first()).toBeVisible();
  const bills = page.locator("#fakturaer");
  await bills.locator("summary").first().click();
  await bills.locator('input[type="file"]').setInputFiles({
    name: "faktura.pdf",
    mimeType: "application/pdf",
    buffer: aPdf(),
  });
  await press(page, "sendBill");
  await expect(page.getByText("Fakturaen er sat i kø.").first()).toBeVisible();
  await reloadUntil(page, async () => {
    await bills.locator("summary").first().click();
    await expect(bills.getByText("Sendt med succes").first()).toBeVisible({ timeout: 500 });
  });
});

test("a time sent from a filtered list keeps the list, and can be taken back", async ({ portal }) => {
  const id = await ready(portal, { operationDate: "2030-01-10", operationHour: 10, operationMinute: 15 });
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}?f=s3&sort=-1`);
  const time = page.locator("#behandlingstid");
  await time.locator("summary").first().click();
  await time.getByRole("radio", { name: /Brev/ }).check();
  await press(page, "sendAppointmentLetter");
  await expect(page.getByText("Behandlingstiden er sat i kø.").first()).toBeVisible();
  expect(new URL(page.url()).searchParams.get("f")).toBe("s3");
  await press(page, "withdrawAppointmentLetter");
  await expect(page.getByText("Behandlingstiden er annulleret.").first()).toBeVisible();
  expect(new URL(page.url()).searchParams.get("f")).toBe("s3");
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ operationDate: "2020-01-10" }).where("id", "=", id).execute(),
  );
  await page.reload();
  if (!(await time.getByText("Tiden er begyndt eller overstået").first().isVisible()))
    await time.locator("summary").first().click();
  await expect(time.getByText("Tiden er begyndt eller overstået").first()).toBeVisible();
  await expect(page.locator('button[value="sendAppointmentLetter"]')).toBeDisabled();
});

test("a dentist does not see the page", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  const answer = await page.goto("/management/call-up-letters");
  expect(answer!.status()).toBe(403);
  await expect(page.getByText("Access Denied by Role")).toBeVisible();
});

test("a patient is called up by keyboard alone", async ({ portal, javaScriptEnabled }) => {
  const id = await ready(portal, { patientWithoutEboks: true });
  const page = await portal.pageFor("admin");
  await page.goto("/management/call-up-letters");
  await page.getByLabel("Nr.", { exact: true }).focus();
  await page.keyboard.type(String(id));
  await page.keyboard.press("Enter");
  const opener = page.locator(`#r${id}`).getByRole("link").first();
  await expect(opener).toBeVisible();
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  const form = panel(page, id);
  const sms = form.getByRole("radio", { name: /SMS/ });
  // A radio group is one tab stop: its checked radio.
  await tabTo(page, form.getByRole("radio", { checked: true }));
  await expect(sms).toBeChecked();
  const send = form.getByRole("button", { name: "Send Indkaldelse" });
  await tabTo(page, send);
  await answerTo(page, () => page.keyboard.press("Enter"));
  await expect(page.getByText("Indkaldelsen er sat i kø.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
});

/** Presses Tab until the element has focus, so that everything is reachable by keyboard. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let turn = 0; turn < 120; turn += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there");
}

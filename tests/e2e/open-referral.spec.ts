import type { Page } from "@playwright/test";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "without script" });

test("staff correct a patient: errors show, text stays, the way back works", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}?sort=-1`);
  await staff.getByRole("link", { name: "Ret patientens oplysninger" }).click();
  const form = staff.locator("#ret-patient");
  await form.locator('[name="lastName"]').fill("Ør3");
  await form.locator('[name="city"]').fill("");
  await press(staff, "editPatient");
  await expect(form.getByRole("alert").first()).toContainText("Navnet må ikke indeholde tal");
  await expect(form.locator('[name="lastName"]')).toHaveValue("Ør3");
  if (javaScriptEnabled) await expectAccessible(staff);
  await form.locator('[name="lastName"]').fill("Ørsted");
  await form.locator('[name="city"]').fill("Århus");
  await form.getByLabel("Patienten har ikke e-Boks").check();
  await press(staff, "editPatient");
  await expect(staff).toHaveURL(new RegExp(`/overview/${id}\\?sort=-1#patient$`));
  await expect(staff.getByRole("heading", { name: new RegExp(`^Nr. ${id}`) })).toContainText("Ørsted");
  await expect(staff.locator("#patient")).toContainText("Ikke tilmeldt");
  await expect(staff.locator("#log")).toContainText("Patientens oplysninger er rettet");
});

test("a plan is saved, and shown to the referrer read-only", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist);
  const staff = await portal.pageFor("kirurg");
  await staff.goto(`/management/overview/${id}?ret=plan`);
  const form = staff.locator("#ret-plan");
  await form.locator('[name="operationDate"]').fill("02.12.2026");
  await form.locator('[name="operationTimeHours"]').selectOption("09");
  if (javaScriptEnabled) {
    // Typing a date keeps the focus; the calendar moves it to the hour. Arrow keys step through hours; another choice
    // moves to the minutes.
    await form.locator('[name="operationDate"]').fill("");
    await form.locator('[name="operationDate"]').pressSequentially("02.12.2026");
    await expect(form.locator('[name="operationDate"]')).toBeFocused();
    await form.locator('input[type="date"]').evaluate((picker: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(picker, "2026-12-02");
      picker.dispatchEvent(new Event("input", { bubbles: true }));
      picker.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await expect(form.locator('[name="operationTimeHours"]')).toBeFocused();
    await staff.keyboard.press("ArrowDown");
    await expect(form.locator('[name="operationTimeHours"]')).toBeFocused();
    await form.locator('[name="operationTimeHours"]').dispatchEvent("pointerdown");
    await form.locator('[name="operationTimeHours"]').selectOption("09");
    await expect(form.locator('[name="operationTimeMinutes"]')).toBeFocused();
  }
  await form.locator('[name="operationTimeMinutes"]').selectOption("30");
  await form.locator('[name="operationDuration"]').fill("45");
  await form.locator('[name="treatmentType"]').selectOption({ label: "Koronektomi" });
  await form.locator('[name="price"]').fill("4.850");
  await press(staff, "editPlan");
  await expect(staff.locator("#plan")).toContainText("02.12.2026 kl. 09.30");
  await dentist.goto(`/management/overview/${id}`);
  for (const text of ["02.12.2026 kl. 09.30", "45 min.", "Koronektomi", "4.850 kr."])
    await expect(dentist.locator("#plan")).toContainText(text);
  await expect(dentist.getByRole("link", { name: "Ret planen" })).toHaveCount(0);
});

/** Two members of staff, each with the plan of a new referral open. */
async function twoAtOnePlan(portal: RunningPortal): Promise<{ id: number; first: Page; second: Page }> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [first, second]) await page.goto(`/management/overview/${id}?ret=plan`);
  return { id, first, second };
}

test("of two at one plan's comment the second reads what is stored, text stays", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { id, first, second } = await twoAtOnePlan(portal);
  await first.locator('#ret-plan [name="surgeonComment"]').fill("Første");
  await press(first, "editPlan");
  await second.locator('#ret-plan [name="surgeonComment"]').fill("Anden");
  await press(second, "editPlan");
  await expect(second.getByText("en anden har rettet det samme, siden du åbnede siden").first()).toBeVisible();
  await expect(second.locator('#ret-plan [name="surgeonComment"]')).toHaveValue("Anden");
  await expect(second.locator("#ret-plan .field-bad")).toContainText("Nu: Første");
  if (javaScriptEnabled) {
    await expectAccessible(second);
    await expect(second.getByRole("button", { name: "Gem plan – mislykkedes" })).toBeVisible();
    await second.locator('#ret-plan [name="surgeonComment"]').fill("Anden igen");
    await expect(second.getByRole("button", { name: "Gem plan", exact: true })).toBeVisible();
  }
  await first.goto(`/management/overview/${id}`);
  await expect(first.locator("#plan")).toContainText("Første");
  await press(second, "editPlan");
  await expect(second.locator("#plan")).toContainText("Anden");
});

test("after a conflict a press takes the stored comment, the other texts stay", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { first, second } = await twoAtOnePlan(portal);
  const field = (page: Page, name: string) => page.locator(`#ret-plan [name="${name}"]`);
  await field(first, "surgeonComment").fill("Første");
  await press(first, "editPlan");
  await field(second, "surgeonComment").fill("Anden");
  await field(second, "price").fill("4.850");
  await press(second, "editPlan");
  await second.getByRole("button", { name: "Tag den nye" }).click();
  await expect(field(second, "surgeonComment")).toHaveValue("Første");
  await expect(second.locator("#ret-plan .field-bad")).toHaveCount(0);
  if (javaScriptEnabled) await expect(field(second, "surgeonComment")).toBeFocused();
  await press(second, "editPlan");
  for (const text of ["Første", "4.850 kr."]) await expect(second.locator("#plan")).toContainText(text);
});

test("the referrer is changed in a dialog, without JavaScript on a page", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await staff.getByRole("link", { name: "Skift henviser" }).click();
  const dialog = staff.getByRole("dialog");
  if (javaScriptEnabled) {
    await dialog.getByRole("combobox", { name: "Henviser" }).fill("Bjørn Dahl");
    await staff.getByRole("option", { name: /^Bjørn Dahl/ }).click();
  } else {
    await dialog.getByLabel("Navn eller klinik").fill("Bjørn Dahl");
    await press(staff, "searchReferrers");
    await dialog.getByRole("radio", { name: /^Bjørn Dahl/ }).check();
  }
  await press(staff, "changeReferrer");
  await expect(staff.locator("#henvisning")).toContainText("Bjørn Dahl");
  await expect(staff.getByRole("dialog")).toHaveCount(0);
});

test("the next status is one press away, while a section's form stays open", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}?ret=plan`);
  const price = staff.locator('#ret-plan [name="price"]');
  await price.fill("4.850");
  await staff.getByRole("button", { name: "Visiteret", exact: true }).click();
  await expect(staff.getByText(`Nr. ${id} er nu Visiteret.`)).toBeVisible();
  await expect(staff.getByRole("article")).toContainText("Visiteret");
  await press(staff, "sendStatus");
  await expect(staff.locator("#log")).toContainText("Status sendes til Mette Kjærgaard");
  await expect(price).toHaveValue(javaScriptEnabled ? "4.850" : "");
});

test("imports appointments: a dry run first, then the plan is filled", async ({ portal, javaScriptEnabled }) => {
  const { id, cpr } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto("/management/aftaletider");
  const upload = (name: string, text: string) =>
    staff
      .locator('#upload [name="AppointmentFile"]')
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await upload("tider.txt", "x");
  await press(staff, "uploadAppointments");
  await expect(staff.getByText("Denne filtype er ikke godkendt i dette felt.").first()).toBeVisible();
  await upload("tider.csv", "Navn;Dato\nA;B\n");
  await press(staff, "uploadAppointments");
  await expect(staff.getByText("Filen mangler kolonnerne CPR, Tid, Kode.").first()).toBeVisible();
  await expect(staff.getByRole("heading", { name: "Eksport csv mislykkedes." })).toBeVisible();
  await staff.goto("/management/sms");
  const drop = staff.locator("form").filter({ has: staff.getByLabel("CSV-fil med patienttider") });
  const input = drop.getByLabel("CSV-fil med patienttider");
  await input.setInputFiles({ name: "tider.csv", mimeType: "text/csv", buffer: Buffer.from("Navn;Dato\nA;B\n") });
  // A file that is chosen while the script comes is reported once more.
  if (javaScriptEnabled) await input.dispatchEvent("change");
  else await drop.getByRole("button", { name: "Upload" }).click();
  await expect(drop.getByRole("alert")).toHaveText(
    "Eksport csv mislykkedes. Filen mangler kolonnerne CPR, Tid, Kode. Første linje skal være kolonnernes navne.",
  );
  await staff.goto("/management/aftaletider");
  await upload(
    "tider.csv",
    `CPR;Navn;Dato;Tid;Varighed;Kode\n${cpr.join("-")};Åse Ærø;16.12.2026;10:15;45;OP-48\n310299-1234;;16.12.2026;10:15;45;OP-48\n`,
  );
  await press(staff, "uploadAppointments");
  await expect(staff.getByText("Intet er importeret endnu.")).toBeVisible();
  await expect(staff.getByRole("row").filter({ hasText: cpr.join("-") })).toContainText("Tid importeres");
  await expect(staff.getByRole("row").filter({ hasText: "310299-1234" })).toContainText("Ugyldigt CPR");
  if (javaScriptEnabled) await expectAccessible(staff);
  // Leaves the file in status 2, as after an unexpected error.
  const fileId = Number(staff.url().split("/").at(-1));
  await portal.withDatabase((db) =>
    db.updateTable("appointmentFile").set({ status: 2 }).where("id", "=", fileId).execute(),
  );
  await staff.reload();
  await expect(staff.getByRole("alert")).toContainText("Eksport csv mislykkedes. 0 af 2 linjer er importeret.");
  await press(staff, "startImport");
  await expect(async () => {
    await staff.reload();
    await expect(staff.getByText(/importeret \d\d\.\d\d\.\d{4}/)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 120_000 });
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator("#plan")).toContainText("16.12.2026 kl. 10.15");
  await expect(staff.locator("#plan").getByRole("table")).toContainText("OP-48");
  await staff.setViewportSize({ width: 320, height: 640 });
  expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await staff.setViewportSize({ width: 1280, height: 800 });

  // The next file lacks the first one's day: moved, or a further appointment?
  await staff.goto("/management/aftaletider");
  await upload("tider.csv", `CPR;Navn;Dato;Tid;Kode\n${cpr.join("-")};Åse Ærø;21.12.2026;10:15;OP-48\n`);
  await press(staff, "uploadAppointments");
  await expect(staff.getByRole("heading", { name: "Flyttet eller ekstra?" })).toBeVisible();
  await press(staff, "startImport");
  await expect(staff.getByText("Linje 2: vælg, om tiden er flyttet eller ekstra.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.getByLabel("Flyttet fra 16.12.2026 kl. 10.15").check();
  await press(staff, "startImport");
  await expect(async () => {
    await staff.reload();
    await expect(staff.getByText("Valgt: flyttet fra 16.12.2026 kl. 10.15.")).toBeVisible({ timeout: 1000 });
    await expect(staff.getByText(/importeret \d\d\.\d\d\.\d{4}/)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 120_000 });
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator("#plan")).toContainText("21.12.2026 kl. 10.15");
});

test("asks before leaving only while something typed is not saved", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript a page hears nothing of being left");
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  const question = page.getByRole("dialog", { name: "Vil du forlade siden?" });
  const message = page.locator('form:has(input[value="writeMessage"]) [name="text"]');
  const toProfile = () => page.getByRole("link", { name: "Din profil" }).click();
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  await message.fill("Halvt skrevet");

  await toProfile();
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(message).toHaveValue("Halvt skrevet");
  await page.getByRole("button", { name: "Log ud" }).click();
  await question.getByRole("button", { name: "Bliv på siden" }).click();
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await message.fill("");
  await toProfile();
  await expect(page.getByRole("heading", { name: "SKIFT BRUGERDATA" }), "emptied again").toBeVisible();
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  await message.fill("Halvt skrevet");

  // Open forms stay when another one opens, is saved or is closed.
  await page.getByRole("link", { name: "Ret planen" }).click();
  await page.locator('[name="surgeonComment"]').fill("Halv plan");
  await page.getByRole("link", { name: "Annuller" }).click();
  await expect(page.locator('[name="surgeonComment"]')).toHaveCount(0);
  await page.getByRole("link", { name: "Ret planen" }).click();
  await page.locator('[name="surgeonComment"]').fill("Hel plan");
  await press(page, "editPlan");
  await expect(page.getByText("Hel plan").first()).toBeVisible();
  await expect(message).toHaveValue("Halvt skrevet");
  await expect(question).toHaveCount(0);

  await toProfile();
  await question.getByRole("button", { name: "Gå videre uden at gemme" }).click();
  await expect(page).toHaveURL(/change-password/);
  await page.locator('[name="phone"]').fill("10 11 12 13");
  await page.goBack();
  await question.getByRole("button", { name: "Bliv på siden" }).click();
  await press(page, "changeProfile");
  await page.getByRole("link", { name: "Oversigt", exact: true }).click();
  await expect(page).toHaveURL(/overview/);
  // Step 1 of the wizard saves automatically.
  await page.goto("/management/henvisning-tandlaeger");
  await settled(page);
  await page.locator('[name="firstName"]').fill("Åse");
  await toProfile();
  await expect(page).toHaveURL(/change-password/);
});

test("each printed sheet of a referral begins with number, name and CPR number", async ({ portal }) => {
  const { id, cpr } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("kirurg");
  await page.goto(`/management/overview/${id}`);
  const head = page.locator(".sheet-head");
  await expect(head).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(head).toHaveText(`Nr. ${id} · Åse Ærø · ${cpr.join("-")}`);
  // Browsers repeat the head group of a table on each sheet.
  await expect(head).toHaveCSS("display", "table-header-group");
  await expect(page.getByRole("article")).toHaveCSS("display", "table");
});

import { aReferral, expect, expectAccessible, press, test } from "./portal";

test("staff correct a patient: what is wrong is said, what was typed stays, and the way back is the list one came from", async ({ portal, javaScriptEnabled }) => {
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
  await expect(staff.locator("#patient")).toContainText("Ørsted");
  await expect(staff.locator("#patient")).toContainText("Ikke tilmeldt");
  await expect(staff.locator("#log")).toContainText("Patientens oplysninger er rettet");
});

test("a plan is written, and shown to the referrer to read", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist);
  const staff = await portal.pageFor("kirurg");
  await staff.goto(`/management/overview/${id}?ret=plan`);
  const form = staff.locator("#ret-plan");
  await form.locator('[name="operationDate"]').fill("02.12.2026");
  await form.locator('[name="operationTimeHours"]').selectOption("09");
  if (javaScriptEnabled) {
    // The date opens the hour; by arrows one looks through the hours, and a choice made otherwise opens the minutes (specification 1 §5).
    await form.locator('[name="operationDate"]').fill("");
    await form.locator('[name="operationDate"]').pressSequentially("02.12.2026");
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
  for (const text of ["02.12.2026 kl. 09.30", "45 min.", "Koronektomi", "4.850 kr."]) await expect(dentist.locator("#plan")).toContainText(text);
  await expect(dentist.getByRole("link", { name: "Ret planen" })).toHaveCount(0);
});

test("two at the same referral: the second is told and sees both versions, and what he typed is still there", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [first, second]) await page.goto(`/management/overview/${id}?ret=plan`);
  await first.locator('#ret-plan [name="surgeonComment"]').fill("Første");
  await press(first, "editPlan");
  await second.locator('#ret-plan [name="surgeonComment"]').fill("Anden");
  await press(second, "editPlan");
  await expect(second.getByText("En anden har ændret henvisningen imens").first()).toBeVisible();
  await expect(second.locator('#ret-plan [name="surgeonComment"]')).toHaveValue("Anden");
  await expect(second.locator("#ret-plan")).toContainText("Sådan står der nu, gemt af Charlotte Nørregaard Møller");
  await expect(second.locator("#ret-plan dl")).toContainText("Første");
  if (javaScriptEnabled) {
    await expectAccessible(second);
    // The button says how it went until the next edit (specification 1 §4).
    await expect(second.getByRole("button", { name: "Gem plan – mislykkedes" })).toBeVisible();
    await second.locator('#ret-plan [name="surgeonComment"]').fill("Anden igen");
    await expect(second.getByRole("button", { name: "Gem plan", exact: true })).toBeVisible();
  }
  await first.goto(`/management/overview/${id}`);
  await expect(first.locator("#plan")).toContainText("Første");
  await press(second, "editPlan");
  await expect(second.locator("#plan")).toContainText("Anden");
});

test("the referrer is changed in a dialog that is a page without script", async ({ portal, javaScriptEnabled }) => {
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

test("the next step is one press away, and the status is mailed on request", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await staff.getByRole("button", { name: "Visiteret", exact: true }).click();
  await expect(staff.getByText(`Nr. ${id} er nu Visiteret.`)).toBeVisible();
  await expect(staff.getByRole("article")).toContainText("Visiteret");
  await press(staff, "sendStatus");
  await expect(staff.locator("#log")).toContainText("Status sendt til Mette Kjærgaard");
});

test("appointment times: a dry run first, then the plan is filled", async ({ portal, javaScriptEnabled }) => {
  const { id, cpr } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto("/management/aftaletider");
  const upload = (name: string, text: string) => staff.locator('[name="AppointmentFile"]').setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await upload("tider.txt", "x");
  await press(staff, "uploadAppointments");
  await expect(staff.getByText("Denne filtype er ikke godkendt i dette felt.").first()).toBeVisible();
  await upload("tider.csv", "Navn;Dato\nA;B\n");
  await press(staff, "uploadAppointments");
  await expect(staff.getByText("Filen mangler kolonnerne CPR, Tid, Kode.").first()).toBeVisible();
  await expect(staff.getByRole("heading", { name: "Eksport csv mislykkedes." })).toBeVisible();
  await staff.goto("/management/aftaletider");
  await upload("tider.csv", `CPR;Navn;Dato;Tid;Varighed;Kode\n${cpr.join("-")};Ærlig Østergaard;16.12.2026;10:15;45;OP-48\n310299-1234;;16.12.2026;10:15;45;OP-48\n`);
  await press(staff, "uploadAppointments");
  await expect(staff.getByText("Intet er importeret endnu.")).toBeVisible();
  await expect(staff.getByRole("row").filter({ hasText: cpr.join("-") })).toContainText("Tid importeret");
  await expect(staff.getByRole("row").filter({ hasText: "310299-1234" })).toContainText("Ugyldigt CPR");
  if (javaScriptEnabled) await expectAccessible(staff);
  // As after a fault of ours in the middle of it: status 2.
  const fileId = Number(staff.url().split("/").at(-1));
  await portal.withDatabase((db) => db.updateTable("appointment_file").set({ status: 2 }).where("id", "=", fileId).execute());
  await staff.reload();
  await expect(staff.getByRole("alert")).toContainText("Eksport csv mislykkedes. 0 af 2 linjer er importeret.");
  await press(staff, "startImport");
  await expect(async () => {
    await staff.reload();
    await expect(staff.getByText(/importeret \d\d\.\d\d\.\d{4}/)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 15_000 });
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator("#plan")).toContainText("16.12.2026 kl. 10.15");
  await expect(staff.locator("#plan").getByRole("table")).toContainText("OP-48");
});

import type { Page } from "@playwright/test";
import { expect, expectAccessible, press, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

function inDays(days: number): string {
  const day = new Date(Date.now() + days * 86_400_000);
  return day.toISOString().slice(0, 10);
}

async function withTime(portal: RunningPortal, changes: Record<string, unknown> = {}): Promise<number> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set({
        mobilePhone: "40 12 34 56",
        status: 6,
        operationDate: inDays(9),
        operationHour: 10,
        operationMinute: 15,
        operationDuration: 45,
        ...changes,
      })
      .where("id", "=", id)
      .execute(),
  );
  return id;
}

/** Staff send the reminder from the open referral. */
async function remind(portal: RunningPortal, staff: Page, id: number): Promise<string> {
  await staff.goto(`/management/overview/${id}#sms`);
  const part = staff.locator("#sms");
  if (!(await part.getByRole("button", { name: "Send SMS med afbud" }).isVisible()))
    await part.locator("summary").first().click();
  await part.getByRole("button", { name: "Send SMS med afbud" }).click();
  await expect(staff.getByText("SMS er sat i kø.").first()).toBeVisible();
  return linkInSms(portal, /Svar her, om du kommer/);
}

/** The link in the newest sent SMS with this text. */
async function linkInSms(portal: RunningPortal, words: RegExp): Promise<string> {
  const page = await portal.pageFor(null);
  await page.goto("/dev/outbox");
  const href = await page.getByRole("link", { name: words }).first().getAttribute("href");
  const { pathname, search } = new URL(href!);
  return pathname + search;
}

test("a patient comes, then cannot, on a small phone; staff see and undo it", async ({ portal, javaScriptEnabled }) => {
  const id = await withTime(portal);
  const staff = await portal.pageFor("admin");
  const link = await remind(portal, staff, id);

  const phone = await portal.pageFor(null);
  await phone.setViewportSize({ width: 360, height: 740 });
  const answer = await phone.goto(link);
  expect(answer!.headers()["set-cookie"]).toBeUndefined();
  await expect(phone.getByRole("heading", { name: "Din tid, Åse" })).toBeVisible();
  await expect(phone.getByText("kl. 10.15, regn med 45 minutter")).toBeVisible();
  expect(await phone.locator("script").count()).toBe(0);
  await expect(phone.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  if (javaScriptEnabled) await expectAccessible(phone);
  const calendar = await phone.request.get(
    (await phone.getByRole("link", { name: "Tilføj til kalender" }).getAttribute("href"))!,
  );
  expect([calendar.status(), calendar.headers()["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);

  await press(phone, "confirmAppointment");
  await expect(phone.getByText("Tak. Vi har noteret, at du kommer.")).toBeVisible();
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator("#plan").getByText(/^Bekræftet/)).toBeVisible();

  await phone.getByRole("link", { name: "Meld afbud" }).click();
  await expect(phone.getByRole("heading", { name: "Vil du melde afbud?" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(phone);
  await staff.reload();
  await expect(staff.locator("#plan").getByText(/^Bekræftet/)).toBeVisible();
  await expect(phone.getByText(/Er du blevet dårligere, så ring til os på [\d\s]{8,}\./)).toBeVisible();
  await phone.getByLabel(/Besked til klinikken/).fill("Jeg er blevet syg");
  await press(phone, "cancelAppointment");
  await expect(phone.getByText("Tak for beskeden. Tiden er aflyst, og vi kontakter dig om en ny.")).toBeVisible();
  await staff.reload();
  await expect(staff.locator("#plan").getByText(/^Afbud \d+ dage før/)).toBeVisible();
  await expect(staff.locator("#plan").getByText("Jeg er blevet syg")).toBeVisible();

  await staff.locator("#plan").getByRole("button", { name: "Fortryd afbud" }).click();
  await expect(staff.getByText(`Afbuddet er fortrudt. Nr. ${id} har sin tid igen.`).first()).toBeVisible();
  await phone.goto(link);
  await expect(phone.getByRole("button", { name: "Jeg kommer" })).toBeVisible();
});

test("a cancelled time goes to a waiting patient; the first cannot undo it", async ({ portal, javaScriptEnabled }) => {
  const type = await portal.withDatabase((db) =>
    db
      .insertInto("treatmentType")
      .values({
        name: `Prøvetype ${Date.now()}`,
        nameSort: "prøvetype",
        externalAppointmentIds: "",
        patientRecommendationLink: null,
        deletedAt: null,
      })
      .executeTakeFirstOrThrow(),
  );
  const typeId = Number(type.insertId);
  const cancelled = await withTime(portal, { treatmentTypeId: typeId, firstName: "Ane" });
  const waiting = await withTime(portal, {
    treatmentTypeId: typeId,
    status: 12,
    operationDate: null,
    firstName: "Bodil",
    lastName: "Venter",
  });
  const staff = await portal.pageFor("admin");
  const link = await remind(portal, staff, cancelled);
  const phone = await portal.pageFor(null);
  await phone.setViewportSize({ width: 360, height: 740 });
  await phone.goto(`${link}&afbud=1`);
  await press(phone, "cancelAppointment");
  await expect(phone.getByText(/Tiden er aflyst/).first()).toBeVisible();

  await staff.setViewportSize({ width: 1280, height: 900 });
  await staff.goto("/management/sms");
  const place = staff
    .getByRole("complementary", { name: "Ledige tider" })
    .getByRole("listitem")
    .filter({ hasText: "Bodil Venter" });
  await place.getByRole("button", { name: "Tilbyd tiden" }).click();
  await expect(staff.getByText(`Tiden er tilbudt nr. ${waiting}.`, { exact: false }).first()).toBeVisible();
  const offer = await linkInSms(portal, /Vil du have den/);
  const other = await portal.pageFor(null);
  await other.goto(offer);
  await expect(other.getByRole("heading", { name: "Vil du have tiden, Bodil?" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(other);
  await phone.goto(link);
  await expect(phone.getByText(/Tiden er givet videre/)).toBeVisible();
  await press(other, "acceptOfferedTime");
  await expect(other.getByText("Tak. Vi har noteret, at du kommer.")).toBeVisible();
  await staff.goto(`/management/overview/${waiting}`);
  await expect(
    staff
      .locator("#plan")
      .getByText(/kl\. 10\.15/)
      .first(),
  ).toBeVisible();
});

test("a text that is too long is refused at its field and stays", async ({ portal }) => {
  const id = await withTime(portal);
  const link = await remind(portal, await portal.pageFor("admin"), id);
  const phone = await portal.pageFor(null);
  await phone.goto(`${link}&afbud=1`);
  const field = phone.getByLabel(/Besked til klinikken/);
  // Simulates browsers that ignore `maxlength`.
  await field.evaluate((area) => area.removeAttribute("maxlength"));
  await field.fill("x".repeat(501));
  await press(phone, "cancelAppointment");
  await expect(phone.getByText("Teksten er for lang: højst 500 tegn, og her er 501.")).toBeVisible();
  await expect(field).toHaveValue("x".repeat(501));
  await phone.goto(link);
  await expect(phone.getByRole("button", { name: "Jeg kommer" })).toBeVisible();
});

test("reminder settings are saved, and errors are shown at their fields", async ({ portal, javaScriptEnabled }) => {
  const staff = await portal.pageFor("admin");
  await staff.goto("/management/settings/paamindelser");
  await staff.getByLabel("Dage før, 3. påmindelse").fill("2");
  await staff.getByLabel("Dage før, 2. påmindelse").fill("2");
  await press(staff, "saveReminderSettings");
  await expect(staff.getByText("To påmindelser på samme dag. Vælg forskellige dage.").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.getByLabel("Dage før, 3. påmindelse").fill("");
  await press(staff, "saveReminderSettings");
  await expect(staff.getByText(/Påmindelserne er gemt/).first()).toBeVisible();
});

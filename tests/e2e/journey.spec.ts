import type { Page } from "@playwright/test";
import { postForm } from "./post-form";
import { expect, expectAccessible, press, test } from "./portal";
import { addImages } from "./referrals";
import { aPdf } from "../support/pdf";

test.use({ matrix: "with script" });

const ct = "tests/files/dicom/CT_small.dcm";
const pdf = aPdf();

const patient = {
  cpr6: "251248",
  cpr4: "9996",
  firstName: "Nancy Ann",
  lastName: "Berggren",
  address: "Testpark Allé 48",
  zip: "3400",
  city: "Hillerød",
  mobilePhone: "10 48 00 26",
  desiredTreatment: "Operativ fjernelse af 48.\nTæt på nervekanalen.",
  diagnose: "Perikoronit",
};

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).first().fill(value);
}

async function sendReferral(page: Page, isScripted: boolean): Promise<number> {
  await page.goto("/management/henvisning-tandlaeger");
  await fill(page, patient);
  await page.getByLabel("Forsikringssag", { exact: true }).check();
  await fill(page, { insuranceCompany: "Bælt Forsikring", policeClaim: "123456" });
  await page
    .locator('[name="approval"]')
    .setInputFiles({ name: "Bevilling æøå.pdf", mimeType: "application/pdf", buffer: pdf });
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  await addImages(page, ct, 4, isScripted);
  await expect(page.getByText("CT_small.dcm", { exact: true })).toBeVisible();
  await press(page, "sendReferral");
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();
  return Number(new URL(page.url()).searchParams.get("nr"));
}

test("a dentist sends a referral, staff set its status, the dentist sees it", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const id = await sendReferral(dentist, Boolean(javaScriptEnabled));

  const staff = await portal.pageFor("admin");
  await staff.goto("/management/overview");
  const row = staff.locator(`#r${id}`);
  await expect(row).toContainText("Nancy Ann Berggren");
  await expect(row).toContainText("251248-9996");
  await row.locator(".c-open a").click();
  await expect(staff).toHaveURL(new RegExp(`/overview/${id}`));
  const open = staff.getByRole("article", { name: `Henvisning nr. ${id}` });
  await expect(open).toContainText("Tæt på nervekanalen.");
  await expect(open).toContainText("Bælt Forsikring");
  await expect(open).toContainText("Mette Kjærgaard");
  await expect(open.getByRole("link", { name: "Bevilling æøå.pdf" })).toBeVisible();
  const thumbnail = open.locator("img").first();
  await thumbnail.scrollIntoViewIfNeeded();
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(10);

  const answer = await staff.request.get(`/management/overview/${id}/pdf`);
  expect(answer.headers()["content-type"]).toBe("application/pdf");
  expect((await answer.body()).subarray(0, 5).toString()).toBe("%PDF-");

  await staff.goto("/management/overview");
  await row.locator("select").selectOption("2");
  await row.getByRole("button", { name: /GEM/ }).click();
  await expect(staff.getByText(`Nr. ${id} er nu Visiteret.`)).toBeVisible();

  await dentist.goto(`/management/overview/${id}`);
  await expect(dentist.locator(`#r${id}`)).toContainText("Visiteret");
  await expect(dentist.locator("#log")).toHaveCount(0);
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator("#log")).toContainText("Henvisningen er modtaget");
});

test("another clinic's dentist cannot learn that the referral exists", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const id = await sendReferral(dentist, Boolean(javaScriptEnabled));
  const other = await portal.pageFor("tandlaege2");
  for (const address of [
    `/management/overview/${id}`,
    `/management/overview/${id}/pdf`,
    `/management/overview/${id}/files/1`,
    `/pdf/visit?id=${id}`,
  ]) {
    const theirs = await other.request.get(address);
    const nobodys = await other.request.get(address.replace(String(id), "99999999"));
    expect([theirs.status(), nobodys.status()], address).toEqual([404, 404]);
  }
});

test("of two people at one referral the second gets a conflict", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const id = await sendReferral(dentist, Boolean(javaScriptEnabled));
  const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [first, second]) await page.goto("/management/overview");
  await first.locator(`#r${id} select`).selectOption("3");
  await first.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  await expect(first.getByText(`Nr. ${id} er nu Klar til indkaldelse.`)).toBeVisible();
  await second.locator(`#r${id} select`).selectOption("8");
  await second.locator(`#r${id}`).getByRole("button", { name: /GEM/ }).click();
  await expect(second.getByText("Henvisningen er ændret, siden du åbnede den")).toBeVisible();
  await first.goto("/management/overview");
  await expect(first.locator(`#r${id} select`)).toHaveValue("3");
});

test("pressing Send twice sends once, and both lead to the receipt", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  const id = await sendReferral(page, Boolean(javaScriptEnabled));
  await page.goBack();
  const again = await postForm(page, `/management/henvisning-tandlaeger?kladde=${id}&trin=3`, {
    intent: "sendReferral",
    formId: "step3",
    referralId: id,
    formKey: "again",
    radiographType: "0",
    radiographsSendType: "0",
  });
  expect([again.status(), again.headers().location]).toEqual([303, `/management/visit-sent?nr=${id}`]);
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator("#log li", { hasText: "Henvisningen er modtaget" })).toHaveCount(1);
});

test("every page of the journey is accessible and fits 320 px", async ({ portal, javaScriptEnabled, database }) => {
  test.skip(
    !javaScriptEnabled || database !== "sqlite",
    "axe needs scripts, and looks at the same markup on both databases",
  );
  test.setTimeout(300_000);
  const page = await portal.pageFor("tandlaege");
  const id = await sendReferral(page, Boolean(javaScriptEnabled));
  const staff = await portal.pageFor("admin");
  const visitor = await portal.pageFor(null);
  for (const [who, address] of [
    [page, "/management/henvisning-tandlaeger"],
    [page, "/management/visit-sent"],
    [page, "/management/overview"],
    [page, "/management/draft-visits"],
    [staff, "/management/overview"],
    [staff, `/management/overview/${id}`],
    [staff, `/management/overview/${id}?ret=patient`],
    [staff, `/management/overview/${id}?ret=henvisning`],
    [staff, `/management/overview/${id}?ret=plan`],
    [staff, `/management/overview/${id}?ret=henviser`],
    [page, `/management/overview/${id}`],
    [staff, "/management/aftaletider"],
    [staff, "/management/henvisning-tandlaeger"],
    [staff, "/management/draft-visits"],
    [staff, "/management/change-password"],
    [staff, "/management/change-password?skiftet=1"],
    [staff, "/management/findes-ikke"],
    [page, "/management/betingelser"],
    [page, "/management/draft-visits?slettet=1"],
    [staff, "/dev/outbox"],
    [staff, "/api/docs"],
    [visitor, "/login"],
    [visitor, "/login?glemt=1"],
    [visitor, "/change-password?userName=a&token=b"],
    [visitor, "/tilgaengelighed"],
    [visitor, "/findes-ikke"],
  ] as const) {
    await who.goto(address);
    for (const width of [1280, 320]) {
      await who.setViewportSize({ width, height: 800 });
      await expectAccessible(who);
      const overflow = await who.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${address} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

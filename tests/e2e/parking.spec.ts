import { answerTo, expect, expectAccessible, press, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

function dayIn(days: number): { iso: string; shown: string } {
  const iso = new Date(Date.now() + days * 86_400_000).toLocaleDateString("sv-SE", { timeZone: "Europe/Copenhagen" });
  return { iso, shown: iso.split("-").reverse().join(".") };
}

test("staff book parking for a patient, who gets an SMS", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const day = dayIn(4);
  const time = { mobilePhone: "+45 40 77 00 01", status: 6, operationDate: day.iso, operationHour: 9 };
  await portal.withDatabase((db) => db.updateTable("referral").set(time).where("id", "=", id).execute());

  const other = await portal.pageFor("sekretaer");
  const refused = await other.goto("/management/parking");
  expect(refused!.status()).toBe(403);
  await expect(other.getByText("Access Denied by Role")).toBeVisible();

  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  await page.getByRole("link", { name: "Parkering" }).click();
  await expect(page.getByRole("heading", { name: "BOOK PARKERING" })).toBeVisible();
  const external = page.getByRole("link", { name: /Eksternt link/ });
  await expect(external).toHaveAttribute("href", `${portal.origin}/book-parking`);
  await expect(external).toHaveAttribute("target", "_blank");
  await expect(page.getByRole("textbox", { name: "Booking Dato" })).toHaveValue(dayIn(0).shown);

  const book = page.getByRole("button", { name: "Book", exact: true });
  if (javaScriptEnabled) await expect(book).toBeDisabled();
  await page.getByLabel("Nummerplade").pressSequentially("qx 20-002");
  if (!javaScriptEnabled) await page.getByRole("button", { name: "Slå nummerplade op" }).click();
  await expect(page.getByText("Toyota Yaris, rød")).toBeVisible();
  await page.getByLabel("Mobiltelefon").fill("12-34");
  await page.getByRole("textbox", { name: "Booking Dato" }).fill(day.shown);
  await press(page, "bookParking");
  await expect(page.getByText(/Vær opmærksom på at dette felt er til telefonnummer/).first()).toBeVisible();
  await expect(page.getByLabel("Nummerplade")).toHaveValue("qx 20-002");
  await page.getByLabel("Mobiltelefon").fill("40 77 00 01");
  if (javaScriptEnabled) await expect(page.getByText(/Vær opmærksom på at dette felt er til/)).toHaveCount(0);
  await expect(page.getByLabel("Nummerplade")).toHaveValue("qx 20-002");
  await press(page, "bookParking");
  await expect(page.getByText("PARKERING FOR: QX20002 ER BEKRÆFTET - TJEK SMS")).toBeVisible();
  await expect(page.getByLabel("Nummerplade")).toHaveValue("");
  await expect(page.getByRole("textbox", { name: "Booking Dato" })).toHaveValue(dayIn(0).shown);
  const row = page.getByRole("row").filter({ hasText: "QX20002" });
  await expect(row.getByRole("link")).toHaveAttribute("href", `/management/overview/${id}`);
  await expect(row).toContainText("40 77 00 01");
  await expect(row.locator("td").nth(4)).toHaveText(day.shown);
  if (javaScriptEnabled) {
    await expectAccessible(page);
    await page.getByLabel("Nummerplade").fill("AB");
    await expect(page.getByText("ER BEKRÆFTET")).toBeHidden();
  }
  const outbox = await portal.pageFor(null);
  await outbox.goto("/dev/outbox");
  await expect(outbox.getByText(/er booket .* Nummerplade: QX20002. Referencenummer: /).first()).toBeVisible();
});

test("somebody registers their car on a small phone", async ({ portal, javaScriptEnabled }) => {
  const phone = await portal.pageFor(null);
  await phone.setViewportSize({ width: 360, height: 740 });
  const answer = await phone.goto("/book-parking");
  expect(answer!.headers()["set-cookie"]).toBeUndefined();
  await expect(phone.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  expect(await phone.locator("script").count()).toBe(1);
  await expect(phone.getByRole("heading", { name: "REGISTRER DIN BIL HER" })).toBeVisible();
  await expect(phone.getByLabel("Booking dato:")).toHaveValue(dayIn(0).iso);
  await expect(phone.getByLabel("Booking dato:")).toHaveAttribute("min", dayIn(0).iso);

  await expect(phone.getByRole("button", { name: "BEKRÆFT PARKERING" })).toBeVisible();
  const unknown =
    "Nummerpladen kan ikke findes, tjek venligst igen. Hvis du mener det er korrekt, har du muligheden for at booke alligevel";
  await phone.getByLabel("Din nummerplade:").pressSequentially("zz 88 888");
  if (javaScriptEnabled) await expect(phone.getByText(unknown)).toBeVisible();
  await phone.getByLabel("Mobilnummer:").fill("40 77 00 02");
  await phone.getByLabel("Bekræft mobilnr.:").fill("40 77 00 03");
  await press(phone, "registerCar");
  await expect(phone.getByText("Mobilnumre skal være ens").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(phone);
  await phone.getByLabel("Bekræft mobilnr.:").fill("+4540770002");
  await press(phone, "registerCar");
  // With JavaScript it is shown while typing; without, before booking.
  if (!javaScriptEnabled) {
    await expect(phone.getByText(unknown)).toBeVisible();
    await answerTo(phone, () => phone.getByRole("button", { name: "Book alligevel" }).click());
  }
  await expect(phone.getByText("PARKERING FOR: ZZ88888 ER BEKRÆFTET - TJEK SMS")).toBeVisible();
  await expect(phone.getByLabel("Mobilnummer:")).toHaveValue("");
  if (javaScriptEnabled) await expectAccessible(phone);

  await phone.getByLabel("Din nummerplade:").pressSequentially("qx12345");
  if (javaScriptEnabled) {
    await expect(phone.getByText("ER BEKRÆFTET")).toBeHidden();
    await expect(phone.getByText("Volkswagen Golf, blå")).toBeVisible();
  }
  await phone.getByLabel("Mobilnummer:").fill("40770002");
  await phone.getByLabel("Bekræft mobilnr.:").fill("40770002");
  await press(phone, "registerCar");
  await expect(phone.getByText("PARKERING FOR: QX12345 ER BEKRÆFTET - TJEK SMS")).toBeVisible();

  await expect(phone.getByText("hvis mobilnummeret er dansk, færøsk")).toBeVisible();
  await phone.getByLabel("Mobilnummer:").fill("+44 7400 123456");
  await phone.getByLabel("Bekræft mobilnr.:").fill("+447400123456");
  await press(phone, "registerCar");
  await expect(phone.getByText("PARKERING ER BEKRÆFTET. Der sendes ingen SMS")).toBeVisible();

  const staff = await portal.pageFor("kirurg");
  await staff.goto("/management/parking");
  for (const plate of ["ZZ88888", "QX12345"])
    await expect(staff.getByRole("row").filter({ hasText: plate }).locator("td").first()).toHaveText("--");
});

import { expect, press, test } from "./portal";
import { addImages } from "./referrals";
import { fill } from "./wizard-page";

test.use({ matrix: "with script" });

const wizard = "/management/henvisning-tandlaeger";
const who = ["admin", "kirurg", "sekretaer", "tandlaegesekretaer", "tandlaege"] as const;
const payments = ["Egenbet", "Forsikringssag", "Regionstandpleje", "BUT"];
const approvals = ["Uploades nu", "Sendes med post", "Sendes på e-mail", "Intet ekstra materiale"];
const ways = ["Uploades nu", "Sendes med post", "Sendes med krypteret mail/EDI", "Intet ekstra materiale"];

const payer: Record<string, Record<string, string>> = {
  Egenbet: {},
  Forsikringssag: { insuranceCompany: "Bælt Forsikring", policeClaim: "P-1" },
  Regionstandpleje: {
    regionNumber: "5790000000001",
    regionInstitution: "Kommunens tandpleje",
    regionAddress: "Åvej 2",
    regionZip: "8000",
    regionCity: "Århus",
  },
  BUT: {
    regionNumber: "5790000000002",
    regionInstitution: "Børnetandplejen",
    regionAddress: "Øvej 3",
    regionZip: "5000",
    regionCity: "Odense",
  },
};
const patient = {
  firstName: "Åse",
  lastName: "Kjær",
  profession: "Lærer",
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  mobilePhone: "20 00 00 00",
  phone: "86 00 00 00",
  desiredTreatment: "Fjernelse af 38.",
  diagnose: "Æ",
  previousTreatment: "Ø",
  comment: "Å",
};
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

// Each payment, approval and way of sending is covered by some role here, and by every role in
// app/features/referrals/wizard/referral-round-trip.test.ts.
for (const [index, userName] of who.entries()) {
  const [payment, approval, way] = [payments[index % 4]!, approvals[(index + 1) % 4]!, ways[(index + 2) % 4]!];
  test(`${userName}: ${payment}, ${approval}, ${way}`, async ({ portal, javaScriptEnabled }) => {
    const page = await portal.pageFor(userName);
    await page.goto(wizard);
    const typed = { ...patient, cpr6: "680176", cpr4: String(3000 + index), ...payer[payment] };
    await page.getByRole("group", { name: "Betaling" }).getByLabel(payment, { exact: true }).check();
    await fill(page, typed);
    if (payment !== "Egenbet")
      await page
        .getByRole("group", { name: "Behandlingsgodkendelse", exact: true })
        .getByLabel(approval, { exact: true })
        .check();
    await page.getByLabel("Haste henvisning").check();
    await page.getByLabel("Bedes indkaldt").check();
    await press(page, "savePatient");
    await expect(page).toHaveURL(userName === "tandlaege" ? /trin=3/ : /trin=2/);
    const id = new URL(page.url()).searchParams.get("kladde")!;
    if (userName !== "tandlaege" && javaScriptEnabled) {
      await page.getByRole("combobox", { name: "Henviser" }).click();
      await page.getByRole("listbox").getByRole("option").first().click();
    } else if (userName !== "tandlaege") {
      await page.getByRole("radio").first().check();
    }
    if (userName !== "tandlaege") await press(page, "saveReferrer");
    await expect(page).toHaveURL(/trin=3/);
    await page.locator('[name="radiographsSendType"]').nth(ways.indexOf(way)).check();
    if (way === ways[0]) {
      await addImages(page, [{ name: "48.png", mimeType: "image/png", buffer: pixel }], 0, Boolean(javaScriptEnabled));
      await expect(page.getByText("1 fil er modtaget.", { exact: true })).toBeVisible();
    }
    await press(page, "sendReferral");
    if (payment !== "Egenbet" && approval === approvals[0]) {
      await expect(page.locator(".errors")).toContainText("Behandlingsgodkendelsen er ikke vedhæftet");
      await press(page, "sendReferral");
    }
    await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();

    const staff = await portal.pageFor("admin");
    await staff.goto(`${wizard}?visitId=${id}`);
    for (const [name, value] of Object.entries(typed))
      await expect(staff.locator(`[name="${name}"]`), name).toHaveValue(value);
    await expect(staff.getByRole("group", { name: "Betaling" }).getByLabel(payment, { exact: true })).toBeChecked();
    for (const label of ["Haste henvisning", "Bedes indkaldt"]) await expect(staff.getByLabel(label)).toBeChecked();
    await staff.goto(`${wizard}?kladde=${id}&trin=3`);
    await expect(staff.locator('[name="radiographsSendType"]').nth(ways.indexOf(way))).toBeChecked();
  });
}

import { deflateSync } from "node:zlib";
import { expect, expectAccessible, press, test } from "./portal";

test.use({ matrix: "with script" });

const smsText = "/management/settings/beskeder/callUp/sms";

test("the gear leads staff to the settings, and nobody else", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  await page.getByRole("link", { name: "Indstillinger" }).first().click();
  await expect(page).toHaveURL(/\/management\/settings$/);
  await expect(page.getByRole("heading", { name: "Indstillinger" })).toBeVisible();
  await expect(page.getByText(/^Version \d+\.\d+\.\d+$/)).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  const dentist = await portal.pageFor("tandlaege");
  await dentist.goto("/management/overview");
  await expect(dentist.getByRole("link", { name: "Indstillinger" })).toHaveCount(0);
  expect((await dentist.goto(smsText))!.status()).toBe(403);
  await expect(dentist.getByText("Access Denied by Role")).toBeVisible();
});

test("a text is refused, shown, saved as a version, and an earlier one is used again", async ({
  portal,
  javaScriptEnabled,
}) => {
  await portal.withDatabase((db) => db.deleteFrom("messageTemplate").execute());
  const page = await portal.pageFor("admin");
  await page.goto(smsText);
  const text = page.getByLabel("Tekst", { exact: true });
  const preview = page.getByRole("region", { name: "Sådan ser den ud" });
  await text.fill("Kære ((navn)), din operation");
  await press(page, "saveMessageText");
  await expect(page.getByText(/\(\(navn\)\) kendes ikke/).first()).toBeVisible();
  await expect(page.getByText(/Det hører ikke hjemme i en SMS: »operation«/).first()).toBeVisible();
  await expect(text).toHaveValue("Kære ((navn)), din operation");

  const long = `Kære ((fornavn)) – ring til ((klinik)). ${"a".repeat(60)}`;
  await text.fill(long);
  if (javaScriptEnabled) await expect(preview.getByRole("button", { name: "Vis igen" })).toHaveCount(0);
  else await press(page, "previewMessageText");
  await expect(preview).toContainText("Kære Nancy Ann – ring til");
  await expect(preview).toContainText("2 SMS-dele");
  await expect(preview).toContainText("Tegnet »–« gør beskeden til to dele i stedet for én.");
  await preview.getByRole("button", { name: "Erstat" }).click();
  await expect(text).toHaveValue(long.replace("–", "-"));
  await expect(preview).toContainText("1 SMS-del");

  if (javaScriptEnabled) {
    await text.fill("Kære . Ring til os.");
    await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 5));
    await page.getByRole("button", { name: "((fornavn))" }).click();
    await expect(text).toHaveValue("Kære ((fornavn)). Ring til os.");
  } else await text.fill("Kære ((fornavn)). Ring til os.");
  await page.getByRole("button", { name: "Gem som version 1" }).click();
  await expect(page.getByText("Teksten er gemt som version 1.").first()).toBeVisible();
  await expect(page.getByText(/^Version 1 · /)).toBeVisible();
  await expect(text).toHaveValue("Kære ((fornavn)). Ring til os.");

  await page.getByText("Tidligere", { exact: true }).click();
  await page.getByRole("link", { name: /Brug denne igen/ }).click();
  await expect(page.getByText("I feltet står portalens egen tekst.")).toBeVisible();
  await expect(text).toHaveValue(/så finder vi en tid/);
  await page.getByRole("button", { name: "Gem som version 2" }).click();
  await expect(page.getByText(/^Version 2 · /)).toBeVisible();
  await expect(text).toHaveValue(/så finder vi en tid/);
});

test("the second of two edits shows the first at its field and can be saved", async ({ portal }) => {
  await portal.withDatabase((db) => db.deleteFrom("messageTemplate").execute());
  const [one, other] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const page of [one, other]) await page.goto(smsText);
  const text = other.getByLabel("Tekst", { exact: true });
  await one.getByLabel("Tekst", { exact: true }).fill("Den ene tekst");
  await press(one, "saveMessageText");
  await text.fill("Den anden tekst");
  await press(other, "saveMessageText");
  await expect(other.locator("#messageText-body-error")).toHaveText("Nu: version 1");
  await expect(other.locator(".notice", { hasText: "Nu: Version 1 · " })).toContainText("Den ene tekst");
  await expect(text).toHaveValue("Den anden tekst");
  await press(other, "saveMessageText");
  await expect(other.getByText(/^Version 2 · /)).toBeVisible();
  await expect(text).toHaveValue("Den anden tekst");
});

test("letterhead, logo and senders are set, and the letter is there as a PDF", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  await page.goto("/management/settings/breve");
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByLabel("Klinikkens navn").fill("Kæbekirurgerne");
  await page.getByLabel("Fra venstre (mm)").fill("300");
  await press(page, "saveLetterSettings");
  await expect(page.getByText("Skriv et tal i millimeter, 10-115.").first()).toBeVisible();
  await expect(page.getByLabel("Klinikkens navn")).toHaveValue("Kæbekirurgerne");
  await page.getByLabel("Fra venstre (mm)").fill("22,5");
  await page.getByLabel("Dan brevbunken kl.").selectOption("07");
  await press(page, "saveLetterSettings");
  await expect(page.getByText("Brevene er gemt.").first()).toBeVisible();

  await page
    .getByLabel(/^Vælg et (andet )?logo$/)
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: aPng() });
  await press(page, "saveLetterLogo");
  await expect(page.getByText("Nu: logo.jpg")).toBeVisible();
  const sample = await page.request.get("/management/settings/breve/brev.pdf");
  expect(sample.headers()["content-type"]).toBe("application/pdf");
  expect((await sample.body()).toString("latin1")).toContain("/DCTDecode");
  await press(page, "removeLetterLogo");
  await expect(page.getByText("Nu: klinikkens navn med bogstaver")).toBeVisible();

  await page.getByLabel("Afsender af SMS").fill("Kæberne");
  await press(page, "saveSenders");
  await expect(page.getByText(/Skriv et navn på 3-11 bogstaver/).first()).toBeVisible();
  await page.getByLabel("Afsender af SMS").fill("Kirurgerne");
  await press(page, "saveSenders");
  await expect(page.getByText("Afsenderne er gemt.").first()).toBeVisible();
  await page.goto(smsText);
  await expect(page.getByRole("region", { name: "Sådan ser den ud" })).toContainText("Kirurgerne");
});

function aPng(): Buffer {
  const [width, height] = [60, 20];
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 3 + 1) * height, 90);
  for (let row = 0; row < height; row++) rows[row * (width * 3 + 1)] = 0;
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

test("a treatment type is added, given its code, met in the import's log, and deleted", async ({
  portal,
  javaScriptEnabled,
}) => {
  const name = javaScriptEnabled ? "Æstetisk kontrol" : "Øjebliksvurdering";
  const page = await portal.pageFor("admin");
  await page.goto("/management/settings");
  const types = page.getByRole("region", { name: "Behandlingstyper" });
  if (javaScriptEnabled) await expect(types.getByRole("button", { name: "tilføj" })).toBeDisabled();
  else {
    await types.getByRole("button", { name: "tilføj" }).click();
    await expect(page.getByText("Skriv behandlingstypens navn.").first()).toBeVisible();
  }
  await types.getByLabel("Ny behandlingstype").fill(name);
  await types.getByRole("button", { name: "tilføj" }).click();
  await expect(page.getByText(`Behandlingstypen ${name} er tilføjet.`).first()).toBeVisible();

  await types.getByRole("link", { name: `Redigere behandlingstype ${name}` }).click();
  await expect(page.getByRole("heading", { name: "Redigere behandlingstype" })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await page.getByLabel("Eksternt Id").fill("OP-48");
  await page.getByRole("button", { name: "GEM" }).click();
  await expect(page.getByText(/^Koden OP-48 hører allerede til /).first()).toBeVisible();
  await page.getByLabel("Eksternt Id").fill(`KODE-${javaScriptEnabled ? 1 : 2}`);
  await page.getByRole("button", { name: "GEM" }).click();
  await expect(page.getByText(`Behandlingstypen ${name} er gemt.`).first()).toBeVisible();

  const csv = `CPR;Dato;Tid;Kode\n010190-0000;01.12.2099;10:00;KODE-${javaScriptEnabled ? 1 : 2}\n`;
  await page.getByLabel("CSV-fil").setInputFiles({ name: "tider.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await press(page, "uploadAppointments");
  await page.getByRole("button", { name: "Importér filen" }).click();
  const log = page.getByRole("region", { name: "AFTALETIDSIMPORT" });
  await expect(async () => {
    await page.goto("/management/settings");
    if (!(await log.getByLabel("Ekstern kode").isVisible())) await log.getByText("Filtre").first().click();
    await log.getByLabel("Ekstern kode").fill(`KODE-${javaScriptEnabled ? 1 : 2}`);
    await log.getByRole("button", { name: "Søg" }).click();
    await expect(log.getByRole("row", { name: /010190-0000/ })).toContainText("Patient ikke fundet", { timeout: 2000 });
  }).toPass();
  if (javaScriptEnabled) await expectAccessible(page);

  await page.goto("/management/settings");
  await types.getByRole("link", { name: `Slette ${name}` }).click();
  await expect(page.getByText("Er du sikker på, at du vil slette behandlingstype ?")).toBeVisible();
  await page.getByRole("button", { name: "slette" }).click();
  await expect(page.getByText(`Behandlingstypen ${name} er slettet.`).first()).toBeVisible();
  await expect(types.getByText(name)).toHaveCount(0);
});

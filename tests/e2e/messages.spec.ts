import type { Page } from "@playwright/test";
import { drawRadiograph } from "../../app/demo/content/drawn-images.server";
import { answerTo, expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { installClock } from "./profiles";
import { aReferral, fromQueue } from "./referrals";

test.use({ matrix: "without script" });

const section = (page: Page) => page.getByRole("region", { name: "Beskeder" });
const open = async (page: Page, id: number) => {
  await page.goto(`/management/overview/${id}?sort=-1`);
  await expect(section(page)).toBeVisible();
};

async function bothSides(portal: RunningPortal) {
  const [dentist, staff] = [await portal.pageFor("tandlaege"), await portal.pageFor("admin")];
  const { id } = await aReferral(dentist);
  await installClock(dentist);
  await open(dentist, id);
  return { dentist, staff, id };
}

/** Triggers the page's account poll. */
const lookAtAccount = (page: Page) => page.clock.fastForward(11_000);

test("a dentist asks, the clinic sees it in the list and answers, and the marks follow", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { dentist, staff, id } = await bothSides(portal);
  await expect(section(dentist)).toContainText("Ingen data... Skriv den første besked til klinikken.");
  await dentist.getByLabel("Skriv til klinikken").fill("Hvornår får patienten tid?\nHun har smerter.");
  await press(dentist, "writeMessage");
  await expect(dentist.getByText("Beskeden er sendt.")).toBeVisible();
  await expect(section(dentist).getByRole("listitem")).toContainText("Hun har smerter.");
  await expect(dentist.getByLabel("Skriv til klinikken")).toHaveValue("");

  await staff.goto("/management/overview");
  await expect(staff.locator(`#r${id}`).getByText("Besked")).toBeAttached();
  await open(staff, id);
  await expect(section(staff)).toContainText("1 ny");
  await expect(section(staff)).toContainText("Mette Kjærgaard");
  if (javaScriptEnabled) await expectAccessible(staff);
  await press(staff, "markMessages");
  await expect(section(staff).getByRole("button", { name: "Marker som ulæst" })).toBeVisible();
  await staff.goto("/management/overview");
  await expect(staff.locator(`#r${id}`).getByText("Besked")).toBeAttached();
  await open(staff, id);
  await staff.getByLabel("Skriv til henviseren").fill("På mandag kl. 10.");
  await press(staff, "writeMessage");
  await expect(section(staff)).toContainText("På mandag kl. 10.");
  await staff.goto("/management/overview");
  await expect(staff.locator(`#r${id}`)).toBeVisible();
  await expect(staff.locator(`#r${id}`).getByText("Besked")).toHaveCount(0);

  if (!javaScriptEnabled) await section(dentist).getByRole("link", { name: "Opdatér" }).click();
  else await lookAtAccount(dentist);
  await expect(section(dentist)).toContainText("På mandag kl. 10.");
  await expect(section(dentist)).toContainText("1 ny");
  if (javaScriptEnabled) await expectAccessible(dentist);
});

test("a message sent from an older page of a long thread is shown", async ({ portal }) => {
  const { dentist, id } = await bothSides(portal);
  await dentist.getByLabel("Skriv til klinikken").fill("Den første.");
  await press(dentist, "writeMessage");
  await expect(section(dentist).getByRole("listitem")).toContainText("Den første.");
  await portal.withDatabase(async (db) => {
    const first = db.selectFrom("message").selectAll().where("referralId", "=", id);
    const { id: _, ...copy } = await first.executeTakeFirstOrThrow();
    await db
      .insertInto("message")
      .values(Array.from({ length: 50 }, () => copy))
      .execute();
  });
  await dentist.goto(`/management/overview/${id}?sort=-1&beskeder=1`);
  await dentist.getByLabel("Skriv til klinikken").fill("Den sidste.");
  await press(dentist, "writeMessage");
  await expect(dentist.getByText("Beskeden er sendt.")).toBeVisible();
  await expect(section(dentist).getByText("Den sidste.")).toBeVisible();
});

test("unanswered messages are answered one after the other by keys", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "keys need JavaScript");
  const { dentist, staff, id } = await bothSides(portal);
  await dentist.getByLabel("Skriv til klinikken").fill("Hvornår får patienten tid?");
  await press(dentist, "writeMessage");
  await expect(dentist.getByText("Beskeden er sendt.")).toBeVisible();
  await staff.goto("/management/overview");
  await settled(staff);
  await fromQueue(staff, /ny besked|nye beskeder/);
  await expect(staff).toHaveURL(new RegExp(`/${id}\\?.*#beskeder$`));
  const composer = staff.getByLabel("Skriv til henviseren");
  await expect(composer).toBeInViewport();
  await settled(staff);
  await staff.keyboard.press("m");
  await expect(composer).toBeFocused();
  await staff.keyboard.type("På mandag.");
  await answerTo(staff, () => staff.keyboard.press("Control+Enter"));
  const head = (await staff.locator(".ref-head").boundingBox())!;
  const sent = (await staff.getByText("Beskeden er sendt.").boundingBox())!;
  expect(sent.y, "the snackbar leaves the patient's name free").toBeGreaterThan(head.y + head.height);
  await expect(section(staff).getByRole("link", { name: /^Næste \(\d+ tilbage\)|^Til oversigten$/ })).toBeFocused();
});

test("what is being typed stays when a newer message arrives", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript there is no polling");
  const { dentist, staff, id } = await bothSides(portal);
  await dentist.getByLabel("Skriv til klinikken").fill("Halvt skrev");
  await open(staff, id);
  await staff.getByLabel("Skriv til henviseren").fill("Har I et billede?");
  await press(staff, "writeMessage");
  await lookAtAccount(dentist);
  await expect(section(dentist)).toContainText("Har I et billede?");
  await expect(dentist.getByLabel("Skriv til klinikken")).toHaveValue("Halvt skrev");
  await dentist.route("**/*", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await dentist.locator('button[value="writeMessage"]').click();
  await expect(
    section(dentist).getByText("!! SOMETHING WENT WRONG !! Forbindelsen blev afbrudt, og svaret kom ikke frem."),
  ).toBeVisible();
  await expect(dentist.getByText("!! SOMETHING WENT WRONG !!")).toHaveCount(1);
  await expect(dentist.getByLabel("Skriv til klinikken")).toHaveValue("Halvt skrev");
  await dentist.unroute("**/*");
  await press(dentist, "writeMessage");
  await expect(section(dentist).getByRole("listitem").last()).toContainText("Halvt skrev");
});

test("other files are attached to the message, radiographs to the referral", async ({ portal }) => {
  const { dentist, staff, id } = await bothSides(portal);
  await section(dentist).getByText("Vedhæft filer").click();
  await dentist.locator('[name="attachments"]').setInputFiles({
    name: "INR-svar æøå.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("dato;INR\n1.12.2026;2,4\n"),
  });
  await press(dentist, "writeMessage");
  await expect(section(dentist)).toContainText("Ingen tekst");
  const link = section(dentist).getByRole("link", { name: "INR-svar æøå.csv" });
  const file = await dentist.request.get((await link.getAttribute("href"))!);
  expect([file.status(), await file.text()]).toEqual([200, "dato;INR\n1.12.2026;2,4\n"]);
  const stranger = await portal.pageFor("tandlaege2");
  expect((await stranger.request.get(`${portal.origin}${await link.getAttribute("href")}`)).status()).toBe(404);

  await section(dentist).getByText("Vedhæft filer").click();
  await dentist.getByLabel("Røntgen", { exact: true }).first().check();
  await dentist.locator('[name="radiographs"]').setInputFiles({
    name: "48.jpg",
    mimeType: "image/jpeg",
    buffer: await drawRadiograph({ type: 0, format: "jpg", seed: 3 }),
  });
  await dentist.getByLabel("Billedtype", { exact: true }).selectOption("2");
  await dentist.getByLabel("Skriv til klinikken").fill("Her er billedet.");
  await press(dentist, "writeMessage");
  await expect(section(dentist)).toContainText("Uploadede røntgenbilleder: 48.jpg");
  await open(staff, id);
  await expect(staff.getByRole("region", { name: "Billeder" })).toContainText("Panorama");
});

test("names a refused file, and keeps the text and the other files", async ({ portal, javaScriptEnabled }) => {
  const { dentist } = await bothSides(portal);
  await press(dentist, "writeMessage");
  await expect(section(dentist)).toContainText("Skriv en besked, eller vedhæft en fil.");
  await dentist.getByLabel("Skriv til klinikken").fill("Se vedhæftede.");
  await section(dentist).getByText("Vedhæft filer").click();
  await dentist.locator('[name="attachments"]').setInputFiles([
    { name: "godt.csv", mimeType: "text/csv", buffer: Buffer.from("a;b\n1;2\n") },
    { name: "virus.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  await press(dentist, "writeMessage");
  await expect(section(dentist)).toContainText("virus.exe: Denne filtype er ikke godkendt i dette felt.");
  await expect(dentist.getByLabel("Skriv til klinikken")).toHaveValue("Se vedhæftede.");
  await expect(section(dentist)).toContainText("Modtaget: godt.csv");
  if (javaScriptEnabled) await expectAccessible(dentist);
  await dentist.locator('[name="attachments"]').setInputFiles([]);
  await press(dentist, "writeMessage");
  await expect(section(dentist).getByRole("link", { name: "godt.csv" })).toBeVisible();
});

test("edits one's own message and marks it; the other side's stays", async ({ portal, javaScriptEnabled }) => {
  const { dentist, staff, id } = await bothSides(portal);
  await dentist.getByLabel("Skriv til klinikken").fill("Fjernelse af 38.");
  await press(dentist, "writeMessage");
  await section(dentist)
    .getByRole("link", { name: /^Ret beskeden/ })
    .click();
  const form = dentist.getByRole("form", { name: "Ret beskeden" });
  await expect(form).toBeVisible();
  const elsewhere = await portal.pageFor("tandlaege");
  await elsewhere.goto(dentist.url());
  if (javaScriptEnabled) await expectAccessible(dentist);
  await form.getByLabel("Besked").fill("");
  await press(dentist, "editMessage");
  await expect(section(dentist)).toContainText("Skriv en besked, eller vedhæft en fil.");
  await form.getByLabel("Besked").fill("Fjernelse af 48.");
  await form
    .locator('[name="attachments"]')
    .setInputFiles({ name: "rettet.csv", mimeType: "text/csv", buffer: Buffer.from("a;b\n1;2\n") });
  await press(dentist, "editMessage");
  await expect(form).toHaveCount(0);
  await expect(section(dentist)).toContainText("Fjernelse af 48.");
  await expect(section(dentist)).toContainText("redigeret");
  await expect(section(dentist).getByRole("link", { name: "rettet.csv" })).toBeVisible();
  // Another window edited the message meanwhile.
  const later = elsewhere.getByRole("form", { name: "Ret beskeden" });
  await later.getByLabel("Besked").fill("Fjernelse af 28.");
  await press(elsewhere, "editMessage");
  await expect(later).toContainText("Nu: Fjernelse af 48.");
  await expect(later.getByLabel("Besked")).toHaveValue("Fjernelse af 28.");
  await open(staff, id);
  await expect(section(staff).getByRole("link", { name: /^Ret beskeden/ })).toHaveCount(0);
});

test("staff choose the thread's surgeon, and the settings of messages", async ({ portal }) => {
  const { dentist, staff, id } = await bothSides(portal);
  await expect(section(dentist)).not.toContainText("Kirurg på sagen");
  await open(staff, id);
  await section(staff).getByText("Kirurg på sagen").click();
  await staff.locator("#setSurgeon-surgeonId").selectOption({ label: "Lise Bjerregaard" });
  await press(staff, "setSurgeon");
  await expect(staff.getByText("Lise Bjerregaard er kirurg på sagen.").first()).toBeVisible();
  await staff.goto("/management/settings/navne-og-frister");
  await staff.getByLabel("Klinikkens e-mail").fill("ikke en adresse");
  await staff.getByLabel("Navn på status 16").fill("Afventer overtandlægen");
  await press(staff, "saveNamesAndDeadlines");
  await expect(staff.getByText("Skriv en e-mailadresse").first()).toBeVisible();
  await staff.getByLabel("Klinikkens e-mail").fill("beskeder@klinik.eksempel.dk");
  await press(staff, "saveNamesAndDeadlines");
  await expect(staff.getByText("Navne og frister er gemt.").first()).toBeVisible();
  await open(staff, id);
  await expect(staff.locator("#main, main").getByText("Afventer overtandlægen").first()).toBeAttached();
  await staff.setViewportSize({ width: 320, height: 640 });
  expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // Other specs read the status by its default name.
  await staff.goto("/management/settings/navne-og-frister");
  await expect(staff.getByLabel("Klinikkens e-mail")).toHaveValue("beskeder@klinik.eksempel.dk");
  await staff.getByLabel("Navn på status 16").fill("Afventer overlæge");
  await press(staff, "saveNamesAndDeadlines");
});

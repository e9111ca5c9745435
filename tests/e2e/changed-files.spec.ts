import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";
import { arrived, bitmap, isSent, MEGABYTE, onItsWay, slowConnection, toStepThree } from "./upload-page";

test.skip(({ javaScriptEnabled }) => javaScriptEnabled !== true, "without JavaScript the browser says so itself");

let folder = "";
test.beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "changed-files-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A picture file on disk. */
function onDisk(name: string, megabytes: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, bitmap(megabytes));
  return file;
}

/** Saves the file again with a later time. */
function rewrite(file: string): void {
  writeFileSync(file, bitmap(1));
  const later = new Date(Date.now() + 60_000);
  utimesSync(file, later, later);
}

test("a file that is written anew while it is uploaded is named, and the others arrive", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  const id = await toStepThree(page);
  await expect(page.locator("[data-uploads=ready]")).toBeVisible();
  const connection = await slowConnection(page, 1.5 * MEGABYTE);
  const changed = onDisk("retter.bmp", 12);
  await page.locator("#step3-radiographs").setInputFiles([changed, onDisk("bliver.bmp", 1)]);
  await expect(onItsWay(page, "retter.bmp")).toContainText(/[1-9]\d? %/, { timeout: 30_000 });
  await page.getByRole("button", { name: "Sæt retter.bmp på pause" }).click();
  rewrite(changed);
  await connection.mend();
  await page.getByRole("button", { name: "Fortsæt retter.bmp" }).click();
  await expect(onItsWay(page, "retter.bmp")).toContainText(
    "Filen er ændret, flyttet eller slettet, siden du valgte den. Vælg den igen.",
  );
  await expect(arrived(page, "bliver.bmp")).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await page.locator('button[value="sendReferral"]').click();
  const named = "retter.bmp er ikke modtaget endnu: Prøv igen, eller fjern den.";
  await expect(page.getByRole("alert").filter({ hasText: named })).toBeVisible();
  expect(await isSent(portal, id)).toBe(false);
  await page.locator("#step3-radiographs").setInputFiles(changed);
  await expect(arrived(page, "retter.bmp")).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => unfinished(portal, id)).toEqual([]);
  await page.locator('button[value="sendReferral"]').click();
  await expect(page.getByText(`Klinikken har modtaget henvisning nr. ${id}`)).toBeVisible();
});

test("a file that is gone after 'Send henvisning' holds the referral until it comes", async ({ portal }) => {
  test.setTimeout(120_000);
  const page = await portal.pageFor("tandlaege");
  const id = await toStepThree(page);
  await expect(page.locator("[data-uploads=ready]")).toBeVisible();
  const connection = await slowConnection(page, MEGABYTE / 2);
  const stick = onDisk("usb.bmp", 20);
  await page.locator("#step3-radiographs").setInputFiles([onDisk("b1.bmp", 0.1), stick]);
  await expect(arrived(page, "b1.bmp")).toBeVisible({ timeout: 30_000 });
  await page.locator('button[value="sendReferral"]').click();
  await expect(page.getByText(`Henvisning nr. ${id} for Åse Øst er ikke sendt endnu.`)).toBeVisible();
  rmSync(stick);
  await connection.mend();
  await expect(onItsWay(page, "usb.bmp")).toContainText("Filen er ændret, flyttet eller slettet", { timeout: 60_000 });
  await expect(page.getByText("Halvt uploadet")).toHaveCount(0);
  await expectAccessible(page);
  expect([await isSent(portal, id), await unfinished(portal, id)]).toEqual([false, ["usb.bmp"]]);
  writeFileSync(stick, bitmap(1));
  await page.locator("#billeder").setInputFiles(stick);
  await expect.poll(() => isSent(portal, id), { timeout: 30_000 }).toBe(true);
  expect(await unfinished(portal, id)).toEqual([]);
});

const unfinished = (portal: RunningPortal, id: number) =>
  portal.withDatabase(async (db) =>
    (
      await db
        .selectFrom("partialUpload")
        .select("fileName")
        .where("referralId", "=", id)
        .where("state", "=", "arriving")
        .execute()
    ).map(({ fileName: name }) => name),
  );

test("a file written anew is named, and text and other files stay", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  const part = page.locator("#beskeder");
  await part.getByLabel("Skriv til klinikken").fill("Se vedhæftede.");
  await part.getByText("Vedhæft filer").click();
  const [changed, kept] = [path.join(folder, "retter.csv"), path.join(folder, "bliver.csv")];
  for (const file of [changed, kept]) writeFileSync(file, `${file};1\n`);
  await page.locator('[name="attachments"]').setInputFiles([changed, kept]);
  rewrite(changed);
  await page.locator('button[value="writeMessage"]').first().click();
  await expect(part).toContainText("retter.csv: Filen er ændret, flyttet eller slettet");
  await expect(part).not.toContainText("Forbindelsen blev afbrudt");
  await expect(part.getByLabel("Skriv til klinikken")).toHaveValue("Se vedhæftede.");
  await page.locator('[name="attachments"]').setInputFiles([kept]);
  await press(page, "writeMessage");
  await expect(part.getByRole("link", { name: "bliver.csv" })).toBeVisible();
});

import type { Page } from "@playwright/test";
import { loggedEvents } from "../support/logged-events";
import { add, dialog, jpg, section, withImages } from "./image-page";
import { expect, expectAccessible, press, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

test.describe.configure({ timeout: 120_000 });

/** Whether a text is on screen and uncovered. */
const isSeen = (page: Page, text: string) =>
  page.getByText(text).evaluateAll((elements) =>
    elements.some((element) => {
      const { left, top, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 8, top + height / 2));
    }),
  );

test("a dialog of a referral says whose it is, however far it is scrolled", async ({ portal, javaScriptEnabled }) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist);
  const staff = await portal.pageFor("admin");
  await staff.setViewportSize({ width: 320, height: 640 });
  for (const address of [`/${id}/roentgenbilleder#roentgenbilleder`, `/${id}?ret=henviser#ret-henviser`]) {
    await staff.goto(`/management/overview${address}`);
    await settled(staff);
    expect(await staff.evaluate(() => document.documentElement.scrollWidth), address).toBe(320);
    for (const far of [0, 120, 240, 360]) {
      await staff.evaluate(
        ([y, isModal]) => {
          const modal = document.querySelector("dialog")!;
          if (isModal) modal.scrollTop = y!;
          else scrollTo(0, modal.getBoundingClientRect().top + scrollY + Math.min(y!, modal.clientHeight - 160));
        },
        [far, Number(javaScriptEnabled)] as const,
      );
      expect(await isSeen(staff, "Åse Ærø"), `${address} at ${far}`).toBe(true);
    }
  }
});

test("a dentist adds images; wrong types are named; the clinic sees them", async ({ portal, javaScriptEnabled }) => {
  const { dentist, staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  await add(
    dentist,
    [{ name: "brev.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") }],
    0,
    Boolean(javaScriptEnabled),
  );
  await expect(dialog(dentist)).toContainText("Denne filtype er ikke godkendt i dette felt.");
  await expect(dialog(dentist).getByRole("button", { name: /^Fjern opg/ }), "deleting is staff's").toHaveCount(0);
  if (javaScriptEnabled) await expectAccessible(dentist);
  await dialog(dentist).getByRole("link", { name: "Luk" }).last().click();
  await expect(dialog(dentist)).toHaveCount(0);
  await expect(section(dentist)).toContainText("2 filer, heraf 1 DICOM");
  await expect(section(dentist).getByRole("link", { name: "Slet opg.jpg" })).toHaveCount(0);

  await staff.goto(`/management/overview/${id}`);
  await expect(section(staff)).toContainText("Panorama");
  await expect(section(staff)).toContainText("Filerne er ikke virusscannet: der er ingen virusscanner sat op.");
  await expect(section(staff)).toContainText("Andet CPR-nummer i filen");
  await expect(staff.locator("#log")).toContainText("Et røntgenbillede er tilføjet");
  const zip = await staff.request.get(
    (await section(staff).getByRole("link", { name: "Hent alle (ZIP)" }).getAttribute("href"))!,
  );
  expect([zip.status(), zip.headers()["content-type"], zip.headers()["content-disposition"]]).toEqual([
    200,
    "application/zip",
    expect.stringContaining(`roentgenbilleder-${id}.zip`),
  ]);
  const bytes = await zip.body();
  for (const name of ["opg.jpg", "anden.dcm"]) expect(bytes.includes(Buffer.from(name))).toBe(true);
  const stranger = await portal.pageFor("tandlaege2");
  expect((await stranger.request.get(`/management/overview/${id}/billeder.zip`)).status()).toBe(404);
  if (javaScriptEnabled) await expectAccessible(staff);
});

test("staff delete an image, also while another arrives, and restore it", async ({ portal, javaScriptEnabled }) => {
  const { dentist, staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  await staff.goto(`/management/overview/${id}?sort=1`);
  await section(staff).getByRole("link", { name: "Slet opg.jpg" }).click();
  const question = staff.getByRole("dialog", { name: "Slet billedet?" });
  await expect(question).toContainText("opg.jpg");
  if (javaScriptEnabled) await expectAccessible(staff);
  await add(dentist, [await jpg("ny.jpg", 9)], 2, Boolean(javaScriptEnabled));
  await press(staff, "deleteRadiograph");
  await expect(staff).toHaveURL(/sort=1/);
  await expect(section(staff)).toContainText("Billedet er slettet.");
  await expect(section(staff).getByRole("link", { name: "Slet opg.jpg" })).toHaveCount(0);
  await press(staff, "restoreFile");
  await expect(section(staff).getByRole("link", { name: "Slet opg.jpg" })).toBeVisible();
  await expect(staff.locator("#log")).toContainText("opg.jpg er hentet tilbage");
});

test("where the export failed, the icon retries it and downloads the images", async ({ portal, javaScriptEnabled }) => {
  const { staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  const failInArchive = () =>
    portal.withDatabase(async (db) => {
      const waiting = db
        .selectFrom("outbox")
        .select("id")
        .where("referralId", "=", id)
        .where("channel", "=", "archive")
        .where("outcome", "in", ["queued", "awaiting"]);
      await expect.poll(async () => (await waiting.execute()).length, { timeout: 15_000 }).toBe(0);
      await db
        .updateTable("outbox")
        .set({ outcome: "failed", reason: "archiveRefusesFile" })
        .where("referralId", "=", id)
        .where("channel", "=", "archive")
        .execute();
      await db.updateTable("referral").set({ radiographExportStatus: 2 }).where("id", "=", id).execute();
    });
  await failInArchive();
  await staff.goto("/management/overview");
  const [download] = await Promise.all([
    staff.waitForEvent("download"),
    staff
      .locator(`#r${id}`)
      .getByRole("button", { name: /^Røntgen/ })
      .click(),
  ]);
  expect(download.suggestedFilename()).toBe(`roentgenbilleder-${id}.zip`);
  // With JavaScript the icon changes at once; without, the answer is only the file.
  if (javaScriptEnabled)
    await expect(
      staff.locator(`#r${id} button[title="Eksport planlagt. Hent alle røntgenbilleder"]:not(.tone-err)`),
    ).toBeVisible();
  // The trial archive withholds the other patient's file again within a second; the log keeps what was planned.
  const plannedAgain = async () =>
    (await portal.withDatabase((db) => loggedEvents(db, id))).filter(
      (event) => event === "Eksport af røntgenbilleder er planlagt igen",
    ).length;
  expect(await plannedAgain()).toBe(1);
  await failInArchive();
  await staff.goto(`/management/overview/${id}`);
  await expect(section(staff)).toContainText("Fejl i export - tjek format");
  const [again] = await Promise.all([
    staff.waitForEvent("download"),
    section(staff).getByRole("button", { name: "Eksportér igen og hent alle" }).click(),
  ]);
  expect(again.suggestedFilename()).toBe(`roentgenbilleder-${id}.zip`);
  expect(await plannedAgain()).toBe(2);
});

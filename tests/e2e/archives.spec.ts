import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { drawRadiograph } from "../../app/demo/content/drawn-images.server";
import { makeZip, type ZipPart } from "../support/make-zip";
import { expect, expectAccessible, press, settled, test } from "./portal";
import { aDraft, addImages, aReferral } from "./referrals";

test.use({ matrix: "without script" });

const patient = { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" };
const picture = (seed: number) => drawRadiograph({ type: 0, format: "jpg", seed });
function bitmap(seed: number): Buffer {
  const bytes = Buffer.alloc(54 + 64 * 64 * 3, seed);
  bytes.fill(0, 0, 54);
  bytes.write("BM");
  for (const [at, value] of [
    [2, bytes.length],
    [10, 54],
    [14, 40],
    [18, 64],
    [22, 64],
  ] as const)
    bytes.writeUInt32LE(value, at);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

const fileOf = (name: string, parts: ZipPart[]) => ({
  name,
  mimeType: "application/zip",
  buffer: makeZip(parts),
});
const lines = (page: Page) => page.locator(".file-name b");

let count = 0;
async function toStepThree(page: Page): Promise<void> {
  const id = await aDraft(page, ["620176", String(2000 + (count += 1))]);
  await page.goto(`/management/henvisning-tandlaeger?kladde=${id}&trin=2`);
  await press(page, "saveReferrer");
  await page.waitForURL(/trin=3/);
}

async function zipped() {
  return fileOf("status.zip", [
    { name: "mund/2.jpg", bytes: await picture(2) },
    { name: "mund/1 æøå.jpg", bytes: await picture(1) },
    { name: "mund/IM0001", bytes: await drawRadiograph({ type: 4, format: "dcm", seed: 3, patient }) },
    { name: "mund/læs mig.txt", bytes: Buffer.from("text") },
    { name: "mund/.DS_Store", bytes: Buffer.from("text") },
    { name: "../../48.jpg", bytes: Buffer.from("no picture") },
  ]);
}

test("a ZIP becomes the images in it and names the files that were refused", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  await addImages(page, await zipped(), 2, Boolean(javaScriptEnabled));
  await expect(page.getByText("3 filer er modtaget.", { exact: true })).toBeVisible();
  await expect(lines(page)).toHaveText(["1 æøå.jpg", "2.jpg", "IM0001.dcm"]);
  const notice = page.locator(javaScriptEnabled ? ".notice" : "main");
  await expect(
    notice.getByText("læs mig.txt: Denne filtype er ikke godkendt").or(notice.getByText("læs mig.txt")).first(),
  ).toBeVisible();
  await expect(page.getByText(/48\.jpg: .*Indholdet er en tekstfil/).first()).toBeVisible();
  await expect(page.getByText(".DS_Store")).toHaveCount(0);
  for (const name of ["1 æøå.jpg", "2.jpg"]) await expect(page.getByLabel(`Billedtype for ${name}`)).toHaveValue("2");
  if (javaScriptEnabled) await expectAccessible(page);
});

test("one type is given to all pictures at once", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  await addImages(page, await zipped(), 0, Boolean(javaScriptEnabled));
  if (javaScriptEnabled) await page.getByLabel("Billedtype", { exact: true }).selectOption("Panorama");
  else {
    await page.getByLabel("Type for alle").selectOption("Panorama");
    await page.getByRole("button", { name: "Brug på alle" }).click();
  }
  for (const name of ["1 æøå.jpg", "2.jpg"]) await expect(page.getByLabel(`Billedtype for ${name}`)).toHaveValue("2");
  await expect(page.getByLabel("Billedtype for IM0001.dcm")).toHaveValue("4");
});

test("a ZIP with a password or a damaged one is refused with its reason", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  const sealed = fileOf("laast.zip", [{ name: "1.jpg", bytes: await picture(1), flags: 1 }]);
  await addImages(page, sealed, 0, Boolean(javaScriptEnabled));
  await expect(page.getByText("Arkivet er beskyttet med en adgangskode.")).toBeVisible();
  const whole = await zipped();
  await addImages(
    page,
    { ...whole, name: "halv.zip", buffer: whole.buffer.subarray(0, 3000) },
    0,
    Boolean(javaScriptEnabled),
  );
  await expect(page.getByText("Arkivet er beskadiget eller ikke gemt færdig")).toBeVisible();
  await expect(page.getByText("Ingen er modtaget endnu.")).toBeVisible();
});

test("a ZIP is taken as its images in the dialog of a sent referral too", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  await page.goto(`/management/overview/${id}/roentgenbilleder`);
  const zip = await zipped();
  if (javaScriptEnabled) {
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await page.locator('.drop input[type="file"]').setInputFiles(zip);
    await expect(page.locator("[data-upload-state]")).toHaveCount(0);
    await settled(page);
  } else {
    await page.locator("#uploadImages-radiographs").setInputFiles(zip);
    await press(page, "addRadiographs");
  }
  await expect(lines(page)).toHaveText(["1 æøå.jpg", "2.jpg", "IM0001.dcm"]);
  await expect(page.getByText("læs mig.txt").first()).toBeVisible();
});

test("a folder becomes its files: those beyond the limit wait in the browser", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "without JavaScript a folder is chosen as a ZIP");
  const page = await portal.pageFor("tandlaege");
  const folder = path.join(tmpdir(), `e2e-mappe-${process.pid}`, "status 2026");
  mkdirSync(path.join(folder, "venstre"), { recursive: true });
  for (let seed = 1; seed <= 45; seed += 1)
    writeFileSync(path.join(folder, seed % 2 ? "." : "venstre", `${seed}.bmp`), bitmap(seed));
  writeFileSync(
    path.join(folder, "venstre", "IM0001"),
    await drawRadiograph({ type: 4, format: "dcm", seed: 3, patient }),
  );
  for (const name of ["noter.txt", "README", "gammel.zip", "Thumbs.db"]) writeFileSync(path.join(folder, name), "text");
  await page.goto("/management/henvisning-tandlaeger");
  await expect(page.locator("[data-uploads=ready] .pick-folder")).toBeVisible();
  await page.locator("#billeder-mappe").setInputFiles(folder);
  await expect(page.getByText("3 filer i mappen status 2026 er ikke modtaget.")).toBeVisible();
  await expect(page.getByText(/noter\.txt: Denne filtype/)).toBeVisible();
  await expect(page.getByText(/README: Denne filtype.* DICOM-filer uden endelse/)).toBeVisible();
  await expect(page.locator("[data-upload-state]")).toHaveCount(0, { timeout: 60_000 });
  await settled(page);
  await expect(lines(page)).toHaveCount(46);
  await expect(page.getByText("IM0001.dcm", { exact: true })).toBeVisible();
  const typed = { cpr6: "620176", cpr4: "3001", firstName: "Åse", lastName: "Øst", address: "Kaj 7", zip: "5970" };
  const fields = { ...typed, city: "Ærøskøbing", desiredTreatment: "48." };
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).first().fill(value);
  await press(page, "savePatient");
  await expect(page, "what was not taken is still said on the step where images are looked over").toHaveURL(/trin=3/);
  await page.locator(".notice").filter({ hasText: "status 2026" }).getByRole("button", { name: "Luk" }).click();
  await expect(page.getByText("3 filer i mappen")).toHaveCount(0);
});

/** Distinct slices of one CBCT in a folder. */
async function slices(many: number): Promise<Buffer[]> {
  const first = await drawRadiograph({ type: 4, format: "dcm", seed: 5, sliceOf: { series: "2.25.77", number: 1 } });
  return Array.from({ length: many }, (_, nth) => {
    const slice = Buffer.from(first);
    slice.writeUInt16LE(nth, slice.length - 2);
    return slice;
  });
}

test("the slices of a CBCT are one line, are sent, and are gone through", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  const bytes = await slices(24);
  if (javaScriptEnabled) {
    const folder = path.join(tmpdir(), `e2e-cbct-${process.pid}`, "cbct");
    mkdirSync(folder, { recursive: true });
    bytes.forEach((slice, nth) => writeFileSync(path.join(folder, `IM${nth}`), slice));
    await page.locator("#step3-radiographs-mappe").setInputFiles(folder);
    await expect(page.getByText("24 DICOM-filer i cbct")).toBeVisible();
    await expect(page.locator("[data-upload-state]")).toHaveCount(0, { timeout: 50_000 });
    await settled(page);
  } else {
    const parts = bytes.map((slice, nth) => ({ name: `cbct/IM${nth}`, bytes: slice }));
    await addImages(page, fileOf("cbct.zip", parts), 0, false);
  }
  await expect(lines(page)).toHaveText(["CBCT-serie · 24 snit"]);
  await expect(page.getByText("24 filer er modtaget.", { exact: true })).toBeVisible();
  await page.locator('button[value="sendReferral"]').click();
  await expect(page).toHaveURL(/visit-sent/);
  const id = Number(/nr=(\d+)/.exec(page.url())![1]);
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator(".ref-images img")).toHaveCount(1);
  await staff.getByRole("link", { name: "CBCT-serie · 24 snit", exact: true }).click();
  await expect(staff.getByText("Snit 13 af 24")).toBeVisible();
  await staff.getByRole("link", { name: "Næste snit" }).click();
  await expect(staff.getByText("Snit 14 af 24")).toBeVisible();
  await expect(staff.getByText("IM13.dcm").first()).toBeVisible();
  await expect(staff.locator(".strip-images img")).toHaveCount(1);
});

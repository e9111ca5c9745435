import { readFileSync } from "node:fs";
import { drawRadiograph } from "../../app/demo/content/drawn-images.server";
import { expect, expectAccessible, type RunningPortal, settled, test } from "./portal";
import { addImages } from "./referrals";
import { arrived, bitmap, onItsWay, picture, toStepThree } from "./upload-page";

test.use({ matrix: "without script" });

const typesOf = (portal: RunningPortal, id: number) =>
  portal.withDatabase(async (db) => {
    const files = await db
      .selectFrom("referralFile")
      .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
      .select(["fileName", "radiographType"])
      .where("referralId", "=", id)
      .execute();
    return Object.fromEntries(files.map((file) => [file.fileName, file.radiographType]));
  });

test("sends several files, each with its type, after one was changed and one removed", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege");
  const id = await toStepThree(page);
  await addImages(
    page,
    [picture("48 æøå.bmp"), picture("38.bmp"), picture("forfra.bmp")],
    2,
    Boolean(javaScriptEnabled),
  );
  await expect(arrived(page, "forfra.bmp")).toBeVisible();
  for (const name of ["48 æøå.bmp", "38.bmp", "forfra.bmp"])
    await expect(arrived(page, name).locator("select")).toHaveValue("2");
  await expect(page.getByText("3 filer er modtaget.", { exact: true })).toBeVisible();

  await arrived(page, "forfra.bmp").locator("select").selectOption("1");
  if (!javaScriptEnabled) await arrived(page, "forfra.bmp").getByRole("button", { name: "Skift type" }).click();
  await arrived(page, "38.bmp").getByRole("button", { name: "Fjern 38.bmp" }).click();
  await expect(arrived(page, "38.bmp")).toHaveCount(0);
  await expect(page.getByText("2 filer er modtaget.")).toBeVisible();
  await settled(page);
  await page.reload();
  await expect(arrived(page, "forfra.bmp").locator("select")).toHaveValue("1");
  await expect(page.getByText("2 filer er modtaget.")).toBeVisible();
  await page.locator('button[value="sendReferral"]').click();
  await expect(page).toHaveURL(new RegExp(`visit-sent\\?nr=${id}`));
});

test("a type that was chosen last is kept when the referral is sent at once", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  const id = await toStepThree(page);
  await addImages(page, [picture("48.bmp"), picture("38.bmp")], 0, Boolean(javaScriptEnabled));
  await arrived(page, "48.bmp").locator("select").selectOption("1");
  if (!javaScriptEnabled) {
    await addImages(page, picture("18.bmp"), 2, false);
    await expect(arrived(page, "48.bmp").locator("select")).toHaveValue("1");
    await arrived(page, "48.bmp").locator("select").selectOption("3");
  }
  await page.locator('button[value="sendReferral"]').click();
  await expect(page).toHaveURL(new RegExp(`visit-sent\\?nr=${id}`));
  expect(await typesOf(portal, id)).toEqual(
    javaScriptEnabled ? { "38.bmp": 0, "48.bmp": 1 } : { "18.bmp": 2, "38.bmp": 0, "48.bmp": 3 },
  );
});

test("a type that was chosen before the script came is kept", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "Without JavaScript no script comes.");
  const page = await portal.pageFor("tandlaege");
  const id = await toStepThree(page);
  await addImages(page, [picture("48.bmp"), picture("38.bmp")], 0, true);
  let arrive = () => {};
  const late = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/build/**/*.js", async (route) => (await late, route.continue()));
  await page.goto(page.url(), { waitUntil: "commit" });
  await arrived(page, "48.bmp").locator("select").selectOption("1");
  arrive();
  await settled(page);
  await expect.poll(() => typesOf(portal, id)).toEqual({ "38.bmp": 0, "48.bmp": 1 });
});

test("reports a picture that is attached already, and does not attach it twice", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  const same = picture("48.bmp");
  await addImages(page, same, 0, Boolean(javaScriptEnabled));
  await addImages(page, { ...same, name: "kopi.bmp" }, 0, Boolean(javaScriptEnabled));
  await expect(page.getByText("Filen er allerede vedhæftet.")).toHaveCount(1);
  await expect(page.getByText("1 fil er modtaget.", { exact: true })).toBeVisible();
});

test("warns of a DICOM file of another patient before sending", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  const dicom = await drawRadiograph({
    type: 4,
    format: "dcm",
    seed: 7,
    patient: { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" },
  });
  await addImages(
    page,
    { name: "anden.dcm", mimeType: "application/dicom", buffer: dicom },
    4,
    Boolean(javaScriptEnabled),
  );
  await expect(page.getByText("anden.dcm er optaget af en patient med et andet CPR-nummer")).toBeVisible();
});

test("choosing another way than uploading empties the list", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await toStepThree(page);
  await addImages(page, picture("48.bmp"), 0, Boolean(javaScriptEnabled));
  await page.getByLabel("Sendes med krypteret mail/EDI").check();
  if (javaScriptEnabled)
    await expect(page.getByText("Den modtagne fil fjernes, når henvisningen sendes.")).toBeVisible();
  await page.locator('button[value="sendReferral"]').click();
  await expect(page).toHaveURL(/visit-sent/);
  await page.goto(page.url().replace("visit-sent?nr=", "overview/"));
  await expect(page.getByText("48.bmp")).toHaveCount(0);
});

test.describe("with JavaScript", () => {
  test.beforeEach(({ javaScriptEnabled }) =>
    test.skip(!javaScriptEnabled, "the plain form shows no upload that can be watched"),
  );

  test("files and a type that were chosen before hydration are uploaded", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await toStepThree(page);
    let arrive = () => {};
    const late = new Promise<void>((resolve) => (arrive = resolve));
    await page.route("**/build/**/*.js", async (route) => (await late, route.continue()));
    await page.reload({ waitUntil: "commit" });
    await page.locator('[name="radiographType"][form]').selectOption("2");
    await page.locator('[name="radiographs"]').setInputFiles(picture("tidlig.bmp"));
    arrive();
    await expect(arrived(page, "tidlig.bmp").locator("select")).toHaveValue("2");
  });

  test("a file whose chooser was open while the script took the picker over is uploaded", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await toStepThree(page);
    let arrive = () => {};
    const late = new Promise<void>((resolve) => (arrive = resolve));
    await page.route("**/build/**/*.js", async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes("Mappen kan ikke læses")) await late;
      await route.fulfill({ response });
    });
    await page.reload();
    await settled(page);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.locator('[name="radiographs"]').click(),
    ]);
    arrive();
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await chooser.setFiles(picture("sen.bmp"));
    await expect(arrived(page, "sen.bmp")).toBeVisible();
  });

  test("files are dropped; DICOM gets its own type, and a refused file keeps its line", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await toStepThree(page);
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    const dicom = readFileSync("tests/files/dicom/CT_small.dcm").toString("base64");
    const dropped = await page.evaluateHandle(
      ({ bytes, bmp }) => {
        const data = new DataTransfer();
        const decode = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        data.items.add(new File([decode(bytes)], "CT.dcm"));
        data.items.add(new File([decode(bmp)], "48.bmp"));
        data.items.add(new File(["II*\0"], "scan.tif"));
        return data;
      },
      { bytes: dicom, bmp: bitmap(0.01).toString("base64") },
    );
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
    await expect(arrived(page, "CT.dcm").locator("select")).toHaveValue("4");
    // Guessed, since the picture is much wider than high.
    await expect(arrived(page, "48.bmp").locator("select")).toHaveValue("2");
    await expect(arrived(page, "48.bmp")).toContainText("gættet");
    await expect(onItsWay(page, "scan.tif")).toContainText("TIFF-billeder kan ikke vises i en browser");
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        `${width} px`,
      ).toBeLessThanOrEqual(0);
    }
    expect(
      await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
      "nothing of the files is kept in the browser",
    ).not.toMatch(/48|CT|scan/);
  });
});

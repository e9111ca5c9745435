import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { drawRadiograph } from "../../db/demo/content/drawn-images.server";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { addImages } from "./referrals";

const MEGABYTE = 1024 * 1024;
let count = 0;

const connections = new WeakMap<Page, Awaited<ReturnType<typeof slowConnection>>>();

/** With files, they are begun on step 1, on a connection so slow that the big ones stay on their way. */
async function toStepThree(page: Page, files: ReturnType<typeof picture>[] = []): Promise<number> {
  count += 1;
  await page.goto("/management/henvisning-tandlaeger");
  if (files.length > 0) {
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    connections.set(page, await slowConnection(page, MEGABYTE / 4));
    await page.locator("#billeder").setInputFiles(files);
    await expect(onItsWay(page, files[0]!.name).or(arrived(page, files[0]!.name)).first()).toBeVisible();
  }
  const patient = {
    cpr6: "610160",
    cpr4: String(3000 + count),
    firstName: "Åse",
    lastName: "Øst",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "48.",
  };
  for (const [name, value] of Object.entries(patient)) await page.locator(`[name="${name}"]`).first().fill(value);
  await page.getByRole("button", { name: "Næste" }).click();
  await page.waitForURL(/trin=3/);
  await expect(page.locator("#step3-radiographs")).toBeAttached();
  return Number(new URL(page.url()).searchParams.get("kladde"));
}

/** A picture of any size, each call another one. */
function bitmap(megabytes: number): Buffer {
  const [width, height] = [1024, Math.max(1, Math.round((megabytes * MEGABYTE) / 3072))];
  const bytes = Buffer.alloc(54 + width * height * 3);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE((count = count + 1), 60);
  return bytes;
}

const picture = (name: string, megabytes = 0.01) => ({ name, mimeType: "image/bmp", buffer: bitmap(megabytes) });
const isSent = (portal: RunningPortal, id: number) =>
  portal.withDatabase(
    async (db) =>
      (await db.selectFrom("referral").select("sent_at").where("id", "=", id).executeTakeFirstOrThrow()).sent_at !==
      null,
  );
const bar = (page: Page) => page.getByRole("group", { name: "Trin 3" });
const arrived = (page: Page, name: string) =>
  page.locator("li").filter({ has: page.locator('[name="fileId"]'), hasText: name });
const onItsWay = (page: Page, name: string) => page.locator("[data-upload-state]").filter({ hasText: name });

/** A connection slow enough that something can happen to it. */
async function slowConnection(page: Page, bytesPerSecond: number) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const set = (uploadThroughput: number, offline = false) =>
    network.send("Network.emulateNetworkConditions", { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  await set(bytesPerSecond);
  return { cut: () => set(-1, true), mend: (speed = -1) => set(speed) };
}

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

test("an unfinished upload waits for its file, resumes when it is chosen again, and blocks sending meanwhile", async ({
  portal,
  javaScriptEnabled,
  browser,
}) => {
  test.setTimeout(120_000);
  const page = await portal.pageFor("tandlaege");
  const id = await toStepThree(page);
  const address = page.url();
  const large = { name: "CBCT underkæbe.bmp", path: path.join(portal.dataDir, "CBCT underkæbe.bmp") };
  writeFileSync(large.path, bitmap(12));
  // The beginning needs script; what is left of it must be dealt with without as well.
  const scripted = await (
    javaScriptEnabled
      ? page.context()
      : await browser.newContext({
          baseURL: portal.origin,
          javaScriptEnabled: true,
          storageState: await page.context().storageState(),
        })
  ).newPage();
  await scripted.goto(address);
  await expect(scripted.locator("[data-uploads=ready]")).toBeVisible();
  await slowConnection(scripted, 1.5 * MEGABYTE);
  await scripted.locator("#step3-radiographs").setInputFiles(large.path);
  await expect(onItsWay(scripted, large.name)).toContainText(/[2-9]\d %/, { timeout: 30_000 });
  await scripted.close();

  await page.goto("/management/draft-visits");
  await page.getByRole("link", { name: "1 fil er ikke fremme. Er den gået i stå, så vælg filen igen." }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByText(/Halvt uploadet \(\d+ %\): vælg filen igen for at fortsætte/)).toBeVisible();
  await page.locator('button[value="sendReferral"]').click();
  await expect(page.getByText(`${large.name} er kun halvt uploadet.`)).toBeVisible();
  if (javaScriptEnabled) {
    await expectAccessible(page);
    const offsets: number[] = [];
    page.on(
      "request",
      (request) => request.method() === "PATCH" && offsets.push(Number(request.headers()["upload-offset"])),
    );
    await page.locator("#step3-radiographs").setInputFiles(large.path);
    await expect(arrived(page, large.name)).toBeVisible({ timeout: 30_000 });
    expect(Math.min(...offsets), "it goes on from where it was").toBeGreaterThan(MEGABYTE);
  } else {
    await page.getByRole("button", { name: `Fjern ${large.name}` }).click();
    await expect(page.getByText("Halvt uploadet")).toHaveCount(0);
    await addImages(page, picture("48.bmp"), 0, false);
  }
  await page.locator('button[value="sendReferral"]').click();
  await expect(page).toHaveURL(new RegExp(`nr=${id}`));
});

test.describe("with JavaScript", () => {
  test.beforeEach(({ javaScriptEnabled }) =>
    test.skip(!javaScriptEnabled, "the plain form shows no upload that can be watched"),
  );

  test("'Send henvisning' is pressed while files are on their way: the server sends when the last part is whole, wherever one has gone meanwhile", async ({
    portal,
  }) => {
    test.setTimeout(120_000);
    const page = await portal.pageFor("tandlaege");
    const id = await toStepThree(page, [picture("lille.bmp"), picture("stor.bmp", 10)]);
    await expect(arrived(page, "lille.bmp"), "begun on step 1").toBeVisible();
    await expect(bar(page).getByText("Sendes, når 1 fil er fremme.")).toBeVisible();
    await page.locator('button[value="sendReferral"]').click();
    await expect(page).toHaveURL(new RegExp(`visit-sent\\?nr=${id}`));
    await expect(page.getByText(`Henvisning nr. ${id} for Åse Øst er ikke sendt endnu.`)).toBeVisible();
    await expect(onItsWay(page, "stor.bmp")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Kladde", exact: true }).click();
    await expect(page.getByRole("link", { name: "Sendes, når 1 fil er fremme" })).toBeVisible();
    await expectAccessible(page);
    await connections.get(page)!.mend();
    await expect.poll(() => isSent(portal, id), { timeout: 30_000 }).toBe(true);
    await page.goto(`/management/visit-sent?nr=${id}`);
    await expect(page.getByText(`Klinikken har modtaget henvisning nr. ${id}`)).toBeVisible();
  });

  test("a waiting referral is withdrawn; an urgent one is sent at once and its files follow", async ({ portal }) => {
    test.setTimeout(120_000);
    const page = await portal.pageFor("tandlaege");
    const id = await toStepThree(page, [picture("stor.bmp", 10)]);
    await page.locator('button[value="sendReferral"]').click();
    await page.getByRole("button", { name: "Fortryd afsendelsen" }).click();
    await expect(page).toHaveURL(/trin=3/);
    await expect(page.getByText("Afsendelsen er fortrudt.")).toBeVisible();
    await page.getByRole("link", { name: "PATIENT INFORMATION" }).click();
    await page.getByLabel("Haste henvisning").check();
    await press(page, "savePatient");
    const outcome = "Haste: sendes med det samme, og filerne følger efter.";
    await expect(bar(page).getByText(outcome)).toBeVisible();
    // On a phone the bar has two lines, and it is read at the files.
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.getByText(outcome).first()).toBeVisible();
    expect((await bar(page).boundingBox())!.height).toBeLessThan(110);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('button[value="sendReferral"]').click();
    await expect(page.getByText("Venter på 1 fil, som følger efter.")).toBeVisible();
    expect(await isSent(portal, id)).toBe(true);
    await connections.get(page)!.mend();
    await expect(page.getByText("Venter på 1 fil")).toHaveCount(0, { timeout: 30_000 });
    await page.goto(`/management/overview/${id}`);
    await expect(page.getByText("stor.bmp").first()).toBeVisible();
  });

  test("an upload waits while the network is gone, and resumes where it was", async ({ portal }) => {
    test.setTimeout(120_000);
    const page = await portal.pageFor("tandlaege");
    await toStepThree(page);
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    const connection = await slowConnection(page, 1.5 * MEGABYTE);
    const offsets: number[] = [];
    page.on(
      "request",
      (request) => request.method() === "PATCH" && offsets.push(Number(request.headers()["upload-offset"])),
    );
    await page.locator("#step3-radiographs").setInputFiles(picture("stor.bmp", 12));
    await expect(onItsWay(page, "stor.bmp")).toContainText(/[3-9]\d %/, { timeout: 30_000 });
    await connection.cut();
    await expect(page.getByText("Overførslen fortsætter, når nettet er tilbage.")).toHaveCount(1);
    await expect(onItsWay(page, "stor.bmp")).toContainText("Venter på nettet");
    await connection.mend();
    await expect(arrived(page, "stor.bmp")).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText("Ingen forbindelse.")).toHaveCount(0);
    expect(
      offsets.filter((offset) => offset === 0),
      "nothing is sent from the beginning again",
    ).toHaveLength(1);
  });

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

  test("an upload is paused and resumed, and its type changed meanwhile", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await toStepThree(page);
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    const connection = await slowConnection(page, 1.5 * MEGABYTE);
    await page.locator("#step3-radiographs").setInputFiles(picture("stor.bmp", 8));
    await expect(onItsWay(page, "stor.bmp")).toContainText(/[1-9]\d %/, { timeout: 30_000 });
    await page.getByRole("button", { name: "Sæt stor.bmp på pause" }).click();
    await expect(onItsWay(page, "stor.bmp")).toContainText("Sat på pause");
    await onItsWay(page, "stor.bmp").locator("select").selectOption("3");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Fortsæt stor.bmp" }).click();
    await connection.mend();
    await expect(arrived(page, "stor.bmp").locator("select")).toHaveValue("3", { timeout: 30_000 });
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
    await expect(arrived(page, "48.bmp").locator("select")).toHaveValue("0");
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

  test("moving to another step does not stop an upload", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    await toStepThree(page);
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await slowConnection(page, 2 * MEGABYTE);
    await page.locator("#step3-radiographs").setInputFiles(picture("stor.bmp", 6));
    await expect(onItsWay(page, "stor.bmp")).toContainText(/\d\d %/, { timeout: 30_000 });
    await page.getByRole("link", { name: "Tilbage" }).click();
    await expect(page).toHaveURL(/trin=2/);
    await press(page, "saveReferrer");
    await expect(arrived(page, "stor.bmp")).toBeVisible({ timeout: 30_000 });
  });
});

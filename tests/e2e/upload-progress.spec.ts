import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, expireSession, press, type RunningPortal, settled, test } from "./portal";
import { addImages } from "./referrals";
import {
  arrived,
  bitmap,
  connections,
  isSent,
  MEGABYTE,
  onItsWay,
  picture,
  slowConnection,
  toStepThree,
} from "./upload-page";

test.use({ matrix: "without script" });

const imagesOf = (portal: RunningPortal, id: number) =>
  portal.withDatabase(async (db) => {
    const files = await db
      .selectFrom("referralFile")
      .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
      .select("fileName")
      .where("referralId", "=", id)
      .orderBy("fileName")
      .execute();
    return files.map(({ fileName }) => fileName);
  });

const bar = (page: Page) => page.getByRole("group", { name: "Trin 3" });

test("an unfinished upload waits, resumes, and blocks sending meanwhile", async ({
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
  // Starting needs script; the leftovers must be manageable without.
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

  test("'Send henvisning' during uploads: the server sends after the last part", async ({ portal }) => {
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

  test("a page that waits tells of its draft's deletion in another window", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    const id = await toStepThree(page, [picture("stor.bmp", 10)]);
    await page.locator('button[value="sendReferral"]').click();
    await expect(page.getByText(`Henvisning nr. ${id} for Åse Øst er ikke sendt endnu.`)).toBeVisible();
    const other = await page.context().newPage();
    await other.goto(`/management/draft-visits`);
    await other.getByRole("link", { name: `Slet kladde nr. ${id}` }).click();
    await press(other, "deleteDraft");
    await other.close();
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(page.getByRole("heading", { name: "Henvisningen findes ikke" })).toBeVisible();
    await expect(page.getByText("En kladde, der er slettet, er ikke sendt til klinikken.")).toBeVisible();
  });

  test("a page that waits stays when its person returns without a session", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege", { mayLog: /401/ });
    const id = await toStepThree(page, [picture("stor.bmp", 10)]);
    await page.locator('button[value="sendReferral"]').click();
    const waiting = page.getByText(`Henvisning nr. ${id} for Åse Øst er ikke sendt endnu.`);
    await expect(waiting).toBeVisible();
    await expireSession(portal, page);
    const asked = page.waitForResponse((answer) => answer.status() === 401);
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await asked;
    await settled(page);
    await expect(waiting).toBeVisible();
  });

  test("a waiting referral is withdrawn; an urgent one is sent at once", async ({ portal }) => {
    test.setTimeout(120_000);
    const page = await portal.pageFor("tandlaege");
    const id = await toStepThree(page, [picture("stor.bmp", 10)]);
    await page.locator('button[value="sendReferral"]').click();
    await page.getByRole("button", { name: "Fortryd afsendelsen" }).click();
    await expect(page).toHaveURL(/trin=3/);
    await expect(page.getByText("Afsendelsen er fortrudt.")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: `Kladde nr. ${id} er ikke sendt` })).toBeVisible();
    await page.goForward();
    await expect(page).toHaveURL(/trin=3/);
    await page.getByRole("link", { name: "PATIENT INFORMATION" }).click();
    await page.getByLabel("Haste henvisning").check();
    await press(page, "savePatient");
    const outcome = "Haste: sendes med det samme, og filerne følger efter.";
    await expect(bar(page).getByText(outcome)).toBeVisible();
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

  test("a file kept back by an ended session is named at 'Send', and nothing is sent", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    const id = await toStepThree(page);
    await addImages(page, picture("b1.bmp"), 0, true);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.locator("#step3-radiographs").setInputFiles([picture("b2.bmp"), picture("b3.bmp")]);
    const again = page.getByRole("button", { name: "Prøv igen" });
    await expect(again).toHaveCount(2);
    await page.context().addCookies(cookies);
    await page.locator('button[value="sendReferral"]').click();
    const named = "b2.bmp og b3.bmp er ikke modtaget endnu: Prøv igen, eller fjern dem.";
    await expect(page.getByRole("alert").filter({ hasText: named })).toBeVisible();
    expect(await isSent(portal, id)).toBe(false);
    await expectAccessible(page);
    await again.first().click();
    await expect(arrived(page, "b2.bmp")).toBeVisible();
    await page.getByRole("button", { name: "Fjern b3.bmp" }).click();
    await page.locator('button[value="sendReferral"]').click();
    await expect(page.getByText(`Klinikken har modtaget henvisning nr. ${id}`)).toBeVisible();
    expect(await imagesOf(portal, id)).toEqual(["b1.bmp", "b2.bmp"]);
  });

  test("'Send' waits while the portal cannot be told of a file, and sends when it can", async ({ portal }) => {
    const page = await portal.pageFor("tandlaege");
    const id = await toStepThree(page);
    await addImages(page, picture("b1.bmp"), 0, true);
    await page.route("**/management/uploads", (route) => route.abort());
    await page.locator("#step3-radiographs").setInputFiles(picture("b2.bmp"));
    await expect(onItsWay(page, "b2.bmp")).toContainText("Venter på nettet");
    await page.locator('button[value="sendReferral"]').click();
    await expect(bar(page).getByText("Sendes, når nettet er tilbage")).toBeVisible();
    expect(await isSent(portal, id)).toBe(false);
    await page.unroute("**/management/uploads");
    await expect(page).toHaveURL(new RegExp(`visit-sent\\?nr=${id}`), { timeout: 30_000 });
    await expect.poll(() => isSent(portal, id)).toBe(true);
    expect(await imagesOf(portal, id)).toEqual(["b1.bmp", "b2.bmp"]);
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

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { drawRadiograph } from "../../db/demo/content/drawn-images.server";
import { loggedEvents } from "../support/logged-events";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

// Each test goes through the wizard first, and draws its images.
test.describe.configure({ timeout: 120_000 });

const section = (page: Page) => page.getByRole("region", { name: "Billeder" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "RØNTGENBILLEDER" });
const jpg = async (name: string, seed: number) => ({
  name,
  mimeType: "image/jpeg",
  buffer: await drawRadiograph({ type: 2, format: "jpg", seed }),
});
const dcm = async (name: string, cpr: string) => ({
  name,
  mimeType: "application/dicom",
  buffer: await drawRadiograph({
    type: 4,
    format: "dcm",
    seed: 5,
    patient: { cpr, firstName: "Bo", lastName: "Fremmed" },
  }),
});

/** Adds images in the dialog: by its form, or with JavaScript, where they go by themselves. */
async function add(
  page: Page,
  files: Awaited<ReturnType<typeof jpg>>[],
  type: number,
  isScripted: boolean,
): Promise<void> {
  if (isScripted) {
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await dialog(page).getByLabel("Billedtype for nye filer").selectOption(String(type));
    await page.locator("#uploadImages-radiographs").setInputFiles(files);
    await expect(page.locator("[data-upload-state]:not([data-upload-state=refused])")).toHaveCount(0);
    await settled(page);
    return;
  }
  await dialog(page).locator('[name="radiographType"][form]').selectOption(String(type));
  await dialog(page).locator('[name="radiographs"]').setInputFiles(files);
  await press(page, "addRadiographs");
}

/** Delays what the page loads with JavaScript, from the first request on, until it is released. */
async function holdReading(page: Page) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const isReading = (url: URL) => url.searchParams.has("_data") && url.pathname.startsWith("/management/overview");
  await page.route(isReading, async (route) => {
    if (route.request().method() === "GET") await released;
    await route.continue();
  });
  return {
    begun: page.waitForRequest((request) => request.method() === "GET" && isReading(new URL(request.url()))),
    goOn: () => release(),
  };
}

/** What React was given to show stands on the screen. */
const nextPaint = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** A referral with a panorama and a DICOM of another patient, open for staff. */
async function withImages(portal: RunningPortal, isScripted: boolean) {
  const [dentist, staff] = [await portal.pageFor("tandlaege"), await portal.pageFor("admin")];
  const { id } = await aReferral(dentist);
  await dentist.goto(`/management/overview/${id}`);
  await section(dentist).getByRole("link", { name: "Tilføj billeder" }).click();
  await expect(dialog(dentist)).toBeVisible();
  await add(dentist, [await jpg("opg.jpg", 3)], 2, isScripted);
  await add(dentist, [await dcm("anden.dcm", "620170-4321")], 4, isScripted);
  await expect(dialog(dentist)).toContainText("anden.dcm er optaget af en patient med et andet CPR-nummer");
  return { dentist, staff, id };
}

/** Its words are seen: on the screen, and under nothing. */
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

test("a dentist adds images to a sent referral; wrong types are named; the clinic sees them in list and log", async ({
  portal,
  javaScriptEnabled,
}) => {
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
  await expect(section(staff)).toContainText("Filerne er ikke virusscannet.");
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

test("staff delete an image after a question and restore it; an older version is a conflict", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { dentist, staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  await staff.goto(`/management/overview/${id}?sort=1`);
  await section(staff).getByRole("link", { name: "Slet opg.jpg" }).click();
  const question = staff.getByRole("dialog", { name: "Slet billedet?" });
  await expect(question).toContainText("opg.jpg");
  if (javaScriptEnabled) await expectAccessible(staff);
  await add(dentist, [await jpg("ny.jpg", 9)], 2, Boolean(javaScriptEnabled));
  if (!javaScriptEnabled) await press(staff, "deleteRadiograph");
  else {
    const reading = await holdReading(staff);
    await question.locator('button[value="deleteRadiograph"]:not([aria-hidden])').click();
    await reading.begun;
    await nextPaint(staff);
    // Said now, the next press would send the former version once more.
    await expect(question).not.toContainText("Henvisningen er ændret, siden du åbnede den.");
    reading.goOn();
  }
  await expect(question).toContainText("Henvisningen er ændret, siden du åbnede den.");
  await press(staff, "deleteRadiograph");
  await expect(staff).toHaveURL(/sort=1/);
  await expect(section(staff)).toContainText("Billedet er slettet.");
  await expect(section(staff).getByRole("link", { name: "Slet opg.jpg" })).toHaveCount(0);
  await press(staff, "restoreFile");
  await expect(section(staff).getByRole("link", { name: "Slet opg.jpg" })).toBeVisible();
  await expect(staff.locator("#log")).toContainText("opg.jpg er hentet tilbage");
});

test("the viewer shows whose image it is, its neighbours, another one beside it, and light, contrast, inverted and turned", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  await staff.goto(`/management/overview/${id}?sort=1`);
  const first = section(staff).getByRole("link", { name: "opg.jpg", exact: true });
  if (javaScriptEnabled) {
    await settled(staff);
    await staff.keyboard.press("b");
    await expect(first).toBeFocused();
  }
  await first.click();
  await expect(staff.getByRole("heading", { name: "Åse Ærø" })).toBeVisible();
  const bar = staff.locator(".viewer-bar");
  await expect(bar).toContainText(`nr. ${id}`);
  await expect(bar).toContainText(/\d{6}-\d{4}/);
  await expect(bar).toContainText("1 / 2");
  await expect(staff.getByRole("complementary", { name: `Henvisning nr. ${id}` })).toContainText("Ønsket behandling");
  const picture = staff.locator(".viewport img").first();
  const turned = staff.locator(".turned").first();
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  const filter = () => turned.evaluate((element) => getComputedStyle(element).filter);
  await expect.poll(width).toBeGreaterThan(300);
  await staff.getByRole(javaScriptEnabled ? "button" : "link", { name: "1:1" }).click();
  await expect(picture).toHaveAttribute("src", /size=full/);
  await staff.getByRole(javaScriptEnabled ? "button" : "link", { name: "Tilpas" }).click();
  const steps = async (more: string, slider: string, times: number) => {
    for (let step = 0; step < times; step += 1) {
      if (javaScriptEnabled) await staff.getByRole("slider", { name: slider }).press("ArrowRight");
      else await staff.getByRole("link", { name: more, exact: true }).click();
    }
  };
  await staff.getByRole("link", { name: "Lys", exact: true }).click();
  await steps("Lysere", "Lys", 2);
  await expect.poll(filter).toContain("brightness(1.45)");
  await staff.getByRole("link", { name: "Invertér" }).click();
  await expect.poll(filter).toContain("invert(1)");
  await staff.getByRole("link", { name: "Rotér" }).click();
  await expect(turned).toHaveClass(/turned-90/);
  await staff.getByRole("link", { name: "Nulstil" }).click();
  await expect.poll(filter).not.toContain("brightness(1.45)");
  await staff.getByRole("link", { name: "Sammenlign med anden.dcm" }).click();
  await expect(staff.locator(".viewport")).toHaveCount(2);
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.getByRole("link", { name: "Byt om" }).click();
  await expect(bar).toContainText("2 / 2");
  await expect(staff.locator(".viewport")).toHaveCount(2);
  await staff.getByRole("link", { name: "Luk sammenligning" }).click();
  await expect(staff.locator(".viewport")).toHaveCount(1);
  // On a phone there is no strip to choose it from.
  const size = staff.viewportSize()!;
  await staff.setViewportSize({ width: 360, height: 740 });
  await staff.getByRole("link", { name: "Sammenlign med et andet billede" }).click();
  await expect(staff.locator(".viewport")).toHaveCount(2);
  await staff.getByRole("link", { name: "Vis ét billede" }).click();
  await expect(staff.locator(".viewport")).toHaveCount(1);
  await staff.setViewportSize(size);
  await expect(
    staff.getByText("anden.dcm er optaget af en patient med et andet CPR-nummer end henvisningens (Bo Fremmed)."),
  ).toBeVisible();
  await staff.getByRole("link", { name: "Kontrast", exact: true }).click();
  await steps("Mere kontrast", "Kontrast", 1);
  await steps("Lysere", "Lys", 1);
  await expect(picture).toHaveAttribute("src", /brightness=1&contrast=1/);
  await expect.poll(width).toBe(256);
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.getByRole("link", { name: "Skjul henvisningen" }).click();
  await expect(staff.getByRole("complementary")).toHaveCount(0);
  // Loaded whole, the page knows only what lies around the referral; on the way back the list comes again.
  await staff.reload();
  await staff.getByRole("link", { name: `Tilbage til henvisning nr. ${id}` }).click();
  await expect(staff).toHaveURL(new RegExp(`/overview/${id}\\?sort=1`));
  expect(staff.url()).not.toMatch(/lys|kontrast|foldet/);
  await expect(staff.locator(`#r${id}`)).toContainText("Åse Ærø");
});

test("with JavaScript wheel, keys and dragging move the image", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript there are links");
  const { staff, id } = await withImages(portal, true);
  await staff.goto(`/management/overview/${id}`);
  await section(staff).getByRole("link", { name: "opg.jpg", exact: true }).click();
  const [viewport, pan] = [staff.locator(".viewport"), staff.locator(".viewport .pan")];
  const zoom = () =>
    pan.evaluate((element: HTMLElement) => Number(/scale\(([\d.]+)\)/.exec(element.style.transform)?.[1] ?? 1));
  await expect(viewport).toBeFocused();
  // What has not come cannot be zoomed.
  await expect
    .poll(() => staff.locator(".viewport img").evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await viewport.hover();
  await staff.mouse.wheel(0, -300);
  await expect.poll(zoom).toBeGreaterThan(1);
  await staff.keyboard.press("+");
  await expect.poll(zoom).toBeGreaterThan(1.5);
  const before = await pan.evaluate((element: HTMLElement) => element.style.transform);
  await staff.mouse.down();
  await staff.mouse.move(300, 300);
  await staff.mouse.up();
  expect(await pan.evaluate((element: HTMLElement) => element.style.transform)).not.toBe(before);
  await staff.keyboard.press("0");
  await expect.poll(zoom).toBe(1);
  await staff.keyboard.press("ArrowRight");
  await expect(staff.locator(".viewer-bar")).toContainText("2 / 2");
  await staff.getByRole("link", { name: "Lys", exact: true }).click();
  await viewport.hover();
  await staff.mouse.down();
  const box = (await viewport.boundingBox())!;
  await staff.mouse.move(box.x + box.width / 2 + 85, box.y + box.height / 2 - 85, { steps: 4 });
  await staff.mouse.up();
  for (const name of ["Lys", "Kontrast"]) await expect(staff.getByRole("slider", { name })).toHaveValue("2");
  await viewport.focus();
  await staff.keyboard.press("Escape");
  await expect(section(staff)).toBeVisible();
});

test("a DICOM of many frames is browsed by links, with JavaScript also by keys; two fingers zoom", async ({
  portal,
  javaScriptEnabled,
}) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id } = await aReferral(dentist);
  await dentist.goto(`/management/overview/${id}/roentgenbilleder`);
  await add(
    dentist,
    [
      {
        name: "film.dcm",
        mimeType: "application/dicom",
        buffer: readFileSync("tests/files/dicom/examples_ybr_color.dcm"),
      },
    ],
    4,
    Boolean(javaScriptEnabled),
  );
  await dentist.goto(`/management/overview/${id}`);
  await section(dentist).getByRole("link", { name: "film.dcm", exact: true }).click();
  const picture = dentist.locator(".viewport img");
  const shows = async (text: string, frame: RegExp) => {
    await expect(dentist.getByText(text)).toBeVisible();
    await expect(picture).toHaveAttribute("src", frame);
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBe(320);
  };
  await shows("Snit 16 af 30", /size=view$/);
  await dentist.getByRole("link", { name: "Næste snit" }).click();
  await shows("Snit 17 af 30", /frame=16/);
  for (let turn = 0; turn < 2; turn += 1) await dentist.getByRole("link", { name: "10 snit frem" }).click();
  await shows("Snit 30 af 30", /frame=29/);
  await expect(dentist.getByRole("link", { name: "Næste snit" })).toHaveCount(0);
  await dentist.getByRole("link", { name: "Forrige snit" }).click();
  await shows("Snit 29 af 30", /frame=28/);
  if (!javaScriptEnabled) return;
  await dentist.locator(".viewport").focus();
  await dentist.keyboard.press("ArrowUp");
  await shows("Snit 28 af 30", /frame=27/);
  // All the picture's points are asked for at the first enlargement, and come when the fingers have gone on.
  await dentist.route(/size=full/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  const { x, y, width, height } = (await dentist.locator(".viewport").boundingBox())!;
  const fingers = await dentist.context().newCDPSession(dentist);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart: number) =>
    fingers.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        apart === 0
          ? []
          : [-1, 1].map((side) => ({ id: side + 1, x: x + width / 2 + (side * apart) / 2, y: y + height / 2 })),
    });
  await touch("touchStart", 60);
  for (const apart of [90, 120, 180]) await touch("touchMove", apart);
  await touch("touchEnd", 0);
  await expect(dentist.locator(".viewport .pan")).toHaveAttribute("style", /scale\(3\)/);
});

test("where the export failed, the icon retries it and downloads the images", async ({ portal, javaScriptEnabled }) => {
  const { staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  const failInArchive = () =>
    portal.withDatabase(async (db) => {
      const waiting = db
        .selectFrom("outbox")
        .select("id")
        .where("referral_id", "=", id)
        .where("channel", "=", "archive")
        .where("outcome", "in", ["queued", "awaiting"]);
      await expect.poll(async () => (await waiting.execute()).length, { timeout: 15_000 }).toBe(0);
      await db
        .updateTable("outbox")
        .set({ outcome: "failed", reason: "archiveRefusesFile" })
        .where("referral_id", "=", id)
        .where("channel", "=", "archive")
        .execute();
      await db.updateTable("referral").set({ radiograph_export_status: 2 }).where("id", "=", id).execute();
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
  // With JavaScript the icon in the list says so at once; without, the answer is the file alone and the page as it was.
  if (javaScriptEnabled)
    await expect(
      staff.locator(`#r${id} button[title="Eksport planlagt. Hent alle røntgenbilleder"]:not(.tone-err)`),
    ).toBeVisible();
  // The archive of a trial answers within a second, and holds the other patient's file back anew: the log keeps what was planned.
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

test("a missing image is reported on a page with a link onward, not in the viewer's window", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}/images/999999?sort=-1`);
  await expect(staff.getByRole("heading", { name: "Siden findes ikke" })).toBeVisible();
  await expect(staff.getByRole("link", { name: "Oversigt", exact: true })).toBeVisible();
  await expect(staff.locator(".window")).toHaveCount(0);
});

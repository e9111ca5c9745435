import { readFileSync } from "node:fs";
import { add, section, withImages } from "./image-page";
import { expect, expectAccessible, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "without script" });

test.describe.configure({ timeout: 120_000 });

test("the viewer shows whose image it is, neighbours, comparison and contrast", async ({
  portal,
  javaScriptEnabled,
}) => {
  const { staff, id } = await withImages(portal, Boolean(javaScriptEnabled));
  await staff.goto(`/management/overview/${id}?sort=1`);
  const first = section(staff).getByRole("link", { name: "opg.jpg", exact: true });
  if (javaScriptEnabled) {
    await settled(staff);
    await staff.keyboard.press("b");
  } else await first.click();
  await expect(staff.getByRole("heading", { name: "Åse Ærø" })).toBeVisible();
  const bar = staff.locator(".viewer-bar");
  await expect(bar).toContainText(`nr. ${id}`);
  await expect(bar).toContainText(/\d{6}-\d{4}/);
  await expect(bar).toContainText("1 af 2");
  const beside = staff.getByRole("complementary", { name: `Henvisning nr. ${id}` });
  await expect(beside).toContainText("Ønsket behandling");
  await expect(beside).toContainText("Billederne vises til visitation, ikke til diagnose.");
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
  await staff.getByRole("link", { name: "Nulstil", exact: true }).click();
  await expect.poll(filter).not.toContain("brightness(1.45)");
  await expect(staff.getByText("Drejet 90°")).toBeVisible();
  await staff.getByRole("link", { name: "Nulstil drejningen" }).click();
  await expect(turned).not.toHaveClass(/turned-90/);
  await expect(staff.getByText("Drejet")).toHaveCount(0);
  await staff.getByRole("link", { name: "Sammenlign med anden.dcm" }).click();
  await expect(staff.locator(".viewport")).toHaveCount(2);
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.getByRole("link", { name: "Byt om" }).click();
  await expect(bar).toContainText("2 af 2");
  await expect(staff.locator(".viewport")).toHaveCount(2);
  await staff.getByRole("link", { name: "Luk sammenligning" }).click();
  await expect(staff.locator(".viewport")).toHaveCount(1);
  // Phones show no strip of images.
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
  const side = (name: string) => staff.locator(".viewport").first().getByRole("img", { name });
  await expect(side("Patientens højre side")).toHaveClass(/side-left/);
  await staff.getByRole("link", { name: "Rotér" }).click();
  await expect(side("Patientens højre side")).toHaveClass(/side-top/);
  await staff.getByRole("link", { name: "Nulstil drejningen" }).click();
  await expect.poll(width).toBe(256);
  if (javaScriptEnabled) await expectAccessible(staff);
  await staff.getByRole("link", { name: "Skjul henvisningen" }).click();
  await expect(staff.getByRole("complementary")).toHaveCount(0);
  // A reloaded page knows only the neighbours; returning loads the list.
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
  // An image that has not loaded cannot be zoomed.
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
  await expect(staff.locator(".viewer-bar")).toContainText("2 af 2");
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

test("a DICOM of many frames is browsed by links and keys; fingers zoom", async ({ portal, javaScriptEnabled }) => {
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
  // The full resolution is loaded at the first enlargement, after the gesture.
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

test("a missing image is reported on a page with a link onward", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}/images/999999?sort=-1`);
  await expect(staff.getByRole("heading", { name: "Siden findes ikke" })).toBeVisible();
  await expect(staff.getByRole("link", { name: "Oversigt", exact: true })).toBeVisible();
  await expect(staff.locator(".window")).toHaveCount(0);
});

import type { Page } from "@playwright/test";
import { drawRadiograph } from "../../app/demo/content/drawn-images.server";
import { expect, press, type RunningPortal, settled } from "./portal";
import { aReferral } from "./referrals";

export const section = (page: Page) => page.getByRole("region", { name: "Billeder" });
export const dialog = (page: Page) => page.getByRole("dialog", { name: "RØNTGENBILLEDER" });
export const jpg = async (name: string, seed: number) => ({
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

export async function add(
  page: Page,
  files: Awaited<ReturnType<typeof jpg>>[],
  type: number,
  isScripted: boolean,
): Promise<void> {
  if (isScripted) {
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await dialog(page).getByLabel("Billedtype", { exact: true }).selectOption(String(type));
    await page.locator("#uploadImages-radiographs").setInputFiles(files);
    await expect(page.locator("[data-upload-state]:not([data-upload-state=refused])")).toHaveCount(0);
    await settled(page);
    return;
  }
  await dialog(page).locator('[name="radiographType"][form]').selectOption(String(type));
  await dialog(page).locator('[name="radiographs"]').setInputFiles(files);
  await press(page, "addRadiographs");
}

/** A referral with a panorama and another patient's DICOM, open for staff. */
export async function withImages(portal: RunningPortal, isScripted: boolean) {
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

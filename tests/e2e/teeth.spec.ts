import { expect, expectAccessible, press, test } from "./portal";
import { aCpr, fill, valid, wizard } from "./wizard-page";

test("a tooth that the text or the plan contradicts is asked about, and named", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto(wizard);
  await fill(page, { ...valid, ...aCpr(), desiredTreatment: "Fjernelse af 36.", teeth: "6-, 99" });
  await press(page, "savePatient");
  await expect(page.getByText("Ukendt tand: 99.").first()).toBeVisible();
  await expect(page.locator('[name="teeth"]')).toHaveValue("6-, 99");
  await fill(page, { teeth: "6-" });
  await press(page, "savePatient");
  await expect(page.getByText("Teksten nævner tand 36, men valgt er 46 (højre underkæbe).").first()).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const id = new URL(page.url()).searchParams.get("kladde");
  await page.getByLabel("Intet ekstra materiale").check();
  await press(page, "sendReferral");
  await expect(page.getByRole("heading", { name: "TAK FOR DIN HENVISNING" })).toBeVisible();

  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await expect(staff.locator(".ref-who")).toContainText("Tand 46 (højre underkæbe)");
  await expect(staff.getByText("Teksten nævner tand 36, men valgt er 46 (højre underkæbe).")).toBeVisible();
  await staff.goto(`/management/overview/${id}?ret=plan#plan`);
  await fill(staff, { plannedTeeth: "36" });
  await press(staff, "editPlan");
  await expect(staff.locator(".ref-who")).toContainText("Tand 36 (venstre underkæbe)");
  await expect(staff.getByText("Planen har tand 36, men der er henvist til 46 (højre underkæbe).")).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(staff);
});

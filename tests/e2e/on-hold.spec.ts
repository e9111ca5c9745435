import { expect, expectAccessible, settled, test } from "./portal";
import { aReferral, fromQueue } from "./referrals";

test.use({ matrix: "with script" });

test("a referral is put on hold, leaves its queue, and is released", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const staff = await portal.pageFor("admin");
  const open = async () => {
    await staff.goto(`/management/overview/${id}`);
    await staff.getByText("På vent", { exact: true }).first().click();
  };
  await open();
  await staff.getByRole("textbox", { name: "På vent til" }).fill("31.02.2031");
  await staff.getByRole("button", { name: "Sæt på vent" }).click();
  await expect(staff.getByText("Datoen findes ikke.").first()).toBeVisible();
  await expect(staff.getByRole("textbox", { name: "På vent til" })).toHaveValue("31.02.2031");
  if (javaScriptEnabled) await expectAccessible(staff);
  await open();
  await staff.getByRole("button", { name: "1 måned" }).click();
  await expect(staff.locator(".ref-head").getByText(/^På vent til \d\d\.\d\d\.\d{4}$/)).toBeVisible();
  await settled(staff);
  await staff.goto("/management/overview");
  await fromQueue(staff, /\d på vent$/);
  await expect(staff.locator(`#r${id}`)).toContainText("På vent til");
  await staff.goto("/management/overview");
  await fromQueue(staff, /afventer visitering/);
  await expect(staff.getByText(/^Ikke på vent \d/)).toBeVisible();
  await expect(staff.locator(`#r${id}`)).toHaveCount(0);
  await open();
  await staff.getByRole("button", { name: "Ophæv" }).click();
  await expect(staff.getByText("Ikke længere på vent.").first()).toBeVisible();
  await expect(staff.locator(".ref-head").getByText(/^På vent til/)).toHaveCount(0);
});

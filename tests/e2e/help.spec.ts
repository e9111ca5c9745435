import { expect, expectAccessible, test } from "./portal";

test.use({ matrix: "with script" });

test("the '?' beside a page's title opens its part of the help", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  for (const [path, heading] of [
    ["/management/sms", "SMS"],
    ["/management/settings/breve", "Indstillinger"],
    ["/management/henvisning-tandlaeger", "Henvis"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("main").getByRole("link", { name: "Hjælp", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/management/hjaelp#${path.split("/")[2]}$`));
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeInViewport();
  }
  if (javaScriptEnabled) await expectAccessible(page);
});

test("each role begins with its own guide, and the search looks in what it may read", async ({ portal }) => {
  const dentist = await portal.pageFor("tandlaege");
  await dentist.goto("/management/overview");
  await dentist.getByRole("banner").getByRole("link", { name: "Hjælp", exact: true }).first().click();
  await expect(dentist.getByRole("heading", { name: "Send en henvisning" })).toBeVisible();
  await expect(dentist.getByRole("link", { name: "Drift", exact: true })).toHaveCount(0);

  const admin = await portal.pageFor("admin");
  await admin.goto("/management/hjaelp");
  await admin.getByLabel("Søg i hjælpen").fill("brevbunke");
  await admin.getByRole("button", { name: "Søg", exact: true }).click();
  await expect(admin.getByText("nævner »brevbunke«")).toBeVisible();
  await admin.getByRole("link", { name: "Indkald en patient", exact: true }).click();
  await expect(admin).toHaveURL(/vis=sekretaer#indkald-en-patient$/);
});

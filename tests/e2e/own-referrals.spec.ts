import { expect, expectAccessible, settled, test } from "./portal";
import { aReferral, fromQueue } from "./referrals";

test.use({ matrix: "with script" });

test("a surgeon takes a referral, and it leaves their own once triaged", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const surgeon = await portal.pageFor("kirurg");
  await surgeon.goto(`/management/overview/${id}`);
  await surgeon.getByRole("button", { name: "Tag sagen" }).click();
  await expect(surgeon.getByText(/er kirurg på sagen/).first()).toBeVisible();
  await expect(surgeon.getByRole("button", { name: "Tag sagen" })).toHaveCount(0);
  await surgeon.goto("/management/overview");
  await fromQueue(surgeon, /\d mine$/);
  await expect(surgeon.locator(`#r${id}`)).toBeVisible();
  await settled(surgeon);
  if (javaScriptEnabled) await expectAccessible(surgeon);
  await surgeon.goto(`/management/overview/${id}`);
  await surgeon.getByRole("button", { name: "Visiteret", exact: true }).click();
  await expect(surgeon.getByText(`Nr. ${id} er nu Visiteret.`)).toBeAttached();
  await surgeon.goto("/management/overview?f=s0-16-6e&sort=8");
  await expect(surgeon.locator(`#r${id}`)).toHaveCount(0);
});

test("a new referral for the same patient begins with what is known of them", async ({ portal }) => {
  const dentist = await portal.pageFor("tandlaege");
  const { id, cpr } = await aReferral(dentist);
  await dentist.goto(`/management/overview/${id}`);
  await dentist.getByRole("link", { name: "Ny henvisning for samme patient" }).click();
  await expect(dentist.locator('[name="cpr6"]').first()).toHaveValue(cpr[0]);
  await expect(dentist.locator('[name="firstName"]').first()).toHaveValue("Åse");
});

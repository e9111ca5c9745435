import { expect, expireSession, press, settled, signInByHand, test } from "./portal";
import { installClock } from "./profiles";
import { aReferral } from "./referrals";

test("a form whose session expired keeps everything typed", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("ewinther");
  await page.goto("/management/change-password");
  await page.locator('[name="phone"]').fill("10 55 66 77");
  await expireSession(portal, page);
  await press(page, "changeProfile");
  if (javaScriptEnabled) {
    await expect(page.getByText("Du er ikke logget ind. Log ind, og prøv igen.").first()).toBeVisible();
    await expect(page.locator('[name="phone"]')).toHaveValue("10 55 66 77");
    return;
  }
  await expect(page.getByText("Du er blevet logget ud. Log ind igen, så får du det, du skrev, tilbage.")).toBeVisible();
  await signInByHand(page, "ewinther");
  await expect(page).toHaveURL(/\/management\/change-password/);
  await expect(page.locator('[name="phone"]')).toHaveValue("10 55 66 77");
});

test("a form whose session expired is restored and names the files to choose again", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled, "with JavaScript the form stays where it is, files and all");
  const page = await portal.pageFor("ewinther");
  await page.goto("/management/henvisning-tandlaeger");
  await page.locator('[name="firstName"]').fill("Åse");
  // Longer than a sealed form may be: its fields precede its files and are read alone.
  await page.locator('[name="journals"]').setInputFiles(
    ["journal.csv", "epikrise.csv"].map((name) => ({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from("a;b\n".repeat(100_000)),
    })),
  );
  await expireSession(portal, page);
  await press(page, "savePatient");
  await signInByHand(page, "ewinther");
  await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
  const kept = page
    .locator(".notice")
    .filter({ hasText: /Dette skrev du .+\. Det står i formularen og er ikke gemt endnu\./ });
  await expect(kept).toContainText("Vælg filerne igen: journal.csv, epikrise.csv");
  await page.reload();
  await expect(kept).toHaveCount(0);
});

test("a page reports that its session ended, until a sign-in elsewhere", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript there is no polling");
  const page = await portal.pageFor("kirurg");
  await installClock(page);
  await page.goto("/management/draft-visits");
  await settled(page);
  const notice = page.getByText("Du er logget ud.");
  await expireSession(portal, page);
  await page.clock.fastForward(11_000);
  await expect(notice).toBeVisible();
  await page.context().addCookies(await (await portal.pageFor("kirurg")).context().cookies());
  await page.clock.fastForward(11_000);
  await expect(notice).toHaveCount(0);
});

test("another person at the same browser never sees what was typed", async ({ portal, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled, "with JavaScript the form stays where it is");
  const page = await portal.pageFor("ewinther");
  await page.goto("/management/change-password");
  await page.locator('[name="phone"]').fill("10 99 88 77");
  await expireSession(portal, page);
  await press(page, "changeProfile");
  await signInByHand(page, "tandlaege2");
  await expect(page).toHaveURL(/\/management\/change-password/);
  await expect(page.locator('[name="userName"]')).toHaveValue("tandlaege2");
  await expect(page.locator('[name="phone"]')).not.toHaveValue("10 99 88 77");
});

test("new conditions in the middle of a form keep everything typed", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/henvisning-tandlaeger");
  const typed = {
    cpr6: "670173",
    cpr4: "1251",
    firstName: "Åse",
    lastName: "Kjær",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "Fjernelse af 18.",
  };
  for (const [name, value] of Object.entries(typed)) await page.locator(`[name="${name}"]`).fill(value);
  const staff = await portal.pageFor("admin");
  await staff.goto("/management/settings/tekster/conditions");
  await expect(staff.getByText("skal alle henvisere og tandlægesekretærer acceptere")).toBeVisible();
  await staff.getByLabel("Tekst", { exact: true }).fill("Nye betingelser\n\nFra i dag.");
  if (!javaScriptEnabled) await press(staff, "previewPortalText");
  await expect(staff.getByRole("region", { name: "Sådan ser den ud" })).toContainText("Fra i dag.");
  const { last } = await portal.withDatabase((db) =>
    db
      .selectFrom("portalText")
      .select((eb) => eb.fn.coalesce(eb.fn.max("version"), eb.val(0)).as("last"))
      .where("kind", "=", "conditions")
      .executeTakeFirstOrThrow(),
  );
  await press(staff, "savePortalText");
  try {
    await expect(staff.getByText(`Teksten er gemt som version ${last + 1}.`).first()).toBeVisible();
    await press(page, "savePatient");
    if (javaScriptEnabled) {
      await expect(page.getByText("Der er nye betingelser.").first()).toBeVisible();
      const [terms] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: "Læs og acceptér dem i et nyt vindue" }).click(),
      ]);
      await press(terms, "acceptConditions");
    } else {
      await expect(page.getByText("Nye betingelser")).toBeVisible();
      await press(page, "acceptConditions");
    }
    await expect(page.locator('[name="desiredTreatment"]')).toHaveValue("Fjernelse af 18.");
    await press(page, "savePatient");
    await expect(page).toHaveURL(/trin=3/);
  } finally {
    await portal.withDatabase((db) =>
      db.deleteFrom("portalText").where("kind", "=", "conditions").where("version", ">", last).execute(),
    );
  }
});

test("a link pressed offline keeps the page, and is followed once it may be", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript the browser loads each page itself");
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin", { mayLog: /ERR_INTERNET_DISCONNECTED/ });
  const waiting = page.getByText("Der er ingen forbindelse.", { exact: true });
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Hovedmenu" }).getByRole("link", { name, exact: true });
  await page.goto(`/management/overview/${id}`);
  await settled(page);

  await page.context().setOffline(true);
  await tab("Statistik").click();
  await expect(waiting).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${id}$`));
  await page.getByRole("button", { name: "Bliv her" }).click();
  await expect(waiting).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${id}$`));

  // The portal does not answer, though the browser is online.
  await page.route("**/*", (route) => route.abort());
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.waitForEvent("requestfailed");
  await page.getByLabel("Skriv til henviseren").fill("Ikke sendt endnu");
  await tab("Logs").click();
  await page.getByRole("button", { name: "Gå videre uden at gemme" }).click();
  await expect(waiting).toBeVisible();
  await expect(page.getByLabel("Skriv til henviseren")).toHaveValue("Ikke sendt endnu");
  await page.unroute("**/*");
  await expect(page.getByRole("heading", { name: "E-BOKS LOGS" })).toBeVisible({ timeout: 10_000 });
});

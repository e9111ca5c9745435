import { readFileSync } from "node:fs";
import { pagesOfPdf } from "../support/pdf-text";
import { localDate, showDay } from "../../app/text/dates";
import type { Db } from "../../db/connection.server";
import { answerTo, expect, expectAccessible, press, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

test("accesses are found by person, number and day; the patient's have no names", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("admin");
  const { id, cpr } = await aReferral(await portal.pageFor("tandlaege"));
  await (await portal.pageFor("kirurg")).goto(`/management/overview/${id}`);
  const rows = page
    .getByRole("table", { name: "Adgang" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
  const opened = rows.filter({ hasText: "Åbnede henvisningen" });
  const search = async (fields: Record<string, string | number>) => {
    await page.goto("/management/logs?type=adgang");
    await settled(page);
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(String(value));
    await answerTo(page, () => page.getByRole("button", { name: "Søg" }).click());
  };
  await expect(async () => {
    await search({ visitNumber: id, userName: "kirurg" });
    await expect(opened).toHaveText([/Lise Bjerregaard \(kirurg\).*Kirurg.*Set/], { timeout: 500 });
  }).toPass({ timeout: 120_000 });
  await expect(opened.getByRole("link", { name: String(id), exact: true })).toBeVisible();
  const today = showDay(localDate(new Date()));
  await search({ visitNumber: id, dateFrom: today, dateTo: today });
  await expect(rows.filter({ hasText: "Sendte henvisningen" })).toHaveCount(1);
  await search({ visitNumber: id, dateTo: "01.01.2020" });
  await expect(page.getByText("Ingen har set eller ændret noget, der passer.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Indsigt i log" })).toHaveCount(0);

  await search({ cpr6: cpr[0], cpr4: cpr[1] });
  const { search: query } = new URL(page.url());
  for (const part of cpr) expect(decodeURIComponent(query)).not.toContain(part);
  await expect(opened.filter({ hasText: "Lise Bjerregaard" })).toHaveCount(1);
  if (javaScriptEnabled) await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Indsigt i log" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("indsigt-i-log.pdf");
  const text = (await pagesOfPdf(readFileSync(await file.path()))).join("\n");
  const lines = text.split("\n").map((each) => each.replace(/\s+/g, " ").trim());
  expect(lines).toContain(`${today} Åbnede henvisningen Behandling af henvisningen Kirurg`);
  expect(text).toContain(cpr.join("-"));
  for (const name of ["Lise", "Bjerregaard", "Mette", "Kjærgaard"]) expect(text).not.toContain(name);

  await expect(async () => {
    await search({ userName: "admin", dateFrom: today });
    await expect(rows.filter({ hasText: /Så adgangsloggen.*×\d.*Ingen data/ })).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 120_000 });

  const secretary = await portal.pageFor("sekretaer");
  for (const address of [page.url(), "/management/logs?type=adgang", "/management/logs/indsigt.pdf?f=x"]) {
    const answer = await secretary.request.get(address);
    expect([address, answer.status()]).toEqual([address, 403]);
    expect(await answer.text()).not.toContain("Bjerregaard");
  }
});

test("last month's look-ups are drawn once, gone through, signed and kept", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const lastMonth = new Date(Date.now() - 32 * 86_400_000).toISOString();
  const seen = (db: Db) =>
    db
      .selectFrom("auditReferral")
      .innerJoin("auditEvent", "auditEvent.id", "auditReferral.auditEventId")
      .select("auditEvent.id")
      .where("auditReferral.referralId", "=", id)
      .where("auditEvent.outcome", "=", "seen");
  await (await portal.pageFor("kirurg")).goto(`/management/overview/${id}`);
  await portal.withDatabase(async (db) => {
    await expect.poll(async () => (await seen(db).execute()).length).toBeGreaterThan(0);
    const ids = (await seen(db).execute()).map((event) => event.id);
    await db.updateTable("auditEvent").set({ at: lastMonth }).where("id", "in", ids).execute();
  });

  const page = await portal.pageFor("admin");
  await page.goto("/management/logs?type=adgang");
  await page.getByRole("link", { name: "Månedens stikprøve" }).click();
  await page.getByRole("button", { name: /^Træk stikprøven for [a-z]+ \d{4}$/ }).click();
  await expect(page.getByText("Stikprøven er trukket.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Opslag" }).getByRole("link", { name: /^nr\. \d+$/ })).not.toHaveCount(
    0,
  );
  await expect(page.getByRole("button", { name: /^Træk/ })).toHaveCount(0);
  if (javaScriptEnabled) await expectAccessible(page);

  await press(page, "signAccessSample");
  await expect(page.getByText("Skriv, hvad gennemgangen viste.").first()).toBeVisible();
  await page.getByLabel("Hvad viste gennemgangen?").fill("Alle havde en grund.");
  await press(page, "signAccessSample");
  await expect(page.getByText("Stikprøven er godkendt.")).toBeVisible();
  const kept = page.getByRole("table", { name: "Andre stikprøver" });
  await expect(kept).toContainText("Alle havde en grund.");
  await kept.getByRole("link").click();
  await expect(page.getByText(/^Godkendt \d\d\.\d\d\.\d{4} af /)).toBeVisible();
  await expect(page.getByRole("button", { name: "Godkend stikprøven" })).toHaveCount(0);
});

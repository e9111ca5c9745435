import type { Page } from "@playwright/test";
import { postForm } from "./post-form";
import { answerTo, expect, expectAccessible, type RunningPortal, settled, test } from "./portal";
import { aReferral, fromQueue } from "./referrals";

test.use({ matrix: "with script" });

interface Sent {
  referralId: number;
  messageId: number;
}

const SMS = 2;
const EMAIL = 0;

/** A called-up patient with the call-up's outcome. */
async function calledUp(
  portal: RunningPortal,
  staff: Page,
  incallType: number,
  ended: { outcome: "sent" | "failed" | "unknown"; code: number; reason?: string },
): Promise<Sent> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const contact = { patientMobilePhone: "40 12 34 56", patientEmail: `patient${id}@eksempel.dk` };
  await portal.withDatabase((db) => db.updateTable("referral").set({ status: 3 }).where("id", "=", id).execute());
  const answer = await postForm(staff, `/management/call-up-letters?aaben=${id}`, {
    intent: "sendCallUp",
    referralId: id,
    incallType,
    patientAddress: "Kaj 7",
    patientZip: "5970",
    patientCity: "Ærøskøbing",
    ...contact,
  });
  expect(answer.status(), await answer.text()).toBe(303);
  const find = () =>
    portal.withDatabase((db) =>
      db
        .selectFrom("outbox")
        .select(["id", "outcome"])
        .where("referralId", "=", id)
        .where("kind", "=", "callUp")
        .executeTakeFirstOrThrow(),
    );
  await expect.poll(async () => (await find()).outcome, { timeout: 20_000 }).toBe("sent");
  const { id: messageId } = await find();
  if (ended.outcome !== "sent")
    await portal.withDatabase((db) => db.updateTable("outbox").set(ended).where("id", "=", messageId).execute());
  return { referralId: id, messageId };
}

const failures = (referralId: number, more = "") => `/management/logs?type=fejl&nr=${referralId}${more}`;
const line = (page: Page, messageId: number) => page.locator(`#f${messageId}`);
const pressIn = (page: Page, messageId: number, name: RegExp) =>
  answerTo(page, () => line(page, messageId).getByRole("button", { name }).click());

test("the logs are chosen, filtered, reset, and show what a message said", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  const sms = await calledUp(portal, page, SMS, { outcome: "sent", code: 1 });
  const mail = await calledUp(portal, page, EMAIL, { outcome: "sent", code: 3 });

  await page.goto("/management/overview");
  await page.getByRole("navigation", { name: "Hovedmenu" }).getByRole("link", { name: "Logs" }).click();
  await expect(page.getByRole("heading", { name: "E-BOKS LOGS" })).toBeVisible();
  await expect(page.getByLabel("E-Boks type").getByRole("option")).toHaveText([
    "Alle",
    "Indkald",
    "Aftalebrev",
    "Xray",
    "Faktura",
    "Tilbud",
    "Udskrivningsbrev",
  ]);
  const choice = page.getByRole("navigation", { name: "Vælg log" });
  await choice.getByRole("link", { name: "SMS" }).click();
  await expect(page.getByRole("heading", { name: "SMS LOGS" })).toBeVisible();
  await page.getByLabel("Nr.", { exact: true }).fill(String(sms.referralId));
  await page.getByLabel("Sms type").selectOption("Indkaldelse");
  await page.getByRole("button", { name: "Søg" }).click();
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("+4540123456");
  await expect(rows.first()).toContainText("Succes");
  await expect(page.getByRole("columnheader")).toHaveText([
    "Oprette dato",
    "Send dato",
    "CPR-nummner",
    "Mobiltelefon",
    "Status",
    "Vis",
  ]);
  if (javaScriptEnabled) await expectAccessible(page);
  await rows
    .first()
    .getByRole("link", { name: /Forhåndsvisning af SMS/ })
    .click();
  const dialog = page.getByRole("dialog", { name: "Forhåndsvisning af SMS" });
  await expect(dialog).toContainText("så finder vi en tid, der passer dig.");
  const [head, text] = [dialog.getByRole("heading", { level: 1 }), dialog.getByText("så finder vi en tid")];
  expect((await head.boundingBox())!.y + (await head.boundingBox())!.height).toBeLessThan(
    (await text.boundingBox())!.y,
  );
  const edge = (await dialog.boundingBox())!.y;
  expect((await head.boundingBox())!.y - edge).toBeLessThan(30);
  if (javaScriptEnabled) await expectAccessible(page);
  await dialog.getByRole("link", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rows).toHaveCount(1);

  await choice.getByRole("link", { name: "E-MAIL" }).click();
  await expect(page.getByRole("heading", { name: "E-MAIL LOGS" })).toBeVisible();
  await expect(page.getByLabel("Nr.", { exact: true })).toHaveValue(String(sms.referralId));
  await page.getByLabel("Nr.", { exact: true }).fill(String(mail.referralId));
  await page.getByLabel("E-mail type").selectOption("Indkaldelse");
  await page.getByRole("button", { name: "Søg" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(`patient${mail.referralId}@eksempel.dk`);
  await rows
    .first()
    .getByRole("link", { name: /Forhåndsvisning af e-mail/ })
    .click();
  await expect(page.getByRole("dialog", { name: "Forhåndsvisning af e-mail" })).toBeVisible();
  await expect(page.frameLocator("iframe").getByText("Kære Åse").first()).toBeVisible();
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "");

  await page.goto("/management/logs?type=sms&nr=abc");
  await expect(page.getByText("Skriv nummeret med tal.")).toBeVisible();
  await expect(page.getByText("Ingen data...")).toBeVisible();
  await page.getByRole("link", { name: "Reset filtre" }).first().click();
  await expect(page.getByLabel("Nr.", { exact: true })).toHaveValue("");
});

test("a mail in the preview may be framed by the portal alone and runs nothing", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  const { messageId } = await calledUp(portal, page, EMAIL, { outcome: "sent", code: 3 });
  const answer = await page.request.get(`/management/logs/${messageId}/indhold`);
  const headers = answer.headers();
  expect([answer.status(), headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(headers["content-security-policy"]).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  );
  expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
  const other = await page.request.get("/management/logs");
  expect(other.headers()["x-frame-options"]).toBe("DENY");
  expect(other.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("a dentist and a secretary are denied", async ({ portal }) => {
  for (const account of ["tandlaege", "sekretaer"]) {
    const page = await portal.pageFor(account);
    const answer = await page.goto("/management/logs");
    expect(answer?.status()).toBe(403);
    await expect(page.getByText("Access Denied by Role").first()).toBeVisible();
  }
});

test("a failed message is resent through another channel with one click", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  const { referralId, messageId } = await calledUp(portal, page, SMS, {
    outcome: "failed",
    code: 2,
    reason: "unreachable",
  });
  await page.goto(failures(referralId));
  await expect(page.getByRole("heading", { name: "FORSENDELSER, DER FEJLEDE" })).toBeVisible();
  await expect(line(page, messageId)).toContainText("Nummeret kan ikke nås");
  await expect(line(page, messageId).getByRole("link", { name: `nr. ${referralId}` })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
  await pressIn(page, messageId, /^E-mail/);
  await expect(page.getByText("Sat i kø som E-mail.").first()).toBeVisible();
  await expect(line(page, messageId)).toHaveCount(0);
  await page.goto(failures(referralId, "&haandterede=1"));
  await expect(line(page, messageId)).toContainText("Sendt som E-mail i stedet");
  await expect(line(page, messageId).getByRole("button", { name: /Fortryd/ })).toHaveCount(0);
  const again = await portal.withDatabase((db) =>
    db.selectFrom("outbox").select("channel").where("resendsId", "=", messageId).execute(),
  );
  expect(again).toEqual([{ channel: "email" }]);
});

test("a number is corrected at its failure, not over a colleague's correction", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  const { referralId, messageId } = await calledUp(portal, page, SMS, { outcome: "failed", code: 2 });
  await page.goto(failures(referralId));
  await settled(page);
  await line(page, messageId).getByText("Ret mobilnummer").click();
  const field = line(page, messageId).getByLabel("Mobilnummer", { exact: true });
  await expect(field).toHaveValue("40 12 34 56");
  await field.fill("10 20 44 1");
  await pressIn(page, messageId, /Gem og send igen/);
  await expect(line(page, messageId)).toContainText("Skriv et mobilnummer, fx 40 12 34 56 eller +45 40 12 34 56.");
  await expect(field).toHaveValue("10 20 44 1");
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set((eb) => ({ mobilePhone: "10 20 30 44", version: eb("version", "+", 1) }))
      .where("id", "=", referralId)
      .execute(),
  );
  await field.fill("51 22 33 44");
  await pressIn(page, messageId, /Gem og send igen/);
  await expect(line(page, messageId), "a colleague's correction").toContainText("Nu: 10 20 30 44");
  await expect(field).toHaveValue("51 22 33 44");
  await pressIn(page, messageId, /Gem og send igen/);
  await expect(page.getByText(`Rettet på henvisning nr. ${referralId}, og sat i kø som SMS.`).first()).toBeVisible();
  const { mobilePhone: phone } = await portal.withDatabase((db) =>
    db.selectFrom("referral").select("mobilePhone").where("id", "=", referralId).executeTakeFirstOrThrow(),
  );
  expect(phone).toBe("51 22 33 44");
});

test("an unknown outcome is settled; another is handled and reopened", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  const unknown = await calledUp(portal, page, SMS, { outcome: "unknown", code: 2 });
  await page.goto(failures(unknown.referralId));
  await expect(line(page, unknown.messageId)).toContainText("Ukendt: kontrollér hos modtageren");
  await pressIn(page, unknown.messageId, /Den er kommet frem/);
  await expect(page.getByText("Forsendelsen er registreret som kommet frem.").first()).toBeVisible();
  await page.goto(`/management/logs?type=sms&nr=${unknown.referralId}`);
  await expect(page.getByRole("row").filter({ hasText: "Succes" })).toHaveCount(1);

  const failed = await calledUp(portal, page, SMS, { outcome: "failed", code: 2 });
  await page.goto(failures(failed.referralId));
  await pressIn(page, failed.messageId, /Markér som håndteret/i);
  await expect(line(page, failed.messageId)).toHaveCount(0);
  await page.getByRole("button", { name: "Fortryd" }).click();
  await expect(line(page, failed.messageId)).toBeVisible();
  await pressIn(page, failed.messageId, /Markér som håndteret/i);
  await expect(line(page, failed.messageId)).toHaveCount(0);
  await page.goto(failures(failed.referralId));
  await page.getByLabel("Vis også håndterede").check();
  await page.getByRole("button", { name: "Søg" }).click();
  await expect(line(page, failed.messageId)).toContainText("Håndteret af");
  await pressIn(page, failed.messageId, /Fortryd/);
  await expect(line(page, failed.messageId).getByRole("button", { name: /Markér som håndteret/i })).toBeVisible();

  await page.goto("/management/overview");
  await fromQueue(page, /fejle(t|de)$/);
  await expect(page).toHaveURL(/type=fejl/);
  await expect(line(page, failed.messageId)).toBeVisible();
});

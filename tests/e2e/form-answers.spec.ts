import type { Page } from "@playwright/test";
import { answerTo, expect, press, readAnew, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";
import { MEGABYTE, onItsWay, picture, slowConnection } from "./upload-page";

test.use({ matrix: "without script" });

async function toCallUp(portal: RunningPortal): Promise<number> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ status: 3, mobilePhone: "40 12 34 56" }).where("id", "=", id).execute(),
  );
  return id;
}

async function openForm(page: Page, address: string, id: number): Promise<void> {
  await page.goto(address);
  await unfold(page, id);
}

async function unfold(page: Page, id: number): Promise<void> {
  const folded = page.locator("#indkaldelse > summary");
  if ((await folded.count()) > 0 && !(await page.locator(`form#callUp-${id}`).isVisible())) await folded.click();
}

for (const [where, open] of [
  ["on the page of call-ups", (id: number) => `/management/call-up-letters?aaben=${id}`],
  ["in the open referral", (id: number) => `/management/overview/${id}#indkaldelse`],
] as const)
  test(`a call-up's form ${where} follows a colleague, and asks about one field`, async ({ portal }) => {
    const id = await toCallUp(portal);
    const [one, other] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
    for (const page of [one, other]) await openForm(page, open(id), id);
    await one.locator(`form#callUp-${id}`).getByLabel("Mobil").fill("99 88 77 66");
    await press(one, "updateCallUp");
    const form = other.locator(`form#callUp-${id}`);
    await form.getByLabel("Kommentar").fill("Ring om aftenen.");
    await press(other, "updateCallUp");
    await expect(form.getByLabel("Kommentar")).toHaveValue("Ring om aftenen.");
    await expect(form.getByLabel("Mobil")).toHaveValue("99 88 77 66");
    await unfold(other, id);
    await form.getByLabel("Kommentar").fill("Ring kl. 12.");
    // The same address with its hash would not be read anew.
    await one.goto("/management/draft-visits");
    await openForm(one, open(id), id);
    await one.locator(`form#callUp-${id}`).getByLabel("Kommentar").fill("Ring om morgenen.");
    await press(one, "updateCallUp");
    await press(other, "updateCallUp");
    await expect(form.getByText("Nu: Ring om morgenen.").first()).toBeVisible();
    await expect(form.getByLabel("Kommentar")).toHaveValue("Ring kl. 12.");
    await press(other, "updateCallUp");
    await expect(form.getByText("Nu: Ring om morgenen.")).toHaveCount(0);
  });

test("only the button that was pressed says how it went", async ({ portal }) => {
  const id = await toCallUp(portal);
  const page = await portal.pageFor("admin");
  await page.goto(`/management/call-up-letters?aaben=${id}`);
  const form = page.locator(`form#callUp-${id}`);
  await form.getByLabel("Kommentar").fill("Ring om aftenen.");
  await press(page, "updateCallUp");
  await expect(form.getByRole("button", { name: "Opdater information – lykkedes" })).toBeVisible();
  await expect(form.getByRole("button", { name: "Send Indkaldelse", exact: true })).toBeVisible();
  await form.getByRole("radio", { name: /Brev/ }).check();
  await press(page, "sendCallUp");
  await press(page, "withdrawCallUp");
  await expect(page.getByText("Indkaldelsen er annulleret.").first()).toBeVisible();
  await expect(form.getByRole("button", { name: "Send Indkaldelse", exact: true })).toBeVisible();
  await form.getByLabel("E-mail", { exact: true }).fill("ikke en adresse");
  await press(page, "updateCallUp");
  await expect(form.getByRole("button", { name: "Opdater information – mislykkedes" })).toBeVisible();
  await expect(form.getByRole("button", { name: "Send Indkaldelse", exact: true })).toBeVisible();
});

/** Simulates a worker that has begun to send it. */
const beginToSend = (portal: RunningPortal, id: number) =>
  portal.withDatabase(async (db) => {
    await db.updateTable("outbox").set({ outcome: "awaiting" }).where("referralId", "=", id).execute();
    const freed = await db
      .updateTable("callUp")
      .set({ plannedReferralId: null })
      .where("referralId", "=", id)
      .executeTakeFirstOrThrow();
    expect(freed.numUpdatedRows).toBe(1n);
  });

/** Queues a printed letter for each. */
async function queueLetter(portal: RunningPortal): Promise<number> {
  const id = await toCallUp(portal);
  const page = await portal.pageFor("admin");
  await page.goto(`/management/call-up-letters?aaben=${id}`);
  await page.locator(`form#callUp-${id}`).getByRole("radio", { name: /Brev/ }).check();
  await press(page, "sendCallUp");
  await expect(page.getByText("Indkaldsbrev er planlagt.").first()).toBeVisible();
  return id;
}

test("the way back from a mass call-up says when it is too late", async ({ portal }) => {
  const id = await queueLetter(portal);
  const page = await portal.pageFor("admin");
  await page.goto(`/management/call-up-letters?indkaldt=${id}`);
  await expect(page.getByText("1 indkaldelse er sat i kø.")).toBeVisible();
  await beginToSend(portal, id);
  await press(page, "withdrawCallUps");
  await expect(page.getByText("Indkaldelserne er sendt, eller ved at blive det").first()).toBeVisible();
  await page.goto(`/management/call-up-letters?indkaldt=${id}`);
  await expect(page.getByText("De kan ikke fortrydes længere.")).toBeVisible();
  await expect(page.locator('button[value="withdrawCallUps"]')).toHaveCount(0);
});

test("a call-up that has begun to leave says that it cannot be withdrawn", async ({ portal }) => {
  const id = await queueLetter(portal);
  const page = await portal.pageFor("admin");
  await page.goto(`/management/call-up-letters?aaben=${id}`);
  await beginToSend(portal, id);
  await press(page, "withdrawCallUp");
  await expect(page.getByText("Indkaldelsen er ved at blive sendt, eller er sendt").first()).toBeVisible();
});

test("a batch that a colleague has put back says so to whoever marks it as printed", async ({ portal }) => {
  await queueLetter(portal);
  const [page, colleague] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  await page.goto("/management/call-up-letters");
  await press(page, "makeLetterBatch");
  for (const each of [page, colleague]) await each.goto("/management/call-up-letters/arkiv");
  await press(colleague, "putBatchBack");
  await press(page, "markBatchPrinted");
  const said = page.getByText("er allerede markeret.").first();
  await expect(said).toBeVisible();
  // Refusals are shown longer than confirmations.
  await page.waitForTimeout(6_000);
  await expect(said).toBeVisible();
});

test("making a batch says so when no letter waits any more", async ({ portal }) => {
  await queueLetter(portal);
  const [page, colleague] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
  for (const each of [page, colleague]) await each.goto("/management/call-up-letters");
  await press(colleague, "makeLetterBatch");
  await press(page, "makeLetterBatch");
  await expect(page.getByText("Der er ingen breve, der venter på udskrift.").first()).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ matrix: null });

  test("calling up with nobody picked says so", async ({ portal, javaScriptEnabled }) => {
    test.skip(javaScriptEnabled, "The bar stands only while somebody is picked.");
    await toCallUp(portal);
    const page = await portal.pageFor("admin");
    await page.goto("/management/call-up-letters");
    await press(page, "askCallUps");
    await expect(page.getByText("Vælg mindst én henvisning i listen først.").first()).toBeVisible();
  });
});

test("the errors of a form stay while an image arrives and the page is read anew", async ({
  portal,
  javaScriptEnabled,
}) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/henvisning-tandlaeger");
  const image = picture("a.bmp", 1);
  if (javaScriptEnabled) {
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    await slowConnection(page, MEGABYTE / 4);
    await page.locator("#billeder").setInputFiles(image);
    await expect(onItsWay(page, "a.bmp")).toBeVisible();
  }
  const patient = { cpr6: "610160", cpr4: "2901", firstName: "Åse", lastName: "Øst", address: "Åvej 1", zip: "8000" };
  for (const [name, value] of Object.entries(patient)) await page.locator(`[name="${name}"]`).first().fill(value);
  await page.getByRole("button", { name: "Næste" }).click();
  const errors = page.locator(".errors");
  await expect(errors).toBeVisible();
  if (javaScriptEnabled) {
    await expect(page.getByText("Overført", { exact: true }).first()).toBeVisible({ timeout: 20_000 });
    await settled(page);
    await readAnew(page);
  }
  await expect(errors).toBeVisible();
  await expect(page.locator('[name="desiredTreatment"]')).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
});

for (const { where, open, megabytes } of [
  { where: "times", open: "/management/aftaletider", megabytes: 10.6 },
  { where: "clinics", open: "/management/settings/import", megabytes: 1.4 },
])
  test(`a file of ${where} that is too large is answered as such, beside its field`, async ({ portal }) => {
    const page = await portal.pageFor("admin");
    await page.goto(open);
    const form = page.locator("form:has(input[type=file]):has(button[name=intent])").first();
    await form.locator("input[type=file]").setInputFiles({
      name: "for-stor.csv",
      mimeType: "text/csv",
      buffer: Buffer.alloc(Math.round(megabytes * MEGABYTE), "CPR;Dato;Tid;Kode\n"),
    });
    const answer = await answerTo(page, () => form.locator("button[name=intent]").first().click());
    expect(answer.status()).toBe(413);
    await expect(page.getByText("for-stor.csv: Filen er for stor.").first()).toBeVisible();
    await expect(page.locator("form:has(input[type=file])").first()).toBeVisible();
    await expect(page.getByText("Overførslen blev afbrudt")).toHaveCount(0);
  });

test("an open referral follows a sending, and leaves typed text alone", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "Without JavaScript nothing changes until the page is read again.");
  const id = await toCallUp(portal);
  const page = await portal.pageFor("admin");
  await openForm(page, `/management/overview/${id}#indkaldelse`, id);
  await page.locator(`form#callUp-${id}`).getByRole("radio", { name: /SMS/ }).check();
  await press(page, "sendCallUp");
  await page.locator("#beskeder textarea").first().fill("Halvt skrevet");
  await expect(page.locator(".ref-status select")).toHaveValue("5", { timeout: 20_000 });
  await expect(page.getByRole("article").first()).toContainText("Succes");
  await expect(page.locator("#beskeder textarea").first()).toHaveValue("Halvt skrevet");
  // The suggestion carries the version of the page.
  await page.locator(".ref-status select").selectOption("6");
  await press(page, "setStatus");
  await expect(page.getByText(`Nr. ${id} er nu I behandling.`).first()).toBeAttached();
});

test("a file that a refused form kept can be taken off, and what is typed stays", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  await page.goto(`/management/overview/${id}`);
  const part = page.locator("#beskeder");
  await part.getByLabel("Skriv til klinikken").fill("Se vedhæftede.");
  await part.getByText("Vedhæft filer").click();
  const csv = (name: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(`${name};1\n`) });
  await page.locator('[name="attachments"]').setInputFiles([csv("ja.csv"), csv("nej.csv"), csv("virus.exe")]);
  await press(page, "writeMessage");
  await expect(part).toContainText("Modtaget: nej.csv");
  await answerTo(page, () => part.getByRole("button", { name: "Fjern nej.csv" }).click());
  await expect(part).toContainText("Modtaget: ja.csv");
  await expect(part).not.toContainText("nej.csv");
  await expect(part.getByLabel("Skriv til klinikken")).toHaveValue("Se vedhæftede.");
  await page.locator('[name="attachments"]').setInputFiles([]);
  await press(page, "writeMessage");
  await expect(part.getByRole("link", { name: "ja.csv" })).toBeVisible();
  await expect(part.getByRole("link", { name: "nej.csv" })).toHaveCount(0);
});

test("a journal that waits for step 1 can be taken off", async ({ portal }) => {
  const page = await portal.pageFor("tandlaege");
  await page.goto("/management/henvisning-tandlaeger");
  await page.locator('[name="firstName"]').fill("Åse");
  await page.locator('[name="journals"]').setInputFiles({
    name: "journal.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("a;b\n"),
  });
  await page.getByRole("button", { name: "Næste" }).click();
  await expect(page.getByText("Modtaget: journal.csv")).toBeVisible();
  await answerTo(page, () => page.getByRole("button", { name: "Fjern journal.csv" }).click());
  await expect(page.getByText("Modtaget: journal.csv")).toHaveCount(0);
  await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
});

test.describe("without JavaScript", () => {
  test.use({ matrix: null });

  test("an image that came with step 1's refused form can be taken off", async ({ portal, javaScriptEnabled }) => {
    test.skip(javaScriptEnabled, "with JavaScript images have a line and an upload each");
    const page = await portal.pageFor("tandlaege");
    await page.goto("/management/henvisning-tandlaeger");
    await page.locator('[name="firstName"]').fill("Åse");
    await page.locator("#billeder").setInputFiles([picture("opg.bmp"), picture("38.bmp", 2)]);
    await page.getByRole("button", { name: "Send henvisning" }).click();
    await expect(page.getByText("Modtaget: opg.bmp")).toBeVisible();
    await answerTo(page, () => page.getByRole("button", { name: "Fjern opg.bmp" }).click());
    await expect(page.getByText("Modtaget: opg.bmp")).toHaveCount(0);
    await expect(page.getByText("Modtaget: 38.bmp")).toBeVisible();
    await expect(page.locator('[name="firstName"]')).toHaveValue("Åse");
  });
});

import { aReferralLetter, dropEdi } from "../support/edi/drop";
import { answerTo, expect, expectAccessible, type RunningPortal, settled, test } from "./portal";

test.use({ matrix: "with script" });

const PAGE = "/management/logs?type=edi";

let count = 0;
/** Born in 1970: from 5 on the seventh digit would say 1870, and a letter of such an age waits for a person. */
const aCpr = () => `030370${1000 + ((Date.now() % 3900) + ++count)}`;

let lastId = 0;

/** Imports the next letter of the folder by the portal's worker. */
async function imported(portal: RunningPortal, cpr: string, state: string) {
  const found = () =>
    portal.withDatabase((db) =>
      db
        .selectFrom("ediMessage")
        .select(["id", "state", "referralId"])
        .where("id", ">", lastId)
        .orderBy("id", "desc")
        .executeTakeFirst(),
    );
  await expect.poll(async () => (await found())?.state, { timeout: 30_000, message: cpr }).toBe(state);
  const letter = (await found())!;
  lastId = letter.id;
  return letter;
}

test("'EDI import' makes a referral, yellow without a known referrer", async ({ portal, javaScriptEnabled }) => {
  const cpr = aCpr();
  dropEdi(portal.dataDir, `ny-${cpr}.xml`, aReferralLetter({ cpr }));
  const page = await portal.pageFor("admin");
  await page.goto("/management/overview");
  await answerTo(page, () => page.getByRole("button", { name: "EDI-import" }).click());
  await expect(page.getByText("Importen kan tage et par minutter.")).toBeVisible();
  const { id, referralId: visitId } = await imported(portal, cpr, "imported");
  await page.goto(`/management/overview/${visitId}`);
  await settled(page);
  await expect(page.getByText("EDI-ansvarlig tandlæge").first()).toBeAttached();
  await page.goto(PAGE);
  const row = page.locator(`#edi${id}`);
  await expect(row).toContainText("Ole Berggren");
  await expect(row).toContainText("Henvisning oprettet");
  await expect(row.getByRole("link", { name: `nr. ${visitId}` })).toBeVisible();
  if (javaScriptEnabled) await expectAccessible(page);
});

test("a letter of another name waits; a person attaches it to a referral", async ({ portal, javaScriptEnabled }) => {
  const cpr = aCpr();
  dropEdi(portal.dataDir, `a-${cpr}.xml`, aReferralLetter({ cpr }));
  const page = await portal.pageFor("admin");
  const runImport = async () => {
    await page.goto(PAGE);
    await answerTo(page, () => page.getByRole("button", { name: "EDI-import" }).click());
  };
  await runImport();
  const first = await imported(portal, cpr, "imported");
  dropEdi(portal.dataDir, `b-${cpr}.xml`, aReferralLetter({ cpr, firstName: "Signe", lastName: "Holm" }));
  await runImport();
  const { id } = await imported(portal, cpr, "person");
  await page.goto(`${PAGE}&status=person`);
  await settled(page);
  const row = page.locator(`#edi${id}`);
  await expect(row).toContainText("Navnet i brevet er et andet end på patientens tidligere henvisning.");
  const field = row.getByLabel(/Henvisning nr\./);
  await expect(field).toHaveValue(String(first.referralId));
  await field.fill("99999999");
  const attach = row.getByRole("button", { name: /Læg på henvisning/ });
  await answerTo(page, () => attach.click());
  await expect(row).toContainText("Der er ingen henvisning med det nummer.");
  if (javaScriptEnabled) await expectAccessible(page);
  await field.fill(String(first.referralId));
  await answerTo(page, () => attach.click());
  await page.goto(PAGE);
  await expect(page.locator(`#edi${id}`)).toContainText("Lagt på henvisning");
});

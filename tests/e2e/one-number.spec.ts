import type { Page } from "@playwright/test";
import fc from "fast-check";
import { postForm } from "./post-form";
import { expect, press, settled, test } from "./portal";
import { fill } from "./wizard-page";

test.use({ matrix: "without script" });

const wizard = "/management/henvisning-tandlaeger";
const FOURS = ["4101", "4102"] as const;
const NAMES = ["firstName", "comment", "diagnose", "profession"] as const;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("type" as const), name: fc.constantFrom(...NAMES) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("number" as const), four: fc.constantFrom(...FOURS) }) },
  ...(["away", "reload", "undo", "begun", "draft", "half"] as const).map((does) => ({
    weight: 1,
    arbitrary: fc.record({ does: fc.constant(does) }),
  })),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** All texts of the form with the number they belong to, read in the browser. */
const standing = (page: Page) =>
  page.locator("#patient-form form[enctype]").evaluate(
    (form: HTMLFormElement, names) => {
      const value = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
      return { four: value("cpr4"), texts: names.map(value).filter((text) => text !== "") };
    },
    [...NAMES],
  );

async function expectOneNumber(page: Page, expectation: string) {
  const { four, texts } = await standing(page);
  for (const text of texts)
    expect(
      four.length < 4 ? text : [`Af${letters(four)}`, "Af"],
      `${expectation} ${JSON.stringify({ four, texts })}`,
    ).toContain(text);
}

/** Names contain no digits. */
const letters = (four: string) => [...four].map((digit) => "abcdefghij"[Number(digit)]).join("");

/** Opens an address and waits for its script. */
async function openWizard(page: Page, address: string) {
  await page.goto(address);
  await settled(page);
}

const acts: { [D in Step["does"]]: (page: Page, step: Extract<Step, { does: D }>, drafts: string[]) => Promise<void> } =
  {
    async type(page, { name }) {
      const { four } = await standing(page);
      if (four.length < 4 && four !== "") return;
      await fill(page, { [name]: `Af${letters(four)}` });
    },
    async number(page, { four }) {
      await page.locator('[name="cpr6"]').fill("690181");
      await page.locator('[name="cpr4"]').fill(four);
      await settled(page);
    },
    async half(page) {
      await page.locator('[name="cpr4"]').fill("41");
    },
    async away(page) {
      await page.getByRole("link", { name: "Kladde", exact: true }).click();
      await expect(page).toHaveURL(/draft-visits/);
      await page.goBack();
      await expect(page).toHaveURL(/henvisning-tandlaeger/);
      await settled(page);
    },
    async reload(page) {
      await page.reload();
      await settled(page);
    },
    async undo(page) {
      const button = page.getByRole("button", { name: "Fortryd" });
      if (await button.isVisible()) await button.click();
      await settled(page);
    },
    async begun(page) {
      await page.getByRole("link", { name: "Henvis", exact: true }).click();
      await settled(page);
      const begun = page.locator(".panel-notices li a").first();
      if (await begun.isVisible()) await begun.click();
      await settled(page);
    },
    async draft(page, _step, drafts) {
      await openWizard(page, `${wizard}?kladde=${drafts[0]}&trin=1`);
    },
  };

test("in the browser, never shows text under another patient's number", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "without JavaScript nothing is kept until it is sent");
  test.setTimeout(180_000);
  const page = await portal.pageFor("tandlaege2");
  await page.goto(wizard);
  const patient = {
    cpr6: "690181",
    cpr4: FOURS[0],
    firstName: `Af${letters(FOURS[0])}`,
    lastName: "Ærø",
    address: "Kaj 7",
    zip: "5970",
    city: "Ærøskøbing",
    desiredTreatment: "48",
  };
  for (const [name, value] of Object.entries(patient)) await page.locator(`[name="${name}"]`).fill(value);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const drafts = [new URL(page.url()).searchParams.get("kladde")!];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
      await openWizard(page, `${wizard}?kladde=${drafts[0]}&trin=1`);
      for (const each of steps) {
        await acts[each.does](page, each as never, drafts);
        await expectOneNumber(page, JSON.stringify(steps));
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 3), endOnFailure: true },
  );
});

test("a saved referral shows its own data after another number was typed", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "with JavaScript another number clears the form");
  const page = await portal.pageFor("tandlaege2");
  await page.goto(wizard);
  const patient = {
    cpr6: "690182",
    cpr4: "4201",
    firstName: "Første",
    lastName: "Patient",
    address: "Kaj 7",
    zip: "5970",
    city: "Ærøskøbing",
    desiredTreatment: "48",
  };
  for (const [name, value] of Object.entries(patient)) await page.locator(`[name="${name}"]`).fill(value);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const opened = `${wizard}?kladde=${new URL(page.url()).searchParams.get("kladde")}&trin=1`;
  await openWizard(page, opened);
  await fill(page, { comment: "Om den første" });
  const kept: string[] = [];
  page.on(
    "request",
    (request) =>
      request.method() === "POST" && request.postData()?.includes("saveAutosave") && kept.push(request.postData()!),
  );
  await page.locator('[name="cpr4"]').fill("4202");
  await expect(page.getByText("Formularen er ryddet.")).toBeVisible();
  await expect.poll(() => kept.length).toBe(1);
  expect(new URLSearchParams(kept[0]).get("typedFor")).toBe("690182-4201");
  await page.getByRole("link", { name: "Kladde", exact: true }).click();
  await expect(page).toHaveURL(/draft-visits/);
  await openWizard(page, opened);
  await expect(page.locator('[name="cpr4"]')).toHaveValue("4201");
  await expect(page.locator('[name="comment"]')).toHaveValue("Om den første");
});

test("offers a copy under another number visibly, and does not fill it in", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("tandlaege2");
  await page.goto(wizard);
  const patient = {
    cpr6: "690183",
    cpr4: "1301",
    firstName: "Egen",
    lastName: "Patient",
    address: "Kaj 7",
    zip: "5970",
    city: "Ærøskøbing",
    desiredTreatment: "48",
  };
  for (const [name, value] of Object.entries(patient)) await page.locator(`[name="${name}"]`).fill(value);
  await press(page, "savePatient");
  await expect(page).toHaveURL(/trin=3/);
  const draft = new URL(page.url()).searchParams.get("kladde")!;
  // Leftovers of a corrected number and of former page versions.
  await postForm(page, wizard, {
    intent: "saveAutosave",
    formKey: "an-older-copy",
    referralId: draft,
    // Step 1, and step 2 on the same page for dentists.
    seenVersion: 2,
    cpr6: "690183",
    cpr4: "4302",
    firstName: "Fremmed",
    comment: "Om den anden",
  });
  await openWizard(page, `${wizard}?visitId=${draft}`);
  await expect(page.locator('[name="firstName"]')).toHaveValue("Egen");
  const question = page.getByText("Du har skrevet noget her under et andet CPR-nummer.");
  await expect(question).toBeInViewport();
  await expect(page.getByText("690183-4302")).toBeVisible();
  await page.getByRole("button", { name: "Åbn: Fremmed" }).click();
  await expect(page).toHaveURL(/\?form=/);
  await expect(page.locator('[name="cpr4"]')).toHaveValue("4302");
  await expect(page.locator('[name="comment"]')).toHaveValue("Om den anden");
  if (!javaScriptEnabled) return;
  await page.goto(`${wizard}?visitId=${draft}`);
  await expect(question).toHaveCount(0);
});

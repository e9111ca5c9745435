import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, type RunningPortal, settled, test } from "./portal";
import { buttonOf, expectTyped, type Form, formsOf, saveError, sendAnswered, type } from "./typed-text-forms";
import { changeBySomebodyElse, makeOnce, VERSIONED, withServerError } from "./typed-text-obstacles";
import { addressOf, LOOK_UPS, places } from "./typed-text-pages";
import { forms as table } from "../support/forms";

test.use({ matrix: "with script" });

/** `npm run soak -- --fuzz 10000` refuses every form of every page (`REFUSED_FORMS=all`) with a random seed. */
const DRAWN = process.env.REFUSED_FORMS === "all" ? Infinity : 2;
const SEED = process.env.FUZZ_SEED ?? "20261126";

type Place = (typeof places)[number];

interface Refused {
  portal: RunningPortal;
  page: Page;
  place: Place;
  form: Form;
  typed: Record<string, string>;
  /** With JavaScript the form stays; without, the answer is a page. */
  isScripted: boolean;
}

interface Refusal {
  /** What the form needs. */
  needs?: "ticket" | "text";
  /** Whether a form can be refused like this. */
  applies(place: Place, intent: string): boolean;
  /** Prepares the refusal, submits the form, and returns the status. */
  meet(refused: Refused): Promise<number>;
  statuses: number[];
  sentence?: RegExp;
}

const send = async ({ page, form }: Refused) => (await sendAnswered(page, form)).status();
const always = () => true;
/** Accepts text of any length, and is no CPR field. */
const FREE_TEXT = ":not([type=hidden]):not([maxlength]):not([name^=cpr])";
const MARK = "Åse skrev dette";

const refusals: Record<string, Refusal> = {
  "of an old page": {
    needs: "ticket",
    applies: always,
    async meet(refused) {
      const ticket = refused.form.locator.locator('[name="ticket"]');
      await ticket.evaluateAll((all) => all.forEach((each) => ((each as HTMLInputElement).value = "of-no-page")));
      return send(refused);
    },
    statuses: [400],
    sentence: /Siden er forældet\. Genindlæs den, og prøv igen\./,
  },
  "of another person": {
    needs: "ticket",
    applies: always,
    async meet(refused) {
      const other = refused.place.as === "kirurg" ? "admin" : "kirurg";
      const cookies = await (await refused.portal.pageFor(other)).context().cookies();
      await refused.page.context().addCookies(cookies);
      return send(refused);
    },
    statuses: [409],
    sentence: /Formularen blev åbnet af [^.]+\. Du er logget ind som [^.]+\./,
  },
  "of a conflict": {
    applies: ({ address }, intent) => VERSIONED.has(intent) && !address.includes("form="),
    async meet(refused) {
      await changeBySomebodyElse(refused.portal);
      return send(refused);
    },
    statuses: [409],
  },
  "with an invalid field": {
    needs: "text",
    applies: (_place, intent) => !LOOK_UPS.has(intent),
    async meet(refused) {
      const { form, typed } = refused;
      const text = "x".repeat(30_000);
      const field = form.locator.locator(form.names.map((name) => `[name="${name}"]${FREE_TEXT}`).join(", ")).first();
      await field.fill(text);
      typed[(await field.getAttribute("name"))!] = text;
      return send(refused);
    },
    statuses: [400, 413],
  },
  "that its person may no longer send": {
    applies: ({ route, as }, intent) =>
      as === "admin" && table[route]?.[intent]?.answers.split(" ").slice(3, 7).join(" ") === "403 403 403 403",
    meet: (refused) => withoutRight(refused.portal, () => send(refused)),
    statuses: [403],
    sentence: /Access Denied by Role/,
  },
  "that meets an unexpected error": {
    applies: (_place, intent) => !LOOK_UPS.has(intent),
    meet: (refused) => withServerError(refused.portal, () => send(refused)),
    // The typed text may be invalid itself.
    statuses: [400, 403, 404, 409, 500],
  },
};

/** Simulates an administrator who became a dentist meanwhile. */
async function withoutRight<T>(portal: RunningPortal, work: () => Promise<T>): Promise<T> {
  const change = (role: "Dentist" | "Admin") =>
    portal.withDatabase(async (db) => {
      const admin = db.selectFrom("user").select("id").where("userName", "=", "admin");
      await db.updateTable("userRole").set({ role }).where("userId", "in", admin).execute();
      const { version } = await db
        .selectFrom("portalText")
        .select((eb) => eb.fn.max("version").as("version"))
        .where("kind", "=", "conditions")
        .executeTakeFirstOrThrow();
      await db
        .updateTable("user")
        .set({ acceptedConditionsVersion: role === "Dentist" ? version : null })
        .where("userName", "=", "admin")
        .execute();
    });
  await change("Dentist");
  try {
    return await work();
  } finally {
    await change("Admin");
  }
}

const orderOf = (key: string) => createHash("sha256").update(`${SEED} ${key}`).digest("hex");
const drawn = <T>(from: readonly T[], keyOf: (each: T) => string) =>
  [...from].sort((one, other) => (orderOf(keyOf(one)) < orderOf(keyOf(other)) ? -1 : 1));

const success = (page: Page) =>
  page.locator("[data-state=success], .notice.tone-ok, .tone-ok [role=status]").filter({ visible: true });

for (const [kind, refusal] of Object.entries(refusals)) {
  test(`a form ${kind} says so, nothing says success, and what was typed stays`, async ({ portal, javaScriptEnabled }, {
    project,
  }) => {
    test.setTimeout(DRAWN === Infinity ? 3_600_000 : 120_000);
    const made = await makeOnce(portal);
    const intentsOf = ({ route }: Place) => Object.keys(table[route] ?? {});
    const holding = places.filter((place) => intentsOf(place).some((intent) => refusal.applies(place, intent)));
    const order = drawn(holding, ({ address }) => `${project.name} ${kind} ${address}`);
    let count = 0;
    for (const place of order) {
      const refused = new Set<string>();
      for (;;) {
        const page = await portal.pageFor(place.as);
        await page.goto(addressOf(place.address, made));
        await settled(page);
        const forms = drawn(await formsOf(page), ({ intent }) => `${project.name} ${kind} ${intent}`);
        const form = await firstSendable(
          forms.filter(({ intent }) => !refused.has(intent)),
          { page, place, refusal },
        );
        if (form) {
          const isScripted = javaScriptEnabled === true && !form.isDocument;
          await test.step(`${form.intent} at ${place.address}`, async () =>
            refuse(refusal, {
              portal,
              page,
              place,
              form,
              typed: await type(await typedIn(refusal, form)),
              isScripted,
            }));
          refused.add(form.intent);
          count += 1;
        }
        await page.close();
        if (!form || DRAWN < Infinity) break;
      }
      if (count >= DRAWN) break;
    }
    expect(count).toBeGreaterThan(0);
  });
}

/** A form that meets a conflict must be valid otherwise. */
async function typedIn(refusal: Refusal, form: Form): Promise<Form> {
  if (refusal !== refusals["of a conflict"]) return form;
  const areas = await form.locator
    .locator("textarea")
    .evaluateAll((all) => all.map((each) => each.getAttribute("name")));
  return { ...form, names: form.names.filter((name) => areas.includes(name)) };
}

/** The first form that can be submitted from the page as shown; some have no button before a choice. */
async function firstSendable(
  forms: readonly Form[],
  { page, place, refusal: { applies, needs } }: { page: Page; place: Place; refusal: Refusal },
): Promise<Form | undefined> {
  for (const form of forms) {
    if (isShells(form) || !applies(place, form.intent) || (await lacksText(form, needs))) continue;
    const ticket = form.locator.locator('[name="ticket"]:not([value=""])');
    if (needs === "ticket" && (await ticket.count()) === 0) continue;
    // A line that sends itself has no button of its own, and another form of the page has the same operation.
    if ((await form.locator.locator("button:not([name]):not([type=button])").count()) > 0) continue;
    const button = buttonOf(page, form);
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue;
    // A trial click: covered elements cannot be pressed.
    const isPressable = await button.click({ trial: true, timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (isPressable) return form;
  }
  return undefined;
}

/** Sign-out and display choices cannot conflict. */
const isShells = ({ intent }: Form) => Object.hasOwn(table.management!, intent);

const lacksText = async ({ names, locator }: Form, needs: Refusal["needs"]) =>
  needs === "text" &&
  (names.length === 0 ||
    (await locator.locator(names.map((name) => `[name="${name}"]${FREE_TEXT}`).join(", ")).count()) === 0);

async function refuse(refusal: Refusal, refused: Refused): Promise<void> {
  const { page, form, typed, place, isScripted } = refused;
  const what = `${form.intent} at ${place.address}`;
  const before = await success(page).count();
  const status = await refusal.meet(refused);
  expect(refusal.statuses, what).toContain(status);
  if (refusal.sentence)
    await expect(page.getByText(refusal.sentence).filter({ visible: true }), what).not.toHaveCount(0);
  else await expect(saveError(page), what).not.toHaveCount(0);
  expect(await success(page).count(), `${what} says success`).toBeLessThanOrEqual(before);
  if (status === 409 && refusal === refusals["of another person"]) {
    expect(await page.locator("body").innerText(), what).not.toContain(MARK);
    const open = page.locator("form").filter({ has: page.locator(`[name="ticket"]`), visible: true });
    // Without JavaScript the frame and the list around the refused form belong to the person signed in.
    const refusedForm = open.filter({ has: page.locator(`[value="${form.intent}"]`) });
    await expect(isScripted ? open : refusedForm).toHaveCount(0);
    if (!isScripted) expect(await page.content(), what).not.toContain(MARK);
    return;
  }
  // Without JavaScript a page about it replaces the form.
  if (refusal === refusals["that its person may no longer send"] && !isScripted) return;
  await expectTyped(page, form, typed, what);
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a refused step shows its errors or the wrong field", async ({ portal, javaScriptEnabled }) => {
    const page = await portal.pageFor("tandlaege");
    await page.goto("/management/henvisning-tandlaeger");
    await settled(page);
    await page.getByRole("button", { name: "Næste" }).click();
    await expect(page.locator(".errors")).toBeVisible();
    await expect(page.locator(javaScriptEnabled ? "[aria-invalid]:focus" : ".errors")).toBeInViewport();
  });
});

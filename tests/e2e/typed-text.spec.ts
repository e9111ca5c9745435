import type { Page } from "@playwright/test";
import { intentsOfRoutes } from "../support/intents";
import { expect, expireSession, press, readAnew, type RunningPortal, settled, signInByHand, test } from "./portal";
import { expectTyped, type Form, formsWithText, saveError, seen, send, sendAnswered, type } from "./typed-text-forms";
import { changed, changeBySomebodyElse, makeOnce, VERSIONED, withServerError } from "./typed-text-obstacles";
import { addressOf, LOOK_UPS, places, WITHOUT_TEXT } from "./typed-text-pages";

/**
 * Every form of the portal with text in it, found on its pages, against all that may come between a person and the server. The pages are
 * the route table's and the states of typed-text-pages.ts; `every form of the routes` fails when a route takes an intent that none of them shows.
 */

async function withConditions<T>(portal: RunningPortal, work: () => Promise<T>): Promise<T> {
  // Forces those who accepted an earlier version to accept again.
  const version = Math.floor(Date.now() / 1000);
  const newest = {
    kind: "conditions" as const,
    version,
    body: "Nye betingelser",
    buttonText: "Jeg accepterer",
    createdAt: "2026-12-01T09:00:00.000Z",
  };
  await portal.withDatabase((db) => db.insertInto("portalText").values(newest).execute());
  try {
    return await work();
  } finally {
    await portal.withDatabase((db) => db.deleteFrom("portalText").where("version", "=", version).execute());
  }
}

const titleOf = (address: string) => address.replace(/\/management\//, "");

test.describe("each page", () => {
  test.use({ matrix: "all" });

  for (const { route, as, address } of places) {
    test(`what was typed at ${titleOf(address)} stands there whatever comes between`, async ({
      portal,
      javaScriptEnabled,
    }) => {
      test.setTimeout(180_000);
      const made = await makeOnce(portal);
      const at = addressOf(address, made);
      const page = await portal.pageFor(as);
      // Chrome 80 and Safari before 15.4 do not report the submitter to scripts.
      await page.addInitScript(() => {
        Reflect.deleteProperty(SubmitEvent.prototype, "submitter");
      });
      await page.goto(at);
      await settled(page);
      // A separate search form contains a question, whose text need not be kept.
      const forms = (await formsWithText(page)).filter(({ intent }) => !WITHOUT_TEXT.has(intent));
      for (const [index, first] of forms.entries()) {
        if (index > 0) {
          await page.goto(at);
          await settled(page);
        }
        const form = index > 0 ? (await formsWithText(page)).find(({ intent }) => intent === first.intent)! : first;
        const where = { as, route, at, isFirst: index === 0 };
        await (javaScriptEnabled ? withScript : withoutScript)(portal, page, form, where);
      }
    });
  }
});

interface Where {
  as: string;
  route: string;
  at: string;
  /** First form of its page: guards are tested once per page, actions for each form. */
  isFirst: boolean;
}

const isReferrer = (as: string) => as !== "admin";

async function withScript(portal: RunningPortal, page: Page, form: Form, where: Where) {
  const typed = await type(form);
  const expectStillTyped = (after: string) => expectTyped(page, form, typed, after);
  const ticket = form.locator.locator('[name="ticket"]').first();
  const isVersioned = VERSIONED.has(form.intent) && !page.url().includes("form=");
  const opened = isVersioned ? await ticket.inputValue() : null;

  if (isVersioned) await changeBySomebodyElse(portal);
  await readAnew(page);
  await expectStillTyped("a re-read of the page");
  if (isVersioned) expect(await ticket.inputValue(), "the ticket is the one it was opened with").toBe(opened);

  await page.context().setOffline(true);
  await send(page, form);
  // A search beside an opened row is a navigation, which waits for the connection.
  await expect(page.getByText(/SOMETHING WENT WRONG|Der er ingen forbindelse/).first()).toBeVisible();
  await expectStillTyped("a lost connection");
  await page.context().setOffline(false);
  // What waited for the connection asks before the session ends.
  await expect(page.getByText("Der er ingen forbindelse.", { exact: true })).toHaveCount(0);
  await settled(page);

  // A form that the browser submits itself, e.g. a download, behaves as without JavaScript.
  if (form.isDocument) return withoutScript(portal, page, form, where);

  if (where.isFirst) {
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    expect((await sendAnswered(page, form)).status(), form.intent).toBe(401);
    await expect(page.getByText(/logget (ind|ud)/i).first()).toBeVisible();
    await expectStillTyped("the session's end");
    await page.context().addCookies(cookies);
    if (isReferrer(where.as)) {
      await withConditions(portal, () => sendAnswered(page, form));
      await expect(page.getByText("Der er nye betingelser").first()).toBeVisible();
      await expectStillTyped("new conditions");
    }
  }

  if (isVersioned) {
    expect([400, 403, 409]).toContain((await sendAnswered(page, form)).status());
    await expectStillTyped("a conflict");
    await expectChangeStands(portal);
  }

  if (LOOK_UPS.has(form.intent)) return;
  const answer = await withServerError(portal, () => sendAnswered(page, form));
  expect([400, 403, 500], `${form.intent} answered ${answer.status()}`).toContain(answer.status());
  await expect(saveError(page).first()).toBeVisible();
  await expectStillTyped("an unexpected error");
}

async function expectChangeStands(portal: RunningPortal) {
  const { sent, draft } = await makeOnce(portal);
  const now = await portal.withDatabase((db) =>
    db.selectFrom("referral").select("comment").where("id", "in", [sent, draft]).execute(),
  );
  expect(now.map(({ comment }) => comment)).toEqual([changed(), changed()]);
}

async function withoutScript(portal: RunningPortal, page: Page, form: Form, { as, at, isFirst }: Where) {
  const typed = await type(form);
  if (isFirst) await afterGuards(portal, page, form, typed, as);
  if (LOOK_UPS.has(form.intent)) return;
  const answer = await withServerError(portal, () => sendAnswered(page, form));
  expect([400, 403, 409, 500], `${form.intent} at ${at}`).toContain(answer.status());
  await expect(saveError(page).first()).toBeVisible();
  await expectTyped(page, form, typed, "an unexpected error");
}

async function afterGuards(portal: RunningPortal, page: Page, form: Form, typed: Record<string, string>, as: string) {
  await expireSession(portal, page);
  await send(page, form);
  await expect(page.locator('[name="password"]')).toBeVisible();
  await expect(page.getByText(/logget ud|udløbet/).first()).toBeVisible();
  await signInByHand(page, as);
  await expectTyped(page, form, typed, "the session's end");

  if (isReferrer(as)) {
    await withConditions(portal, async () => {
      await send(page, form);
      await press(page, "acceptConditions");
    });
    await expectTyped(page, form, typed, "new conditions");
  }
}

test("every form of the routes is shown by one of the pages, or holds no text", async ({
  portal,
  javaScriptEnabled,
}) => {
  test.skip(javaScriptEnabled === true, "The same forms stand in the page without JavaScript.");
  test.setTimeout(120_000);
  const made = await makeOnce(portal);
  const pages = new Map<string, Page>();
  for (const { as, address } of places) {
    const page = pages.get(as) ?? (await portal.pageFor(as));
    pages.set(as, page);
    await page.goto(addressOf(address, made));
    await settled(page);
    await formsWithText(page);
  }
  const taken = Object.values(intentsOfRoutes())
    .flat()
    .filter((intent) => /^\w+$/.test(intent));
  expect(taken.length).toBeGreaterThan(40);
  expect(taken.filter((intent) => !seen.has(intent) && !WITHOUT_TEXT.has(intent))).toEqual([]);
  expect(
    [...WITHOUT_TEXT].filter((intent) => !taken.includes(intent)),
    "named, and taken by no route",
  ).toEqual([]);
});

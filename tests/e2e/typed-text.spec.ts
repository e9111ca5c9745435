import type { Locator, Page } from "@playwright/test";
import { intentsOfRoutes } from "../support/intents";
import { routes } from "../support/routes";
import { answerTo, expect, expireSession, press, readAnew, type RunningPortal, settled, test } from "./portal";
import { aDraft, aReferral } from "./referrals";

/**
 * Every form of the portal with text in it, found on its pages, against all that may come between a person and the server. The pages are
 * the route table's and the states below; `every form is found` fails when a route takes an intent that none of them shows.
 */

/** States of a page beyond its bare address, and who sees the most of it. */
const states: Record<string, { as: string; queries: string[] }> = {
  "management.overview": { as: "admin", queries: ["", "?flere=1"] },
  "management.overview.$visitId": {
    as: "admin",
    queries: ["", "?ret=patient", "?ret=henvisning", "?ret=plan", "?ret=henviser", "?ret=materiale", "?ret={message}"],
  },
  "management.overview.$visitId.roentgenbilleder": { as: "tandlaege", queries: [""] },
  "management.overview.eksport": { as: "admin", queries: [""] },
  "management.henvisning-tandlaeger": {
    as: "sekretaer",
    queries: ["?form=typed-text-form", "?kladde={draft}&trin=1", "?kladde={draft}&trin=2&ny=1"],
  },
  "management.call-up-letters": { as: "admin", queries: ["?aaben={id}"] },
  "management.ending-letter": { as: "admin", queries: [""] },
  "management.parking": { as: "admin", queries: [""] },
  "management.sms": { as: "admin", queries: [""] },
  "management.sms.$visitId": { as: "admin", queries: [""] },
  "management.ending-letter_.$visitId.$letterNumber.skriv": { as: "admin", queries: [""] },
  "management.settings.beskeder.$kind.$channel": { as: "admin", queries: [""] },
  "management.settings.tekster.$kind": { as: "admin", queries: [""] },
  "management.settings._index": { as: "admin", queries: ["", "?ret={treatment}"] },
  "management.settings.paamindelser": { as: "admin", queries: [""] },
  "management.settings.navne-og-frister": { as: "admin", queries: [""] },
  "management.settings.sms-svar": { as: "admin", queries: [""] },
  "management.settings.breve": { as: "admin", queries: [""] },
  "management.clinics": { as: "admin", queries: ["?aaben=1"] },
  "management.clinics.opret": { as: "admin", queries: [""] },
  "management.users": { as: "admin", queries: ["?aaben=5"] },
  "management.users.opret": { as: "admin", queries: [""] },
  "management.users.fusioner": { as: "admin", queries: ["?valgt=7.8"] },
  "management.clinics.fusioner": { as: "admin", queries: ["?valgt=1.2"] },
  "management.draft-visits": { as: "sekretaer", queries: [""] },
  "management.change-password": { as: "tandlaege2", queries: [""] },
};

/** What no text can be lost in: forms of one button, of choices and of files, and what a script sends by itself. */
const WITHOUT_TEXT = new Set([
  "offerTime",
  "withdrawOffer",
  "removeFreedTime",
  // A patient's answer, by the address of a link that nobody has.
  "confirmAppointment",
  "cancelAppointment",
  "acceptOfferedTime",
  "declineOfferedTime",
  "sendTestEmail",
  "sendTestSms",
  // A phone's answer in the development's own outbox.
  "answerSms",
  "signOut",
  "lightEdition",
  "fullEdition",
  "closeInfoPopup",
  "closeBrowserWarning",
  "acceptConditions",
  "uploadAppointments",
  // A file, and what it would do.
  "uploadDirectory",
  "importDirectory",
  "deleteTreatmentType",
  // Two days and a switch.
  "exportStatistics",
  // A question over one of the logs, which nothing is lost of; its fields are typed in by the audit's own tests.
  "filterAccess",
  // Its fields stand in an opened row; directory.spec.ts types in them.
  "updateUser",
  "runJobNow",
  "revokeApiKey",
  // What a person decides of a message by EDI: none has come to the demo. edi.spec.ts decides.
  "readEdiAgain",
  "dismissEdiMessage",
  "importEdiMessage",
  "attachEdiMessage",
  "linkEdiSender",
  "undoMerge",
  "startImport",
  "deleteDraft",
  "restoreDraft",
  "saveAutosave",
  "discardAutosave",
  "openTyped",
  "lookUpCar",
  // Of the public page, which belongs to nobody who is signed in.
  "registerCar",
  "lookUpOwnCar",
  "checkCpr",
  "addRadiographs",
  "addMaterialDocuments",
  // Stands where the clinic asks for something; material.spec.ts types in it.
  "declineMaterial",
  "removeRadiograph",
  "setAllRadiographTypes",
  "setRadiographType",
  "setUploadType",
  "cancelUpload",
  "sendReferral",
  "takeBackSending",
  "deleteRadiograph",
  "uploadLetter",
  "uploadLetterImages",
  "beginLetter",
  "resendLetter",
  "withdrawLetter",
  "setEdiAsEmail",
  "declineLetters",
  "sendLetterImages",
  "sendLetterToPatient",
  "deleteLetter",
  "restoreLetter",
  "restoreFile",
  "retryRadiographExport",
  "setStatus",
  "setStatuses",
  "setAllStatuses",
  "undoStatuses",
  "closeCallUpStats",
  "putAwaySetUp",
  "sendStatus",
  // Other buttons of the form that calls a patient up.
  "sendAnotherCallUp",
  "updateCallUp",
  "callUpByPhone",
  "withdrawCallUp",
  "withdrawCallUps",
  "askCallUps",
  "sendCallUps",
  "makeLetterBatch",
  "markBatchPrinted",
  "putBatchBack",
  "sendAppointmentLetter",
  "sendBill",
  "sendRadiographLink",
  "revokeFileLinks",
  "requestNewLink",
  "saveLetterLogo",
  "removeLetterLogo",
  // Other buttons of the form of a text.
  "previewLetter",
  "previewMessageText",
  "previewPortalText",
  "replaceCostlySigns",
  "sendTextSample",
  // A failure's field stands in its line; logs.spec.ts types in it.
  "resendFailure",
  "correctAndResend",
  "settleAsArrived",
  "markFailureHandled",
  "reopenFailure",
  // Their fields stand in an opened thread and beside an answer that nobody has placed; sms.spec.ts types in them.
  "replySms",
  "placeSms",
  "sendSmsWithCancellation",
  "sendSmsWithoutCancellation",
  "decideSms",
  "unplaceSms",
  "dismissSms",
  "markSmsRead",
  "liftSmsStop",
  "undoCancellation",
  "markMessages",
  "setSurgeon",
  "exportFiltered",
  "exportPicked",
  "resetPassword",
  "setUserPassword",
  "chooseOwnPassword",
  // They take a password or a code, which never comes back; second-factor.spec.ts and api-keys.spec.ts send them.
  "createApiKey",
  "activateSecondFactor",
  "beginSecondFactor",
  "checkSecondFactor",
  "endSecondFactor",
  "renewRecoveryCodes",
  "endOwnSession",
  "endOtherSessions",
  "resetUserSecondFactor",
  "confirmSignIn",
  "signIn",
  "forgotPassword",
  // The referrer's search and its choice: with JavaScript one combobox, without it a search whose text is a question, not an answer.
  "searchReferrers",
  "saveReferrer",
  "changeReferrer",
  "moreFilters",
  "fetchAddress",
  "fetchKnownPatient",
]);

/** They write nothing that an error could stop (docs/decisions/0067). */
const LOOK_UPS = new Set([
  "applyFilter",
  "filterDrafts",
  "filterCallUps",
  "filterDischargeLetters",
  "filterSms",
  "filterImportLog",
  "filterUsers",
  "filterClinics",
]);

const bare = (route: string) => routes[route]!.address.split("?")[0]!;
const places = Object.entries(states).flatMap(([route, { as, queries }]) =>
  queries.map((query) => ({ route, as, address: `${bare(route)}${query}` })),
);
const seen = new Set<string>();

/** A field that text can be typed into, and that the person sees. */
const TEXT =
  "input:not([type=hidden]):not([type=radio]):not([type=checkbox]):not([type=file]):not([type=password]):not([role=combobox]):not([disabled]), textarea";

interface Form {
  intent: string;
  locator: Locator;
  names: string[];
  /** Sent by the browser itself, also with JavaScript. */
  isDocument: boolean;
}

async function formsWithText(page: Page): Promise<Form[]> {
  await page.locator("details").evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
  // What is shown when a part is opened may be fetched first.
  await settled(page);
  const forms = page.locator("form[method=post]");
  const found = await forms.evaluateAll(
    (all, selector) =>
      all.map((form) => ({
        intent: form.querySelector('input[name="defaultIntent"], input[name="intent"]')?.getAttribute("value") ?? "",
        // What lies behind a dialog cannot be typed into.
        isBehindDialog: document.querySelector("dialog[open]") !== null && form.closest("dialog") === null,
        names: [...form.querySelectorAll<HTMLInputElement>(selector)]
          .filter((field) => field.name !== "" && field.offsetParent !== null && !field.readOnly)
          .map(({ name }) => name),
        html: form.outerHTML.slice(0, 200),
      })),
    TEXT,
  );
  for (const { intent, html } of found) {
    expect(intent, `a form of ${page.url()} says what it does: ${html}`).not.toBe("");
    seen.add(intent);
  }
  return found.flatMap(({ intent, isBehindDialog, names }, index) =>
    isBehindDialog || names.length === 0
      ? []
      : [{ intent, locator: forms.nth(index), names, isDocument: intent.startsWith("export") }],
  );
}

/** Fills what is empty and marks what is there; the CPR number stays, for another one would be another patient. */
async function type(form: Form): Promise<Record<string, string>> {
  const typed: Record<string, string> = {};
  for (const name of form.names) {
    const field = form.locator.locator(`[name="${name}"]:not([type=hidden])`).first();
    const before = await field.inputValue();
    const kind = await field.getAttribute("type");
    const isNumber = (await field.getAttribute("inputmode")) !== null;
    const text =
      name.startsWith("cpr") || isNumber || before !== ""
        ? before
        : /date/i.test(name)
          ? "01.02.2026"
          : kind === "email"
            ? ""
            : "Åse skrev dette";
    const own = name === "text" || name === "comment" || name === "surgeonComment" ? `${before}Åse skrev dette` : text;
    if (own !== before) await field.fill(own);
    typed[name] = own;
  }
  return typed;
}

async function expectTyped(page: Page, form: Form, typed: Record<string, string>, after: string) {
  for (const [name, value] of Object.entries(typed)) {
    await expect(
      page.locator(`form:has(input[value="${form.intent}"]) [name="${name}"]:not([type=hidden])`).first(),
      `${name} of ${form.intent} after ${after}`,
    ).toHaveValue(value, { timeout: 10_000 });
  }
}

const saveError = (page: Page) =>
  page
    .locator("[role=alert], .errors, .notice, .bad-ink, .btn-failure, [data-state=failure], .tone-err")
    .filter({ visible: true });

async function send(page: Page, form: Form) {
  await page
    .locator(`button[name="intent"][value="${form.intent}"]:not([aria-hidden])`)
    .filter({ visible: true })
    .first()
    .click();
}

/** Sends, and waits for the answer to it. */
const sendAnswered = (page: Page, form: Form) => answerTo(page, () => send(page, form));

async function withConditions<T>(portal: RunningPortal, work: () => Promise<T>): Promise<T> {
  // Whoever accepted an earlier one is asked again.
  const version = Math.floor(Date.now() / 1000);
  const newest = {
    kind: "conditions" as const,
    version,
    body: "Nye betingelser",
    button_text: "Jeg accepterer",
    created_at: "2026-12-01 09:00:00.000",
  };
  await portal.withDatabase((db) => db.insertInto("portal_text").values(newest).execute());
  try {
    return await work();
  } finally {
    await portal.withDatabase((db) => db.deleteFrom("portal_text").where("version", "=", version).execute());
  }
}

/** As a database that refuses what every change writes. */
async function withServerError<T>(portal: RunningPortal, work: () => Promise<T>): Promise<T> {
  await portal.withDatabase((db) => db.schema.alterTable("audit_event").renameTo("audit_event_away").execute());
  try {
    return await work();
  } finally {
    await portal.withDatabase((db) => db.schema.alterTable("audit_event_away").renameTo("audit_event").execute());
  }
}

interface Made {
  sent: number;
  draft: number;
  message: number;
  treatment: number;
}

/** What the pages are about, made once a worker: other specs make their own. */
let made: Made | undefined;
async function make(portal: RunningPortal): Promise<Made> {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  const draft = await aDraft(page, ["690179", "4711"]);
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await staff.locator('form:has(input[value="writeMessage"]) [name="text"]').fill("Fra klinikken");
  await press(staff, "writeMessage");
  const message = await portal.withDatabase((db) =>
    db.selectFrom("message").select("id").where("referral_id", "=", id).executeTakeFirstOrThrow(),
  );
  const treatment = await portal.withDatabase((db) =>
    db.selectFrom("treatment_type").select("id").where("id", ">", 0).orderBy("id").executeTakeFirstOrThrow(),
  );
  return { sent: id, draft, message: message.id, treatment: treatment.id };
}

const addressOf = (address: string, { sent, draft, message, treatment }: Made) =>
  address
    .replace("{id}", String(sent))
    .replace("{draft}", String(draft))
    .replace("{message}", String(message))
    .replace("{treatment}", String(treatment));

const titleOf = (address: string) => address.replace(/\/management\//, "");

for (const { route, as, address } of places) {
  test(`what was typed at ${titleOf(address)} stands there whatever comes between`, async ({
    portal,
    javaScriptEnabled,
  }) => {
    test.setTimeout(180_000);
    made ??= await make(portal);
    const at = addressOf(address, made);
    const page = await portal.pageFor(as);
    // Chrome 80 and Safari before 15.4 tell no script which button was pressed.
    await page.addInitScript(() => {
      Reflect.deleteProperty(SubmitEvent.prototype, "submitter");
    });
    await page.goto(at);
    await settled(page);
    // A search that is without JavaScript a form of its own holds a question, not an answer.
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

interface Where {
  as: string;
  route: string;
  at: string;
  /** The first form of its page: what the portal's guards ask is asked of one form a page, what its own action meets of each. */
  isFirst: boolean;
}

const isReferrer = (as: string) => as !== "admin";

async function withScript(portal: RunningPortal, page: Page, form: Form, where: Where) {
  const typed = await type(form);
  const expectStillTyped = (after: string) => expectTyped(page, form, typed, after);
  const version = form.locator.locator('[name="seenVersion"], [name="version"]').first();
  // Texts of the settings and clinics have versions of their own: message-texts.test.ts, clinics.test.ts.
  const isVersioned = !/^management\.(settings|clinics)/.test(where.route) && (await version.count()) > 0;
  const seenVersion = isVersioned ? await version.inputValue() : null;

  if (isVersioned) await changeBySomebodyElse(portal);
  await readAnew(page);
  await expectStillTyped("a re-read of the page");
  if (isVersioned) expect(await version.inputValue(), "the version is the one it was opened with").toBe(seenVersion);

  await page.context().setOffline(true);
  await send(page, form);
  await expect(page.getByText("SOMETHING WENT WRONG").first()).toBeVisible();
  await expectStillTyped("a lost connection");
  await page.context().setOffline(false);

  // A form that the browser itself sends, such as a download, behaves as without JavaScript.
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

const CHANGED = "Ændret af en anden";

async function changeBySomebodyElse(portal: RunningPortal) {
  const { sent, draft, message } = made!;
  await portal.withDatabase(async (db) => {
    await db
      .updateTable("referral")
      .set((eb) => ({ version: eb("version", "+", 1), profession: CHANGED }))
      .where("id", "in", [sent, draft])
      .execute();
    await db
      .updateTable("message")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("id", "=", message)
      .execute();
  });
}

async function expectChangeStands(portal: RunningPortal) {
  const now = await portal.withDatabase((db) =>
    db.selectFrom("referral").select("profession").where("id", "in", [made!.sent, made!.draft]).execute(),
  );
  expect(now.map(({ profession }) => profession)).toEqual([CHANGED, CHANGED]);
}

async function signInAgain(page: Page, userName: string) {
  await page.locator('[name="userName"]').fill(userName);
  await page.locator('[name="password"]').fill("Demo1234");
  await press(page, "signIn");
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
  await signInAgain(page, as);
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
  made ??= await make(portal);
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

import type { Page } from "@playwright/test";
import { addDays } from "../../app/text/calendar";
import { READY_FOR_CALL_UP } from "../../app/features/referrals/model/statuses";
import { localDate, showDay } from "../../app/text/dates";
import { expect, press, type RunningPortal, settled, test } from "./portal";
import { aDraft, aReferral } from "./referrals";
import { makeOnce } from "./typed-text-obstacles";
import { addressOf, places } from "./typed-text-pages";

test.use({ matrix: "without script" });

/** What Enter in a field does in each form that has one, by the form's operation: most do their operation. */
const DO_THEIR_OPERATION = [
  "addTreatmentType",
  "applyFilter",
  "askForMaterial",
  "changePassword",
  "changeProfile",
  "changeReferrer",
  "chooseGoingOn",
  "chooseShortcuts",
  "createApiKey",
  "createClinic",
  "createReferrer",
  "createUser",
  "declineLetters",
  "editPatient",
  "editPlan",
  "editReferralDetails",
  "exportByDates",
  "exportStatistics",
  "filterCallUps",
  "filterClinics",
  "filterDischargeLetters",
  "filterDrafts",
  "filterImportLog",
  "filterSms",
  "filterUsers",
  "forgotPassword",
  "holdReferral",
  "registerCar",
  "saveAnswerSettings",
  "saveLetterSettings",
  "saveMessageText",
  "saveNamesAndDeadlines",
  "saveOpeningHours",
  "savePatient",
  "savePortalText",
  "saveReferrer",
  "saveReminderSettings",
  "saveSenders",
  "saveTreatmentType",
  "searchPatients",
  "sendTestSms",
  "signIn",
  "updateCallUp",
  "updateClinic",
  "updateUser",
  "uploadDirectory",
];

/** Forms whose only operation sends, merges or imports, and one whose first button is another's. */
const DO_ANOTHER: Record<string, string> = {
  mergeClinics: "nothing",
  mergeUsers: "nothing",
  sendAppointmentLetter: "nothing",
  sendBill: "nothing",
  sendRadiographLink: "nothing",
  sendReferral: "nothing",
  writeMessage: "nothing",
  // The boxes of the list.
  setStatuses: "askExport",
};

const SIGNED_OUT = ["/login", "/login?glemt=1", "/book-parking"];

interface FormFound {
  operation: string;
  /** Operation that Enter carries out, as browsers choose it: the first submit button in tree order. */
  enter: string;
  buttons: number;
  takesEnter: boolean;
  /** Names of what a GET form puts into the address. */
  inAddress: string[];
}

const formsOf = (page: Page): Promise<FormFound[]> =>
  page.locator("form").evaluateAll((forms) =>
    (forms as HTMLFormElement[]).map((form) => {
      const controls = [...form.elements] as (HTMLInputElement | HTMLButtonElement)[];
      const operation = controls.find(({ name }) => name === "defaultIntent")?.value ?? new URL(form.action).pathname;
      const buttons = controls.filter(({ type }) => type === "submit");
      const [first] = buttons;
      const isShown = (button: Element) => button.getAttribute("aria-hidden") === null;
      return {
        operation,
        enter:
          first === undefined || first.name === "" ? operation : first.name === "intent" ? first.value : first.name,
        buttons: buttons.filter((button) => !button.disabled && isShown(button)).length,
        takesEnter: controls.some(
          (control) =>
            control instanceof HTMLInputElement &&
            !control.disabled &&
            !["hidden", "submit", "button", "reset", "file"].includes(control.type),
        ),
        inAddress: form.method === "get" ? controls.map(({ name }) => name) : [],
      };
    }),
  );

/** A referral whose treatment time can be sent. */
async function aReferralWithTime(portal: RunningPortal): Promise<number> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"), { mobilePhone: "40 12 34 56" });
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set({ operationDate: addDays(localDate(new Date()), 40), operationHour: 9, operationMinute: 0 })
      .where("id", "=", id)
      .execute(),
  );
  return id;
}

async function aDraftAtItsLastStep(portal: RunningPortal): Promise<number> {
  const page = await portal.pageFor("tandlaege");
  const id = await aDraft(page, ["690177", "4801"]);
  await page.goto(`/management/henvisning-tandlaeger?kladde=${id}&trin=2`);
  await press(page, "saveReferrer");
  await expect(page).toHaveURL(/trin=3/);
  return id;
}

async function formsOfPortal(portal: RunningPortal): Promise<(FormFound & { at: string })[]> {
  const made = await makeOnce(portal);
  const withTime = await aReferralWithTime(portal);
  const lastStep = await aDraftAtItsLastStep(portal);
  const pages = new Map<string | null, Page>();
  const found: (FormFound & { at: string })[] = [];
  const all = [
    ...places.map(({ as, address }) => ({ as, at: addressOf(address, made) })),
    ...[
      "/management/call-up-letters",
      "/management/statistics",
      "/management/logs",
      "/management/hjaelp",
      "/management/settings/import",
    ].map((at) => ({ as: "admin", at })),
    { as: "admin", at: "/management/settings/api-noegler" },
    { as: "admin", at: "/management/settings/beskeder/callUp/email" },
    { as: "admin", at: "/management/change-password" },
    { as: "admin", at: `/management/overview/${withTime}` },
    { as: "tandlaege", at: `/management/henvisning-tandlaeger?kladde=${lastStep}&trin=3` },
    ...SIGNED_OUT.map((at) => ({ as: null, at })),
  ];
  for (const { as, at } of all) {
    const page = pages.get(as) ?? (await portal.pageFor(as));
    pages.set(as, page);
    await page.goto(at);
    await settled(page);
    // While the notice is open Enter in the page's form does nothing without script.
    const notice = page.locator('button[value="closeInfoPopup"]');
    if (await notice.isVisible()) {
      await press(page, "closeInfoPopup");
      await page.goto(at);
      await settled(page);
    }
    found.push(...(await formsOf(page)).map((form) => ({ ...form, at })));
  }
  return found;
}

test("Enter in each form does what the table says, and no address takes a ticket", async ({
  portal,
  javaScriptEnabled,
}) => {
  const isScripted = Boolean(javaScriptEnabled);
  const forms = await formsOfPortal(portal);
  const inTable: Record<string, string> = {
    ...Object.fromEntries(DO_THEIR_OPERATION.map((operation) => [operation, operation])),
    ...DO_ANOTHER,
    // With script the bar appears when a row is picked, and referrers are chosen in a combobox.
    ...(isScripted ? {} : { askCallUps: "askCallUps", searchReferrers: "searchReferrers" }),
    // A search without script; with it the plate is looked up while it is typed.
    bookParking: isScripted ? "nothing" : "lookUpCar",
  };
  const isOpen = ({ takesEnter, inAddress }: FormFound) => takesEnter && inAddress.length === 0;
  const inBrowser = Object.fromEntries(forms.filter(isOpen).map(({ operation, enter }) => [operation, enter]));
  const differing = forms.filter((form) => isOpen(form) && form.enter !== inTable[form.operation]);
  expect(differing, "forms whose Enter does something else").toEqual([]);
  expect(Object.keys(inTable).filter((operation) => !(operation in inBrowser))).toEqual([]);
  expect(forms.filter(({ buttons }) => buttons > 1).length).toBeGreaterThan(5);
  const secrets = forms.filter(({ inAddress }) =>
    inAddress.some((name) => /^(ticket|begun|opened|item|defaultIntent|of-.*)$/.test(name)),
  );
  expect(secrets).toEqual([]);
});

test("Enter in the date of a pause pauses until then", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  await page.locator("summary", { hasText: "På vent" }).click();
  const until = showDay(addDays(localDate(new Date()), 40));
  const field = page.getByRole("textbox", { name: "På vent til" });
  await field.fill(until);
  await field.press("Enter");
  await expect(page.locator("summary", { hasText: `til ${until}` })).toBeVisible();
});

test("Enter in the mobile number of a call-up saves it and sends nothing", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"), { mobilePhone: "40 12 34 56" });
  // Its next step is a button of the call-up form, far above it: 'Patienten har fået tid pr. telefon'.
  await portal.withDatabase((db) =>
    db.updateTable("referral").set({ status: READY_FOR_CALL_UP }).where("id", "=", id).execute(),
  );
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  const mobile = page.locator('form:has(button[value="updateCallUp"]) [name="patientMobilePhone"]');
  if (!(await mobile.isVisible())) await page.locator("summary", { hasText: "Indkaldelse" }).first().click();
  await mobile.fill("40 12 34 57");
  await mobile.press("Enter");
  const stored = () =>
    portal.withDatabase(async (db) => ({
      ...(await db
        .selectFrom("referral")
        .select(["mobilePhone", "status"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow()),
      sent: (await db.selectFrom("outbox").select("id").where("referralId", "=", id).execute()).length,
    }));
  await expect.poll(stored).toEqual({ mobilePhone: "40 12 34 57", status: READY_FOR_CALL_UP, sent: 0 });
});

test("Enter on a kind of file sends no message", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}`);
  await settled(page);
  const form = page.locator('form:has(button[value="writeMessage"])');
  await form.locator('[name="text"]').fill("Ikke færdig");
  await form.locator("summary", { hasText: "Vedhæft filer" }).click();
  await form.locator('[name="attachmentType"]').first().focus();
  await page.keyboard.press("Enter");
  await expect(form.locator('[name="text"]')).toHaveValue("Ikke færdig");
  await press(page, "writeMessage");
  await expect(page.locator("#beskeder li", { hasText: "Ikke færdig" })).toHaveCount(1);
});

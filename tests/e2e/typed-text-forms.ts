import type { Locator, Page } from "@playwright/test";
import { answerTo, expect, settled } from "./portal";

/** A visible field for text. */
const TEXT =
  "input:not([type=hidden]):not([type=radio]):not([type=checkbox]):not([type=file]):not([type=submit]):not([type=password]):not([role=combobox]):not([disabled]), textarea";

export interface Form {
  intent: string;
  locator: Locator;
  names: string[];
  isDocument: boolean;
}

/** Intents of all forms found. */
export const seen = new Set<string>();

/** Forms with visible text fields. */
export const formsWithText = async (page: Page): Promise<Form[]> =>
  (await formsOf(page)).filter(({ names }) => names.length > 0);

/** All forms with their text fields. */
export async function formsOf(page: Page): Promise<Form[]> {
  await page.locator("details").evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
  await settled(page);
  const forms = page.locator("form[method=post]");
  const found = await forms.evaluateAll(
    (all, selector) =>
      all.map((form) => ({
        intent: form.querySelector('input[name="defaultIntent"], input[name="intent"]')?.getAttribute("value") ?? "",
        // Fields behind a dialog cannot be used.
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
    isBehindDialog ? [] : [{ intent, locator: forms.nth(index), names, isDocument: intent.startsWith("export") }],
  );
}

/** Fills empty fields and changes filled ones, except the CPR number, which would mean another patient. */
export async function type(form: Form): Promise<Record<string, string>> {
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
            : // A draft keeps what is typed, so later tests of the worker would meet an invalid number.
              kind === "tel"
              ? "40 12 34 56"
              : "Åse skrev dette";
    const own = name === "text" || name === "comment" || name === "surgeonComment" ? `${before}Åse skrev dette` : text;
    if (own !== before) await field.fill(own);
    typed[name] = own;
  }
  return typed;
}

export async function expectTyped(page: Page, form: Form, typed: Record<string, string>, after: string) {
  for (const [name, value] of Object.entries(typed)) {
    await expect(
      page.locator(`form:has(input[value="${form.intent}"]) [name="${name}"]:not([type=hidden])`).first(),
      `${name} of ${form.intent} after ${after}`,
    ).toHaveValue(value, { timeout: 10_000 });
  }
}

export const saveError = (page: Page) =>
  page
    .locator("[role=alert], .errors, .notice, .bad-ink, .btn-failure, [data-state=failure], .tone-err")
    .filter({ visible: true });

export const buttonOf = (page: Page, form: Form): Locator =>
  page.locator(`button[name="intent"][value="${form.intent}"]:not([aria-hidden])`).filter({ visible: true }).first();

export const send = (page: Page, form: Form) => buttonOf(page, form).click();

export const sendAnswered = (page: Page, form: Form) => answerTo(page, () => send(page, form), form.intent);

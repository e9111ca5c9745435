import type { Locator, Page, Request, Response } from "@playwright/test";
import fc from "fast-check";
import type { Value } from "../support/drawn-form";
import { type EditedForm, type EditedPage, listsOf } from "../support/edited-forms";
import { people, type Who } from "../support/edited-portal";
import { sessionOf } from "../support/session";
import {
  anyTyping,
  anyWho,
  at,
  eventually,
  expectSame,
  expectShown,
  fewFirst,
  type HeldForm,
  type Model,
  same,
  textOf,
  type Typing,
  typedIn,
} from "../support/two-people-model";
import { expect, expireSession, type RunningPortal, settled } from "./portal";

/** `lost`: the server carries the form out, but its answer does not arrive. `signed out`: the session has ended. */
type Fate = "answered" | "lost" | "signed out";

export type Step =
  | { kind: "open"; who: Who; page: number }
  | { kind: "type"; who: Who; form: number; typing: Typing[] }
  | { kind: "send"; who: Who; form: number; typing: Typing[]; fate: Fate; pressesAgain: boolean }
  | { kind: "press"; who: Who }
  | { kind: "reload"; who: Who }
  | { kind: "away"; who: Who };

const anyFate = fc.nat(15).map((chance): Fate => (chance === 15 ? "signed out" : chance === 14 ? "lost" : "answered"));
const stepOf = <Kind extends Step["kind"]>(kind: Kind) => fc.record({ kind: fc.constant(kind), who: anyWho });
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("open" as const), who: anyWho, page: fewFirst }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("type" as const), who: anyWho, form: fewFirst, typing: anyTyping }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      who: anyWho,
      form: fewFirst,
      typing: anyTyping,
      fate: anyFate,
      pressesAgain: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: stepOf("press") },
  { weight: 1, arbitrary: stepOf("reload") },
  { weight: 1, arbitrary: stepOf("away") },
);

interface Tab {
  page: EditedPage;
  forms: HeldForm[];
  /** The form that a person would press again: it was refused, or its answer did not arrive. */
  cameBack: EditedForm | undefined;
}

/** One sequence in two browsers with JavaScript: what each person has on the screen. */
export class BrowserSequence {
  private readonly tabs: Partial<Record<Who, Tab>> = {};

  constructor(
    private readonly portal: RunningPortal,
    private readonly browsers: Record<Who, Page>,
    private readonly referralId: number,
    private readonly model: Model,
    /** The page that both have open before anything is changed. */
    private readonly first: number,
  ) {}

  /** Takes steps. Throws an error with all of them in words when something else happens than the rules say. */
  take(steps: readonly Step[]): Promise<void> {
    return this.model.over(async () => {
      const page = at(this.model.subject.pages, this.first);
      await Promise.all(people.map((name) => this.open(name, page)));
      for (const step of steps) await this.perform(step);
    });
  }

  private async perform(step: Step): Promise<void> {
    const { who } = step;
    if (step.kind === "open") return this.open(who, at(this.model.subject.pages, step.page));
    const tab = this.tabs[who]!;
    if (step.kind === "reload") return this.reload(who, tab);
    if (step.kind === "away") return this.goAndComeBack(who, tab);
    if (step.kind === "press") return this.pressAgain(who, tab);
    const form = at(tab.forms, step.form).form;
    const typed = await this.type(who, tab, form, step.typing);
    this.model.tellTyped(who, `${step.kind === "type" ? "types in" : "sends"} ${form.title}`, typed);
    await this.expectScreen(who, tab);
    if (step.kind === "type") return;
    await this.press(who, tab, form, step.fate);
    if (step.pressesAgain) await this.pressAgain(who, tab);
  }

  private async open(name: Who, page: EditedPage): Promise<void> {
    const browser = this.browsers[name];
    await browser.goto(page.addressOf(this.referralId));
    await settled(browser);
    this.tabs[name] = { page, forms: page.forms.map((form) => this.model.untouched(form)), cameBack: undefined };
    this.model.tell(name, `opens the page of ${page.forms[0]!.title}`);
    await this.expectScreen(name, this.tabs[name]);
  }

  private async type(name: Who, tab: Tab, form: EditedForm, typing: readonly Typing[]): Promise<[string, Value][]> {
    const place = this.placeOf(name, form);
    await unfold(place);
    const typed = new Map<string, Value>();
    for (const each of typing) {
      const { controls } = await this.read(name, form);
      const held = tab.forms.find((one) => one.form === form)!;
      const offered = Object.fromEntries(Object.entries(controls).map(([field, { choices }]) => [field, choices]));
      const [field, value] = typedIn(held, each, offered);
      await fill(place, field, held.typed[field]!, value);
      held.typed = { ...held.typed, [field]: value };
      typed.set(field, value);
    }
    return [...typed];
  }

  /** Presses the button of a form that came back, as it came back. */
  private async pressAgain(name: Who, tab: Tab): Promise<void> {
    if (tab.cameBack === undefined) return;
    this.model.tell(name, `presses ${tab.cameBack.title} again`);
    await this.press(name, tab, tab.cameBack, "answered");
  }

  private async press(name: Who, tab: Tab, form: EditedForm, fate: Fate): Promise<void> {
    const browser = this.browsers[name];
    await unfold(this.placeOf(name, form));
    if (fate === "signed out") {
      await this.pressSignedOut(name, form);
      tab.cameBack = form;
      return this.expectScreen(name, tab);
    }
    const held = tab.forms.find((each) => each.form === form)!;
    const refused = await this.model.press(name, tab.page, held, async () => {
      const errors = async () => (await this.read(name, form)).errors;
      if (fate === "lost") return { sent: sentIn(await this.pressUnanswered(name, form)), status: null, errors };
      const answer = await this.pressAnswered(name, form);
      return { sent: sentIn(answer.request()), status: answer.status() < 400 ? 303 : answer.status(), errors };
    });
    if (fate === "lost") {
      this.model.result("the answer does not arrive");
      await expect(browser.getByText("Forbindelsen blev afbrudt, og svaret kom ikke frem.").first()).toBeVisible();
      tab.cameBack = form;
    } else {
      const isClosed = refused === null && form.isClosedBySaving;
      tab.forms = tab.forms.flatMap((each) => {
        if (each.form !== form) return [this.model.followed(each)];
        return isClosed ? [] : [refused ?? this.model.untouched(form)];
      });
      if (refused !== null) tab.cameBack = form;
      else if (tab.cameBack === form) tab.cameBack = undefined;
    }
    await this.expectScreen(name, tab);
  }

  private async pressAnswered(name: Who, form: EditedForm): Promise<Response> {
    const browser = this.browsers[name];
    let answer: Response | undefined;
    const heard = (response: Response) => {
      if (isSending(response.request(), form)) answer = response;
    };
    browser.on("response", heard);
    await this.click(name, form, () => answer !== undefined);
    browser.off("response", heard);
    await settled(browser);
    return answer!;
  }

  private async pressUnanswered(name: Who, form: EditedForm): Promise<Request> {
    const browser = this.browsers[name];
    let request: Request | undefined;
    await browser.route("**/*", async (route) => {
      if (!isSending(route.request(), form)) return route.fallback();
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
      request = route.request();
    });
    await this.click(name, form, () => request !== undefined);
    await browser.unrouteAll({ behavior: "wait" });
    await settled(browser);
    return request!;
  }

  /** With JavaScript the form stays while its person signs in elsewhere in the browser. */
  private async pressSignedOut(name: Who, form: EditedForm): Promise<void> {
    const browser = this.browsers[name];
    await expireSession(this.portal, browser);
    const answer = await this.pressAnswered(name, form);
    expectSame("the answer's status after the session has ended", answer.status(), 401);
    await expect(browser.getByText("Du er ikke logget ind. Log ind, og prøv igen.").first()).toBeVisible();
    const cookie = await this.portal.withDatabase((db) => sessionOf(db, name));
    await browser.context().addCookies([{ ...cookie, url: this.portal.origin, httpOnly: true, sameSite: "Lax" }]);
    this.model.result("the session has ended");
  }

  /** Clicks the form's button. Text in another form may make the page ask whether it may be lost. */
  private async click(name: Who, form: EditedForm, isSent: () => boolean): Promise<void> {
    await this.placeOf(name, form).locator(`button[name="intent"][value="${form.intent}"]`).click();
    await this.leaveText(name, isSent);
  }

  /** Waits until `isDone`, and confirms the loss of text if the page asks. */
  private async leaveText(name: Who, isDone: () => boolean | Promise<boolean>): Promise<void> {
    const leave = this.browsers[name].getByRole("button", { name: "Gå videre uden at gemme" });
    const isOver = async () => {
      if (await leave.isVisible()) await leave.click();
      return isDone();
    };
    await expect.poll(isOver, { intervals: [5, 10, 20, 50] }).toBe(true);
  }

  /** Chromium restores typed text over a reload, but no select and no box. */
  private async reload(name: Who, tab: Tab): Promise<void> {
    this.model.tell(name, "reloads the page");
    await this.browsers[name].reload();
    await settled(this.browsers[name]);
    tab.cameBack = undefined;
    const before = tab.forms;
    tab.forms = [];
    for (const { form, typed } of before) {
      const { controls } = await this.read(name, form);
      const now = this.model.untouched(form);
      const restored = Object.entries(controls).filter(
        ([field, { kind, values }]) => kind === "text" && values[0] === textOf(typed[field]),
      );
      tab.forms.push({
        ...now,
        typed: { ...now.typed, ...Object.fromEntries(restored.map(([field]) => [field, typed[field]!])) },
      });
    }
    await this.expectScreen(name, tab);
  }

  private async goAndComeBack(name: Who, tab: Tab): Promise<void> {
    const browser = this.browsers[name];
    this.model.tell(name, "follows a link and comes back");
    const address = browser.url();
    const menu = browser.getByRole("navigation", { name: "Hovedmenu" });
    await menu.getByRole("link", { name: "Kladde", exact: true }).click();
    await this.leaveText(name, () => browser.url().includes("/draft-visits"));
    await settled(browser);
    await browser.goBack();
    await expect(browser).toHaveURL(address);
    await settled(browser);
    tab.cameBack = undefined;
    tab.forms = tab.forms.map(({ form }) => this.model.untouched(form));
    await this.expectScreen(name, tab);
  }

  private placeOf(name: Who, form: EditedForm): Locator {
    return this.browsers[name].locator(`form[id="${form.idOf(this.referralId)}"]`);
  }

  private async read(name: Who, form: EditedForm) {
    const formId = form.idOf(this.referralId);
    const { controls, errors } = await this.browsers[name].evaluate(readForm, formId);
    return { controls, errors: new Map(errors) };
  }

  private async expectScreen(name: Who, tab: Tab): Promise<void> {
    const forms = new Set(this.model.subject.pages.flatMap((page) => page.forms));
    await eventually(async () => {
      for (const form of forms) {
        const held = tab.forms.find((each) => each.form === form);
        const { controls } = await this.read(name, form);
        const fields = Object.keys(form.fields);
        expectSame(`whether ${name} sees ${form.title}`, Object.keys(controls).length > 0, held !== undefined);
        if (held === undefined) continue;
        held.undrawn = fields.filter((field) => controls[field] === undefined);
        const lists = listsOf(form);
        const shown = fields.map((field): [string, Value] => {
          const values = controls[field]?.values ?? [];
          return [field, lists.includes(field) ? values : (values[0] ?? "")];
        });
        expectShown(held, Object.fromEntries(shown));
      }
    });
  }
}

const isSending = (request: Request, { intent }: EditedForm) =>
  request.method() === "POST" && sentIn(request).some(([name, value]) => name === "intent" && value === intent);

const sentIn = (request: Request): [string, string][] => [...new URLSearchParams(request.postData() ?? "")];

/** Opens what the form is folded in. */
async function unfold(form: Locator): Promise<void> {
  const folded = form.locator("xpath=ancestor::details[not(@open)]");
  while ((await folded.count()) > 0) await folded.first().locator("> summary").click();
}

async function fill(form: Locator, name: string, before: Value, value: Value): Promise<void> {
  const controls = form.locator(`[name="${name}"]:not([type=hidden])`);
  const kind = await controls.first().evaluate((control) => control.getAttribute("type") ?? control.localName);
  const boxOf = (each: string) => form.locator(`[name="${name}"][value="${each}"]`);
  if (typeof value !== "string") {
    const [toggled] = [...value, ...before].filter((each) => value.includes(each) !== before.includes(each));
    if (toggled !== undefined) await boxOf(toggled).setChecked(value.includes(toggled));
  } else if (kind === "checkbox") await controls.setChecked(value !== "");
  else if (kind === "radio") await boxOf(value).check();
  else if (kind === "select") await controls.selectOption(value);
  else if (!same(await controls.inputValue(), value)) await controls.fill(value);
}

interface ReadControl {
  kind: "text" | "select" | "box";
  /** Of a box or radio only where it is ticked. */
  values: string[];
  /** What can be chosen. */
  choices: string[];
}

/** What a form's controls hold, by name, and the errors at its fields, by id. Runs in the browser. */
function readForm(formId: string): { controls: Record<string, ReadControl>; errors: [id: string, text: string][] } {
  const form = document.getElementById(formId);
  const controls: Record<string, ReadControl> = {};
  const errors: [string, string][] = [];
  if (!(form instanceof HTMLFormElement)) return { controls, errors };
  for (const element of form.elements) {
    const { name, type, disabled } = element as HTMLInputElement;
    if (!name || disabled || type === "hidden" || type === "submit" || type === "file") continue;
    const { value, checked } = element as HTMLInputElement;
    const isBox = type === "checkbox" || type === "radio";
    const kind = isBox ? "box" : element.localName === "select" ? "select" : "text";
    const control = (controls[name] ??= { kind, values: [], choices: [] });
    if (!isBox || checked) control.values.push(value);
    const options = [...((element as HTMLSelectElement).options ?? [])].filter((option) => !option.disabled);
    control.choices.push(...(kind === "select" ? options.map((option) => option.value) : [value]));
  }
  for (const error of form.querySelectorAll(".field-error"))
    errors.push([error.id.replace(/-error$/, ""), error.textContent]);
  return { controls, errors };
}

import fc from "fast-check";
import { choicesOf, type DrawnForm, formIn, sentBy, valuesIn } from "./drawn-form";
import { type EditedForm, type EditedPage, listsOf } from "./edited-forms";
import { ask, newSession, people, type Who } from "./edited-portal";
import type { TwoPeople } from "./portals/two-people";
import {
  anyTyping,
  anyWho,
  at,
  expectSame,
  fewFirst,
  type HeldForm,
  type Model,
  same,
  type Typing,
  typedIn,
} from "./two-people-model";

const PASSWORD = "Demo1234";

/** Older pages are forgotten. */
const MAX_OPEN = 4;

type OpenForm = HeldForm & { drawn: DrawnForm };

interface OpenPage {
  page: EditedPage;
  number: number;
  /** The form whose refusal the page shows, or that was kept over a sign-in. */
  cameBack: EditedForm | undefined;
  forms: OpenForm[];
}

export type Step =
  | { kind: "open"; who: Who; page: number }
  | {
      kind: "send";
      who: Who;
      page: number;
      form: number;
      typing: Typing[];
      isSignedOut: boolean;
      pressesAgain: boolean;
    }
  | { kind: "press"; who: Who }
  | { kind: "again"; who: Who };

const index = fc.nat(59);
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), who: anyWho, page: index }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      who: anyWho,
      page: fewFirst,
      form: fewFirst,
      typing: fc.oneof({ weight: 1, arbitrary: fc.constant<Typing[]>([]) }, { weight: 5, arbitrary: anyTyping }),
      isSignedOut: fc.nat(15).map((chance) => chance === 15),
      pressesAgain: fc.boolean(),
    }),
  },
  // After a refusal, and after signing in again.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("press" as const), who: anyWho }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), who: anyWho }) },
);

/** One sequence by HTTP, as browsers without JavaScript send it: what each person has open. */
export class HttpSequence {
  private readonly open: Record<Who, OpenPage[]> = { admin: [], kirurg: [] };
  private readonly lastSent: Partial<Record<Who, { page: OpenPage; open: OpenForm; sent: [string, string][] }>> = {};
  private pages = 0;

  constructor(
    private readonly portal: TwoPeople,
    private readonly model: Model,
  ) {}

  /** Takes steps. Throws an error with all of them in words when something else happens than the rules say. */
  take(steps: readonly Step[]): Promise<void> {
    return this.model.over(async () => {
      for (const step of steps) await this.perform(step);
    });
  }

  private async perform(next: Step): Promise<void> {
    const { pages } = this.model.subject;
    if (next.kind === "open") return this.openPage(next.who, at(pages, next.page));
    if (next.kind === "again") return this.sendAgain(next.who);
    if (next.kind === "press") return this.pressAgain(next.who);
    // Both have a page open before anything is changed.
    for (const name of people) if (this.open[name].length === 0) await this.openPage(name, at(pages, next.page));
    const page = at(this.open[next.who], next.page);
    const open = at(page.forms, next.form);
    const { form, drawn } = open;
    const names = Object.keys(form.fields);
    const offered = Object.fromEntries(names.map((name) => [name, choicesOf(drawn, name)]));
    for (const each of next.typing) {
      const [name, value] = typedIn(open, each, offered);
      open.typed = { ...open.typed, [name]: value };
    }
    const shown = valuesIn(drawn, names, listsOf(form));
    const typed = Object.entries(open.typed).filter(([name, value]) => !same(value, shown[name]));
    this.model.tellTyped(next.who, `sends ${form.title} of page ${page.number}`, typed);
    const sent = sentBy(drawn, open.typed, form.intent);
    if (next.isSignedOut) await this.signInAgain(next.who, page, open, sent);
    else await this.send(next.who, page, open, sent);
    if (next.pressesAgain) await this.pressAgain(next.who);
  }

  private show(name: Who, page: EditedPage, text: string, kept?: HeldForm): number {
    const own = this.open[name];
    const forms = this.model.drawnIn(page, text, kept);
    own.unshift({ page, number: (this.pages += 1), cameBack: kept?.form, forms });
    own.splice(MAX_OPEN);
    return this.pages;
  }

  private async openPage(name: Who, page: EditedPage): Promise<void> {
    const { text } = await ask(this.portal, page.addressOf(this.portal.referralId), this.portal.cookies[name]);
    this.model.tell(name, `opens page ${this.show(name, page, text)} (${page.forms[0]!.title})`);
  }

  /** Presses the button of a form that came back, as it came back. */
  private async pressAgain(name: Who): Promise<void> {
    const [page] = this.open[name];
    const open = page?.forms.find(({ form }) => form === page.cameBack);
    if (page === undefined || open === undefined) return;
    this.model.tell(name, `presses again on page ${page.number}`);
    await this.send(name, page, open, sentBy(open.drawn, open.typed, open.form.intent));
  }

  private async sendAgain(name: Who): Promise<void> {
    const last = this.lastSent[name];
    if (last === undefined) return;
    this.model.tell(name, `sends ${last.open.form.title} of page ${last.page.number} again, as it was`);
    await this.send(name, last.page, last.open, last.sent);
  }

  private async send(name: Who, page: OpenPage, open: OpenForm, sent: [string, string][]): Promise<void> {
    this.lastSent[name] = { page, open: { ...open }, sent };
    let text = "";
    const refused = await this.model.press(name, page.page, open, async () => {
      const answer = await ask(this.portal, open.drawn.action, this.portal.cookies[name], sent);
      text = answer.text;
      return { sent, status: answer.status, errors: async () => formIn(text, open.form.intent)?.errors ?? new Map() };
    });
    if (refused !== null) this.model.result(`reads it on page ${this.show(name, page.page, text, refused)}`);
  }

  /** The session ends before the form is sent; without JavaScript it comes back after the sign-in. */
  private async signInAgain(name: Who, { page }: OpenPage, open: OpenForm, sent: [string, string][]): Promise<void> {
    const { db } = this.portal;
    const { id } = await db.selectFrom("user").select("id").where("userName", "=", name).executeTakeFirstOrThrow();
    const ended = { expiresAt: "2020-01-01T00:00:00.000Z" };
    await db.updateTable("session").set(ended).where("userId", "=", Number(id)).execute();
    this.portal.cookies.reader = await newSession(db, "admin");
    const refused = await ask(this.portal, open.drawn.action, this.portal.cookies[name], sent);
    expectSame("the answer's status after the session has ended", refused.status, 307);
    const login = await ask(this.portal, refused.location, this.portal.cookies[name], sent);
    const form = formIn(login.text, "signIn")!;
    const credentials = sentBy(form, { userName: name, password: PASSWORD }, "signIn");
    const signedIn = await ask(this.portal, form.action, this.portal.cookies[name], credentials);
    expectSame("the answer's status to the sign-in", signedIn.status, 303);
    this.portal.cookies[name] = signedIn.cookie!;
    const restored = await ask(this.portal, signedIn.location, this.portal.cookies[name]);
    const number = this.show(name, page, restored.text, open);
    this.model.result(`the session has ended; signed in again, ${name} has it back on page ${number}`);
  }
}

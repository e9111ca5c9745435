import fc from "fast-check";
import { expect } from "vitest";
import { type DrawnForm, choicesOf, formIn, sentBy, type Value, type Values, valuesIn } from "./drawn-form";
import { type EditedForm, type EditedPage, listsOf, type Subject } from "./edited-forms";
import { ask, newSession, people, type TwoPeople, type Who } from "./portals/two-people";

const PASSWORD = "Demo1234";

/** Older pages are forgotten. */
const MAX_OPEN = 4;

/** A form on somebody's screen. */
interface OpenForm {
  form: EditedForm;
  drawn: DrawnForm;
  /** What was stored when it was drawn first. */
  opened: Values;
  typed: Values;
}

interface OpenPage {
  page: EditedPage;
  number: number;
  /** The form whose refusal the page shows, or that was kept over a sign-in. */
  cameBack: EditedForm | undefined;
  forms: OpenForm[];
}

interface Typing {
  field: number;
  value: number;
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

const who = fc.constantFrom(...people);
const index = fc.nat(59);
/** Half of the time one of a few, so that both people change the same. */
const fewFirst = fc.oneof(fc.nat(2), index);
const anyTyping = fc.array(fc.record({ field: fewFirst, value: fewFirst }), { minLength: 1, maxLength: 3 });
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), who, page: index }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      who,
      page: fewFirst,
      form: fewFirst,
      typing: fc.oneof({ weight: 1, arbitrary: fc.constant<Typing[]>([]) }, { weight: 5, arbitrary: anyTyping }),
      isSignedOut: fc.nat(15).map((chance) => chance === 15),
      pressesAgain: fc.boolean(),
    }),
  },
  // After a refusal, and after signing in again.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("press" as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), who }) },
);

const same = (one: Value | undefined, other: Value | undefined) => textOf(one) === textOf(other);
const textOf = (value: Value | undefined) =>
  typeof value === "string" || value === undefined ? (value ?? "") : [...value].toSorted().join(", ");
const at = <T>(list: readonly T[], place: number): T => list[place % list.length]!;

/** The rule of docs/rules/forms.md: what a sent form makes of what is stored. */
function merge({ form, opened, typed }: OpenForm, present: Values) {
  const merged: Record<string, Value> = { ...present };
  const conflicts: string[] = [];
  const lists = listsOf(form);
  const alone = Object.keys(form.fields).filter((name) => !form.groups.some((group) => group.includes(name)));
  for (const group of [...form.groups, ...alone.map((name) => [name])]) {
    const [name = ""] = group;
    const isTouched = group.some((each) => !same(typed[each], opened[each]));
    const isMoved = group.some((each) => !same(present[each], opened[each]));
    if (lists.includes(name)) {
      const [before, now, ticked] = [opened, present, typed].map((values) => values[name] as readonly string[]);
      merged[name] = [
        ...now!.filter((id) => ticked!.includes(id) || !before!.includes(id)),
        ...ticked!.filter((id) => !before!.includes(id) && !now!.includes(id)),
      ];
    } else if (isTouched) {
      for (const each of group) merged[each] = typed[each]!;
      if (isMoved) conflicts.push(...group.filter((each) => !same(typed[each], present[each])));
    }
  }
  return { merged, conflicts };
}

/** One sequence: what each person has open, and what has happened in words. */
export class Sequence {
  private readonly told: string[] = [];
  private readonly unread = new Set<EditedPage>();
  private readonly open: Record<Who, OpenPage[]> = { admin: [], kirurg: [] };
  private readonly lastSent: Partial<Record<Who, { page: OpenPage; open: OpenForm; sent: [string, string][] }>> = {};
  /** Forms that were carried out; the same form sent again is not carried out twice. */
  private readonly done = new Set<string>();
  private pages = 0;

  constructor(
    private readonly portal: TwoPeople,
    private readonly subject: Subject,
    /** What the rules say is stored. */
    private readonly facts: Map<string, Value>,
  ) {}

  /** Reads what is stored, where `facts` does not say it yet. */
  private async begin(): Promise<void> {
    if (this.facts.size === 0) for (const page of this.subject.pages) await this.read(page);
  }

  /** Reads every page that may show something else than when it was last read. */
  private async end(): Promise<void> {
    for (const page of this.unread) await this.read(page);
  }

  /** Takes steps. Throws an error with all of them in words when something else happens than the rules say. */
  async take(steps: readonly Step[]): Promise<void> {
    try {
      await this.begin();
      for (const step of steps) await this.perform(step);
      await this.end();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.told.join("\n")}\n\n${words}`, { cause: error });
    }
  }

  /** Opens a page in a session of its own. */
  private async read(page: EditedPage): Promise<void> {
    const { text } = await ask(this.portal, page.addressOf(this.portal.referralId), this.portal.cookies.reader);
    this.drawnIn(page, text);
    this.unread.delete(page);
  }

  private async perform(next: Step): Promise<void> {
    if (next.kind === "open") return this.openPage(next.who, at(this.subject.pages, next.page));
    if (next.kind === "again") return this.sendAgain(next.who);
    if (next.kind === "press") return this.pressAgain(next.who);
    const own = this.open[next.who];
    // Both have a page open before anything is changed.
    for (const name of people)
      if (this.open[name].length === 0) await this.openPage(name, at(this.subject.pages, next.page));
    const page = at(own, next.page);
    const open = at(page.forms, next.form);
    open.typed = this.typedIn(open, next.typing);
    const typed = Object.entries(open.typed).filter(([name, value]) => !same(value, valuesOf(open)[name]));
    const words = typed.map(([name, value]) => `${name} = '${textOf(value)}'`).join(", ");
    const sent = sentBy(open.drawn, open.typed, open.form.intent);
    this.tell(next.who, `sends ${open.form.title} of page ${page.number}${words && ` with ${words}`}`);
    if (next.isSignedOut) await this.signInAgain(next.who, page, open, sent);
    else await this.send(next.who, page, open, sent);
    if (next.pressesAgain) await this.pressAgain(next.who);
  }

  private tell(name: Who, words: string): void {
    this.told.push(`${name} ${words}`);
  }

  private result(words: string): void {
    this.told.push(`  -> ${words}`);
  }

  private presentOf({ fields }: EditedForm): Values {
    return Object.fromEntries(Object.entries(fields).map(([name, { fact }]) => [name, this.facts.get(fact)!]));
  }

  /** The page's forms, which show what is stored; `kept` is the one that shows something else. */
  private drawnIn(page: EditedPage, text: string, kept?: Pick<OpenForm, "form" | "opened" | "typed">): OpenForm[] {
    return page.forms.flatMap((form) => {
      const drawn = formIn(text, form.intent);
      if (drawn === undefined) throw new Error(`no form for ${form.intent}`);
      const shown = valuesIn(drawn, Object.keys(form.fields), listsOf(form));
      for (const [name, { fact }] of Object.entries(form.fields))
        if (!this.facts.has(fact)) this.facts.set(fact, shown[name]!);
      const { opened, typed } =
        kept?.form === form ? kept : { opened: this.presentOf(form), typed: this.presentOf(form) };
      expect(sorted(shown), `what ${form.title} shows`).toEqual(sorted(typed));
      return [{ form, drawn, opened, typed }];
    });
  }

  private show(name: Who, page: EditedPage, text: string, kept?: Pick<OpenForm, "form" | "opened" | "typed">): number {
    const own = this.open[name];
    own.unshift({ page, number: (this.pages += 1), cameBack: kept?.form, forms: this.drawnIn(page, text, kept) });
    own.splice(MAX_OPEN);
    return this.pages;
  }

  private async openPage(name: Who, page: EditedPage): Promise<void> {
    const { text } = await ask(this.portal, page.addressOf(this.portal.referralId), this.portal.cookies[name]);
    this.tell(name, `opens page ${this.show(name, page, text)} (${page.forms[0]!.title})`);
  }

  private typedIn({ form, drawn, typed }: OpenForm, typing: readonly Typing[]): Values {
    const names = Object.keys(form.fields).filter((name) => form.fields[name]!.values.length > 0);
    return typing.reduce<Values>((before, { field, value }) => {
      const name = at(names, field);
      const { values } = form.fields[name]!;
      const all = typeof values === "string" ? choicesOf(drawn, name) : values;
      const others = all.filter((each) => each !== before[name]);
      const chosen = at(others.length > 0 ? others : all, value);
      if (values !== "ticks") return { ...before, [name]: chosen };
      const ticked = before[name] as readonly string[];
      return {
        ...before,
        [name]: ticked.includes(chosen) ? ticked.filter((each) => each !== chosen) : [...ticked, chosen],
      };
    }, typed);
  }

  /** Presses the button of a form that came back, as it came back. */
  private async pressAgain(name: Who): Promise<void> {
    const [page] = this.open[name];
    const open = page?.forms.find(({ form }) => form === page.cameBack);
    if (page === undefined || open === undefined) return;
    this.tell(name, `presses again on page ${page.number}`);
    await this.send(name, page, open, sentBy(open.drawn, open.typed, open.form.intent));
  }

  private async sendAgain(name: Who): Promise<void> {
    const last = this.lastSent[name];
    if (last === undefined) return;
    this.tell(name, `sends ${last.open.form.title} of page ${last.page.number} again, as it was`);
    await this.send(name, last.page, last.open, last.sent);
  }

  private async send(name: Who, page: OpenPage, open: OpenForm, sent: [string, string][]): Promise<void> {
    const { form } = open;
    this.lastSent[name] = { page, open: { ...open }, sent };
    const present = this.presentOf(form);
    const { merged, conflicts } = merge(open, present);
    const isDone = this.done.has(keyOf(name, sent));
    const settled = form.settle(merged, present);
    const before = await everythingStored(this.portal);
    const answer = await ask(this.portal, open.drawn.action, this.portal.cookies[name], sent);
    if (isDone || (conflicts.length === 0 && settled !== null)) {
      const changes = isDone ? [] : Object.entries(settled!).filter(([field, value]) => !same(value, present[field]));
      this.result(
        isDone
          ? "already done"
          : changes.map(([field, value]) => `${field} is '${textOf(value)}'`).join(", ") || "nothing",
      );
      expect(answer.status, `the answer's status, with ${shownErrors(answer.text, form)}`).toBe(303);
      this.done.add(keyOf(name, sent));
      for (const [field, value] of changes) this.facts.set(form.fields[field]!.fact, value);
      const changed = changes.map(([field]) => form.fields[field]!.fact);
      expect(otherChanges(before, await everythingStored(this.portal), changed), "what else has changed").toEqual([]);
      if (changes.length === 0) return;
      for (const each of this.subject.pages) this.unread.add(each);
      return this.read(page.page);
    }
    const { status } = answer;
    const kept = { form, opened: present, typed: merged };
    this.result(conflicts.length > 0 ? `conflict in ${conflicts.join(", ")}` : "refused, invalid");
    expect(status, "the answer's status").toBe(conflicts.length > 0 ? 409 : 400);
    expect(presentTexts(answer.text, form, this.portal.referralId), "what the answer says is stored now").toEqual(
      conflicts.toSorted().map((field) => [field, nowText(form, field, present[field])]),
    );
    expect(await everythingStored(this.portal), "what is stored").toEqual(before);
    this.result(`reads it on page ${this.show(name, page.page, answer.text, kept)}`);
  }

  /** The session ends before the form is sent; without JavaScript it comes back after the sign-in. */
  private async signInAgain(name: Who, { page }: OpenPage, open: OpenForm, sent: [string, string][]): Promise<void> {
    const { db } = this.portal;
    const { id } = await db.selectFrom("user").select("id").where("userName", "=", name).executeTakeFirstOrThrow();
    const ended = { expiresAt: "2020-01-01T00:00:00.000Z" };
    await db.updateTable("session").set(ended).where("userId", "=", Number(id)).execute();
    this.portal.cookies.reader = await newSession(db, "admin");
    const refused = await ask(this.portal, open.drawn.action, this.portal.cookies[name], sent);
    expect(refused.status, "the answer's status after the session has ended").toBe(307);
    const login = await ask(this.portal, refused.location, this.portal.cookies[name], sent);
    const form = formIn(login.text, "signIn")!;
    const credentials = sentBy(form, { userName: name, password: PASSWORD }, "signIn");
    const signedIn = await ask(this.portal, form.action, this.portal.cookies[name], credentials);
    expect(signedIn.status, "the answer's status to the sign-in").toBe(303);
    this.portal.cookies[name] = signedIn.cookie!;
    const restored = await ask(this.portal, signedIn.location, this.portal.cookies[name]);
    const number = this.show(name, page, restored.text, open);
    this.result(`the session has ended; signed in again, ${name} has it back on page ${number}`);
  }
}

const valuesOf = ({ form, drawn }: OpenForm) => valuesIn(drawn, Object.keys(form.fields), listsOf(form));

const sorted = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value).replace(/\r\n/g, "\n")]));

/** What makes two sendings one: the person, the page that was drawn, and everything in the form. */
function keyOf(name: Who, sent: readonly [string, string][]): string {
  const fields = Object.fromEntries(sent);
  const { begun, ticket } = fields;
  return JSON.stringify([name, begun ?? ticket, sent.filter(([field]) => field !== "ticket" && field !== "begun")]);
}

function presentTexts(text: string, form: EditedForm, referralId: number): [field: string, text: string | undefined][] {
  const errors = formIn(text, form.intent)?.errors ?? new Map<string, string>();
  return Object.keys(form.fields)
    .toSorted()
    .flatMap((field): [string, string | undefined][] => {
      const error = errors.get(`${form.idOf(referralId)}-${field}`);
      const now = error && /Nu: [^]*/.exec(error)?.[0].replace(/\r\n/g, "\n");
      return now ? [[field, form.fields[field]!.values === "offered" ? "Nu: " : now]] : [];
    });
}

function nowText({ fields }: EditedForm, field: string, value: Value | undefined): string {
  if (fields[field]!.values === "offered") return "Nu: ";
  return textOf(value) === ""
    ? "Nu: intet."
    : value === "on"
      ? "Nu: sat."
      : `Nu: ${textOf(value).replace(/\r\n/g, "\n")}`;
}

const shownErrors = (text: string, form: EditedForm) =>
  JSON.stringify([...(formIn(text, form.intent)?.errors ?? new Map<string, string>())]);

/** Columns and settings by fact, where they are named otherwise. */
const COLUMNS: Readonly<Record<string, string>> = {
  incallComment: "callUpComment",
  patientDoesntHaveEboks: "patientWithoutEboks",
  makeTest: "isTest",
  operationTimeHours: "operationHour",
  operationTimeMinutes: "operationMinute",
  treatmentType: "treatmentTypeId",
  offeredPrompts: "hiddenPrompts",
};

/** Columns that follow others. */
const FOLLOWING: readonly string[] = [
  "emailNorm",
  "patientId",
  "nameQuestion",
  "nameSort",
  "operationOrder",
  "operationSetAt",
];

/** Every column of the referral and every setting, except who saved them last, what a job counts, and
 * ciphertexts, which each save renews. */
async function everythingStored({ db, referralId }: TwoPeople): Promise<Record<string, unknown>> {
  const referral = await db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  const settings = await db.selectFrom("setting").select(["name", "value"]).execute();
  const {
    version: _version,
    modifiedAt: _at,
    modifierId: _by,
    cprEncrypted: _cpr,
    rowKey: _key,
    nextDueOn: _due,
    ...values
  } = referral;
  return { ...values, ...Object.fromEntries(settings.map(({ name, value }) => [name, value])) };
}

/** Columns and settings that have changed beside those of the facts. All reminders are one setting. */
function otherChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  facts: readonly string[],
): string[] {
  const expected = [...facts.map((fact) => COLUMNS[fact] ?? fact), ...FOLLOWING, "reminders"];
  return Object.keys({ ...before, ...after }).filter(
    (name) => (before[name] ?? "") !== (after[name] ?? "") && !expected.includes(name),
  );
}

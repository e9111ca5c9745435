import { setTimeout as sleep } from "node:timers/promises";
import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type DrawnForm, formIn, type Value, type Values, valuesIn } from "./drawn-form";
import { type EditedForm, type EditedPage, listsOf, type Subject } from "./edited-forms";
import { ask, type EditedPortal, people, type Who } from "./edited-portal";

/** A form on somebody's screen. */
export interface HeldForm {
  form: EditedForm;
  /** What was stored when it was drawn, or when its fields followed last. */
  opened: Values;
  typed: Values;
  /** Fields that the page does not draw at present. */
  undrawn?: readonly string[];
}

/** What a person does in one field: the place of the field and of the value among those that are possible. */
export interface Typing {
  field: number;
  value: number;
}

/** Half of the time one of a few, so that both people change the same. */
export const fewFirst = fc.oneof(fc.nat(2), fc.nat(59));
export const anyWho = fc.constantFrom(...people);
export const anyTyping = fc.array(fc.record({ field: fewFirst, value: fewFirst }), { minLength: 1, maxLength: 3 });
/** The referral has more forms than the settings. */
export const anySubject = fc.constantFrom(0, 0, 0, 1, 1);

export const at = <T>(list: readonly T[], place: number): T => list[place % list.length]!;
export const same = (one: Value | undefined, other: Value | undefined) => textOf(one) === textOf(other);
export const textOf = (value: Value | undefined) =>
  typeof value === "string" || value === undefined ? (value ?? "") : [...value].toSorted().join(", ");

const groupsOf = ({ groups, fields }: EditedForm) => [
  ...groups,
  ...Object.keys(fields).flatMap((name) => (groups.some((group) => group.includes(name)) ? [] : [[name]])),
];

/** The field that is typed in, among those of `offered`, and what it holds then. `offered` has the choices of controls. */
export function typedIn(
  { form, typed }: HeldForm,
  { field, value }: Typing,
  offered: Readonly<Record<string, readonly string[]>>,
): [name: string, value: Value] {
  const names = Object.keys(form.fields).filter((each) => form.fields[each]!.values.length > 0 && offered[each]);
  const name = at(names, field);
  const { values } = form.fields[name]!;
  const all = typeof values === "string" ? offered[name]! : values;
  const others = all.filter((each) => each !== typed[name]);
  const chosen = at(others.length > 0 ? others : all, value);
  if (values !== "ticks") return [name, chosen];
  const ticked = typed[name] as readonly string[];
  return [name, ticked.includes(chosen) ? ticked.filter((each) => each !== chosen) : [...ticked, chosen]];
}

/** The rule of docs/rules/forms.md: what a sent form makes of what is stored. */
function merge({ form, opened, typed, undrawn = [] }: HeldForm, present: Values) {
  const merged: Record<string, Value> = { ...present };
  const conflicts: string[] = [];
  const lists = listsOf(form);
  for (const group of groupsOf(form)) {
    const [name = ""] = group;
    const drawn = group.filter((each) => !undrawn.includes(each));
    const isTouched = drawn.some((each) => !same(typed[each], opened[each]));
    const isMoved = group.some((each) => !same(present[each], opened[each]));
    if (lists.includes(name)) {
      const [before, now, ticked] = [opened, present, typed].map((values) => values[name] as readonly string[]);
      merged[name] = [
        ...now!.filter((id) => ticked!.includes(id) || !before!.includes(id)),
        ...ticked!.filter((id) => !before!.includes(id) && !now!.includes(id)),
      ];
    } else if (isTouched) {
      for (const each of drawn) merged[each] = typed[each]!;
      if (isMoved) conflicts.push(...drawn.filter((each) => !same(typed[each], present[each])));
    }
  }
  return { merged, conflicts };
}

/** The form after its page was read anew: untouched groups follow what is stored, touched ones stay. */
function follow(held: HeldForm, present: Values): HeldForm {
  const { form, opened, typed, undrawn = [] } = held;
  const followed = groupsOf(form).flatMap((group) =>
    group.every((each) => undrawn.includes(each) || same(typed[each], opened[each]))
      ? group.map((each) => [each, present[each]!] as const)
      : [],
  );
  const now = Object.fromEntries(followed);
  return { ...held, opened: { ...opened, ...now }, typed: { ...typed, ...now } };
}

/** What a pressed form was answered with. */
export interface Answer {
  /** Names and values as they were sent. */
  sent: readonly [string, string][];
  /** 303 for a success; null where no answer arrived. */
  status: number | null;
  /** What the form shows at its fields, by their ids. */
  errors(): Promise<ReadonlyMap<string, string>>;
}

/** What is stored and what happened, in words, over one sequence of steps. */
export class Model {
  private readonly told: string[] = [];
  private readonly unread = new Set<EditedPage>();
  /** Forms that were carried out; the same form sent again is not carried out twice. */
  private readonly done = new Set<string>();

  constructor(
    private readonly portal: EditedPortal,
    readonly subject: Subject,
    /** What the rules say is stored; empty where it is to be read. */
    private readonly facts: Map<string, Value>,
  ) {}

  /**
   * Does `steps` and reads at the end every page that may show something else by then. Throws an error with all steps in
   * words when something else happens than the rules say.
   */
  async over(steps: () => Promise<void>): Promise<void> {
    try {
      if (this.facts.size === 0) for (const page of this.subject.pages) await this.read(page);
      await steps();
      for (const page of this.unread) await this.read(page);
    } catch (error) {
      // What is stored is not known any more.
      this.facts.clear();
      const words = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.told.join("\n")}\n\n${words}`, { cause: error });
    }
  }

  tell(name: Who, words: string): void {
    this.told.push(`${name} ${words}`);
  }

  tellTyped(name: Who, words: string, typed: readonly [string, Value][]): void {
    const values = typed.map(([field, value]) => `${field} = '${textOf(value)}'`).join(", ");
    this.tell(name, values === "" ? words : `${words} with ${values}`);
  }

  result(words: string): void {
    this.told.push(`  -> ${words}`);
  }

  /** The form as it is drawn while nobody has typed in it. */
  untouched(form: EditedForm): HeldForm {
    return { form, opened: this.presentOf(form), typed: this.presentOf(form) };
  }

  followed(held: HeldForm): HeldForm {
    return follow(held, this.presentOf(held.form));
  }

  /** The page's forms, which show what is stored; `kept` is the one that shows something else. */
  drawnIn(page: EditedPage, text: string, kept?: HeldForm): (HeldForm & { drawn: DrawnForm })[] {
    return page.forms.map((form) => {
      const drawn = formIn(text, form.intent);
      if (drawn === undefined) throw new Error(`no form for ${form.intent}`);
      const shown = valuesIn(drawn, Object.keys(form.fields), listsOf(form));
      for (const [name, { fact }] of Object.entries(form.fields))
        if (!this.facts.has(fact)) this.facts.set(fact, shown[name]!);
      const held = kept?.form === form ? kept : this.untouched(form);
      expectShown(held, shown);
      return { ...held, drawn };
    });
  }

  /**
   * Presses a form's button by `send` and compares the answer and everything stored with the rules. Returns the form as
   * it comes back with a refusal; null where it was carried out, or where no answer arrived.
   */
  async press(name: Who, page: EditedPage, held: HeldForm, send: () => Promise<Answer>): Promise<HeldForm | null> {
    const { form } = held;
    const present = this.presentOf(form);
    const { merged, conflicts } = merge(held, present);
    const settled = form.settle(merged, present);
    const before = await everythingStored(this.portal);
    const { sent, status, errors } = await send();
    const after = await everythingStored(this.portal);
    const key = keyOf(name, sent);
    if (this.done.has(key) || (conflicts.length === 0 && settled !== null)) {
      const changes = this.done.has(key)
        ? []
        : Object.entries(settled!).filter(([field, value]) => !same(value, present[field]));
      const words = changes.map(([field, value]) => `${field} is '${textOf(value)}'`).join(", ") || "nothing";
      this.result(this.done.has(key) ? "already done" : words);
      if (status !== null && status !== 303) expectSame("the answer", [status, await errors()], [303, new Map()]);
      this.done.add(key);
      for (const [field, value] of changes) this.facts.set(form.fields[field]!.fact, value);
      const changed = changes.map(([field]) => form.fields[field]!.fact);
      expectSame("what else has changed", otherChanges(before, after, changed), []);
      if (changes.length === 0) return null;
      for (const each of this.subject.pages) this.unread.add(each);
      await this.read(page);
      return null;
    }
    this.result(conflicts.length > 0 ? `conflict in ${conflicts.join(", ")}` : "refused, invalid");
    expectSame("what is stored", after, before);
    if (status === null) return null;
    expectSame("the answer's status", status, conflicts.length > 0 ? 409 : 400);
    await eventually(async () =>
      expectSame(
        "what the answer says is stored now",
        presentTexts(await errors(), form, this.portal.referralId),
        conflicts.toSorted().map((field) => [field, nowText(form, field, present[field])]),
      ),
    );
    return { form, opened: present, typed: merged };
  }

  private presentOf({ fields }: EditedForm): Values {
    return Object.fromEntries(Object.entries(fields).map(([name, { fact }]) => [name, this.facts.get(fact)!]));
  }

  /** Opens a page in a session of its own. */
  private async read(page: EditedPage): Promise<void> {
    const { text } = await ask(this.portal, page.addressOf(this.portal.referralId), this.portal.cookies.reader);
    this.drawnIn(page, text);
    this.unread.delete(page);
  }
}

const PATIENCE_MS = 3_000;

/** Waits until `check` passes, since a page draws an answer some time after it arrived. Throws its last error. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() - begun > PATIENCE_MS) throw error;
      await sleep(20);
    }
  }
}

/** Throws an error unless both are equal. Any test runner can use it. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Error(`${what}: ${inspect(actual)}, not ${inspect(expected)}`);
}

/** Throws an error unless a form shows what its person typed and else what it was opened with. */
export function expectShown({ form, typed, undrawn = [] }: HeldForm, shown: Values): void {
  const drawn = (values: Values) =>
    Object.keys(form.fields).flatMap((name) =>
      undrawn.includes(name) ? [] : [[name, textOf(values[name]).replace(/\r\n/g, "\n")] as const],
    );
  const expected = new Map(drawn(typed));
  const wrong = drawn(shown).filter(([name, text]) => text !== expected.get(name));
  expectSame(
    `what ${form.title} shows`,
    Object.fromEntries(wrong),
    Object.fromEntries(wrong.map(([name]) => [name, expected.get(name)])),
  );
}

/** What makes two sendings one: the person, the page that was drawn, and everything in the form. */
function keyOf(name: Who, sent: readonly [string, string][]): string {
  const { begun, ticket } = Object.fromEntries(sent);
  // 'Tag den nye' names its field in `conflict`; a form that came back over a sign-in has none.
  const typed = sent.filter(([field]) => !["ticket", "begun", "conflict"].includes(field));
  return JSON.stringify([name, begun ?? ticket, typed]);
}

function presentTexts(
  errors: ReadonlyMap<string, string>,
  form: EditedForm,
  referralId: number,
): [field: string, text: string | undefined][] {
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
  "smsList",
  "triageOrder",
];

/** Every column of the referral and every setting, except who saved them last, what a job counts, and
 * ciphertexts, which each save renews. */
async function everythingStored({ db, referralId }: EditedPortal): Promise<Record<string, unknown>> {
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

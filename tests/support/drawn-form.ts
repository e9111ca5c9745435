/** Reads a form out of a page as a browser without JavaScript does, and says what that browser would send. */

export type Value = string | readonly string[];
export type Values = Readonly<Record<string, Value>>;

interface Control {
  name: string;
  kind: "fixed" | "text" | "select" | "box" | "radio";
  value: string;
  isTicked: boolean;
  /** Values of a select. */
  options: readonly string[];
}

export interface DrawnForm {
  id: string;
  action: string;
  /** Of its buttons that can be pressed. */
  intents: readonly string[];
  controls: readonly Control[];
  /** Fields whose present value a button takes, after a conflict. */
  takes: readonly string[];
  /** Errors at fields by the id of the field. */
  errors: ReadonlyMap<string, string>;
}

/** A text of an HTML page without its entities. */
export const decoded = (html: string) =>
  html
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

const lines = (text: string) => text.replace(/\r\n?/g, "\n");

function attributesOf(tag: string): Map<string, string> {
  const found = [...tag.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)];
  return new Map(found.map(([, name, value = ""]) => [name!.toLowerCase(), decoded(value)]));
}

const TAG = /<(input|textarea|select)\b([^>]*)>(?:([^]*?)<\/\1>)?/g;
const ERROR = /<p class="[^"]*\bfield-error\b[^"]*" id="([^"]*)-error">[^]*?<span>([^<]*)<\/span>/g;

const DISABLED = /<fieldset\b[^>]*\sdisabled=""[^>]*>[^]*?<\/fieldset>/g;

/** The forms of a page. */
export const drawnForms = (page: string): DrawnForm[] =>
  [...page.replace(DISABLED, "").matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].map(([, tag, content]) => {
    const head = attributesOf(tag!);
    const buttons = [...content!.matchAll(/<button\b([^>]*)>/g)].map(([, each]) => attributesOf(each!));
    return {
      id: head.get("id") ?? "",
      action: head.get("action") ?? "",
      intents: buttons.flatMap((each) =>
        each.get("name") === "intent" && !each.has("disabled") ? [each.get("value") ?? ""] : [],
      ),
      takes: buttons.flatMap((each) => (each.get("name") === "takePresent" ? [each.get("value") ?? ""] : [])),
      controls: [...content!.matchAll(TAG)].flatMap(([, name, attributes, inside]) =>
        controlOf(name!, attributesOf(attributes!), inside ?? ""),
      ),
      errors: new Map([...content!.matchAll(ERROR)].map(([, id, text]) => [decoded(id!), decoded(text!)])),
    };
  });

/** The form with a button for this intent; undefined where the page has none, or the button is disabled. */
export const formIn = (page: string, intent: string): DrawnForm | undefined =>
  drawnForms(page).find(({ intents }) => intents.includes(intent));

/** The form of this id. Throws if the page has none. */
export function formOfId(page: string, id: string): DrawnForm {
  const form = drawnForms(page).find((each) => each.id === id);
  if (form === undefined) throw new Error(`The page has no form ${id}.`);
  return form;
}

function controlOf(tag: string, attributes: Map<string, string>, inside: string): Control[] {
  const name = attributes.get("name");
  const type = attributes.get("type") ?? "text";
  if (!name || attributes.has("disabled") || type === "file" || type === "submit") return [];
  const control = { name, value: attributes.get("value") ?? "", isTicked: false, options: [] };
  if (tag === "textarea") return [{ ...control, kind: "text", value: lines(decoded(inside)).replace(/^\n/, "") }];
  if (tag === "select") return [{ ...control, kind: "select", ...chosenIn(inside) }];
  if (type === "hidden") return [{ ...control, kind: "fixed" }];
  if (type !== "checkbox" && type !== "radio") return [{ ...control, kind: "text" }];
  const value = attributes.get("value") ?? "on";
  return [{ ...control, kind: type === "radio" ? "radio" : "box", value, isTicked: attributes.has("checked") }];
}

function chosenIn(inside: string) {
  const options = [...inside.matchAll(/<option\b([^>]*)>/g)].map(([, tag]) => attributesOf(tag!));
  const chosen = options.find((option) => option.has("selected")) ?? options.find((option) => !option.has("disabled"));
  return { value: chosen?.get("value") ?? "", options: options.map((option) => option.get("value") ?? "") };
}

/** What the controls of these names hold: a text each, `on` for a ticked box, a list for the boxes of `lists`. */
export function valuesIn({ controls }: DrawnForm, names: readonly string[], lists: readonly string[]): Values {
  const valueOf = (name: string): Value => {
    const own = controls.filter((control) => control.name === name);
    const ticked = own.filter(({ isTicked }) => isTicked).map(({ value }) => value);
    if (lists.includes(name)) return ticked;
    return own.some(({ kind }) => kind === "box" || kind === "radio") ? (ticked[0] ?? "") : (own[0]?.value ?? "");
  };
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** What a person can choose in these controls. */
export const choicesOf = ({ controls }: DrawnForm, name: string): readonly string[] =>
  controls
    .filter((control) => control.name === name)
    .flatMap(({ kind, value, options }) => (kind === "select" ? options : [value]));

/**
 * Names and values that the browser sends when the button of `intent`, or none, is pressed and the controls hold
 * `typed`, in document order.
 */
export function sentBy({ controls }: DrawnForm, typed: Values, intent?: string): [name: string, value: string][] {
  const sent = controls.flatMap(({ name, kind, value, isTicked }): [string, string][] => {
    const given = typed[name];
    if (kind === "fixed" || kind === "text" || kind === "select")
      return [[name, kind !== "fixed" && typeof given === "string" ? given : value]];
    const isSent = given === undefined ? isTicked : typeof given === "string" ? given === value : given.includes(value);
    return isSent ? [[name, value]] : [];
  });
  const pressed: [string, string][] = intent === undefined ? [] : [["intent", intent]];
  return [...sent, ...pressed].map(([name, value]) => [name, value.replace(/\r\n?|\n/g, "\r\n")]);
}

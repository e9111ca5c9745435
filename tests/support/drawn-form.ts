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
  action: string;
  controls: readonly Control[];
  /** Errors at fields by the id of the field. */
  errors: ReadonlyMap<string, string>;
}

const decoded = (html: string) =>
  html
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

function attributesOf(tag: string): Map<string, string> {
  const found = [...tag.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)];
  return new Map(found.map(([, name, value = ""]) => [name!.toLowerCase(), decoded(value)]));
}

const TAG = /<(input|textarea|select)\b([^>]*)>(?:([^]*?)<\/\1>)?/g;
const ERROR = /<p class="[^"]*\bfield-error\b[^"]*" id="([^"]*)-error">[^]*?<span>([^<]*)<\/span>/g;

/** The form with a button for this intent; undefined where the page has none, or the button is disabled. */
export function formIn(page: string, intent: string): DrawnForm | undefined {
  for (const [whole, head, content] of page.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)) {
    const button = [...whole.matchAll(/<button\b([^>]*)>/g)]
      .map(([, tag]) => attributesOf(tag!))
      .find((each) => each.get("name") === "intent" && each.get("value") === intent);
    if (button === undefined || button.has("disabled")) continue;
    return {
      action: attributesOf(head!).get("action") ?? "",
      controls: [...content!.matchAll(TAG)].flatMap(([, tag, attributes, inside]) =>
        controlOf(tag!, attributesOf(attributes!), inside ?? ""),
      ),
      errors: new Map([...content!.matchAll(ERROR)].map(([, id, text]) => [decoded(id!), decoded(text!)])),
    };
  }
  return undefined;
}

function controlOf(tag: string, attributes: Map<string, string>, inside: string): Control[] {
  const name = attributes.get("name");
  const type = attributes.get("type") ?? "text";
  if (!name || attributes.has("disabled") || type === "file") return [];
  const control = { name, value: attributes.get("value") ?? "", isTicked: false, options: [] };
  if (tag === "textarea") return [{ ...control, kind: "text", value: decoded(inside.replace(/^\n/, "")) }];
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

/** Names and values that the browser sends when `intent` is pressed and the controls hold `typed`, in document order. */
export function sentBy({ controls }: DrawnForm, typed: Values, intent: string): [name: string, value: string][] {
  const sent = controls.flatMap(({ name, kind, value, isTicked }): [string, string][] => {
    const given = typed[name];
    if (kind === "fixed" || kind === "text" || kind === "select")
      return [[name, kind !== "fixed" && typeof given === "string" ? given : value]];
    const isSent = given === undefined ? isTicked : typeof given === "string" ? given === value : given.includes(value);
    return isSent ? [[name, value]] : [];
  });
  return [...sent, ["intent", intent] as [string, string]].map(([name, value]) => [
    name,
    value.replace(/\r\n?|\n/g, "\r\n"),
  ]);
}

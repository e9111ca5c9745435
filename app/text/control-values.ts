import { withLineFeeds } from "./line-ends";

/**
 * What a form was opened with, so that the server can tell what its person changed (docs/rules/forms.md): for each
 * field a digest of its stored text, or the ids of a list. No secret: who forges it could as well type.
 */

/** Stored values as the form's controls show them; a list for boxes of one name, `on` for a ticked box. */
export type ControlValues = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The text of a control as a browser sends it, with LF line ends. */
export const controlText = (value: ControlValues[string]): string =>
  Array.isArray(value) ? [...value].sort().join(",") : withLineFeeds(String(value ?? ""));

/** FNV-1a, 32 bits, in base 36. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(36);
}

const LIST = "=";

const markOf = (value: ControlValues[string]) =>
  Array.isArray(value) ? `${LIST}${controlText(value)}` : digestOf(controlText(value));

/** The hidden field `opened`: `name:mark` for each field. */
export const openedWith = (values: ControlValues): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}:${markOf(value)}`)
    .join(" ");

export type Opened = ReadonlyMap<string, string>;

const MAX_LENGTH = 20_000;

export const readOpened = (sent: string): Opened =>
  new Map(
    sent
      .slice(0, MAX_LENGTH)
      .split(" ")
      .flatMap((field) => {
        const [name = "", mark] = field.split(":");
        return mark === undefined ? [] : [[name, mark] as const];
      }),
  );

/** `opened` with the marks of these values renewed; the others stay. */
export const renewOpened = (opened: Opened, values: ControlValues): string =>
  [...new Map([...opened, ...readOpened(openedWith(values))])].map((mark) => mark.join(":")).join(" ");

export const isOpenedWith = (opened: Opened, name: string, value: ControlValues[string]): boolean =>
  opened.get(name) === markOf(value);

/** Ids of a list as it was opened. */
export const openedList = (opened: Opened, name: string): string[] => {
  const mark = opened.get(name) ?? "";
  return mark.startsWith(LIST) ? mark.slice(1).split(",").filter(Boolean) : [];
};

import { get } from "../../scripts/test-server.mjs";
import type { KnownForm } from "./random-requests";

const decoded = (html: string) =>
  html
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decoded(found);
};

/** Names of text fields. */
const isTyped = (tag: string) =>
  tag.startsWith("<textarea") || /\btype="(text|search|email|tel|password|url)"/.test(tag);

interface Asked {
  origin: string;
  /** Cookies of the readers; `nobody` has none. */
  cookies: ReadonlyMap<string, string>;
  addresses: readonly string[];
}

/** The form of this id as a browser without JavaScript sends it. Throws if the page has none. */
export function filledForm(html: string, id: string): { action: string; fields: URLSearchParams } {
  const form = new RegExp(`(<form\\b[^>]*\\bid="${id}"[^>]*>)([^]*?)</form>`).exec(html.replace(/\r\n?/g, "\n"));
  if (form === null) throw new Error(`The page has no form ${id}.`);
  const fields = new URLSearchParams();
  const controls =
    /(<(?:input|select|textarea)\b[^>]*>)(?:([^<]*)<\/textarea>|((?:<option\b[^>]*>[^<]*<\/option>)+))?/g;
  for (const [, tag, text, options] of form[2]!.matchAll(controls)) {
    const name = attribute(tag!, "name");
    const isUnticked = /\btype="(?:checkbox|radio)"/.test(tag!) && !/\bchecked=/.test(tag!);
    if (name === undefined || isUnticked || /\bdisabled=|\btype="file"/.test(tag!)) continue;
    const all = [...(options ?? "").matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
    const chosen = all.find((option) => /\bselected=/.test(option)) ?? all[0];
    // A browser drops the line break that begins a text.
    fields.append(
      name,
      text === undefined ? (attribute(chosen ?? tag!, "value") ?? "") : decoded(text).replace(/^\n/, ""),
    );
  }
  return { action: attribute(form[1]!, "action") ?? "", fields };
}

/** Every form of every page that each person sees, one per button. */
export async function findForms({ origin, cookies, addresses }: Asked): Promise<KnownForm[]> {
  const found = new Map<string, KnownForm>();
  for (const who of ["nobody", ...cookies.keys()]) {
    const cookie = cookies.get(who);
    for (const address of addresses) {
      const { text, status } = await get(origin + address, cookie === undefined ? {} : { cookie });
      if (status !== 200 || !text.startsWith("<!doctype")) continue;
      for (const form of formsIn(text, address))
        if (!found.has(`${who} ${address} ${form.intent}`))
          found.set(`${who} ${address} ${form.intent}`, { who, ...form });
    }
  }
  return [...found.values()];
}

/** Forms of a page that are sent by POST, one per button that names its operation. */
export function* formsIn(text: string, address: string): Generator<Omit<KnownForm, "who">> {
  for (const [whole, head] of text.matchAll(/<form\b([^>]*)>[^]*?<\/form>/g)) {
    if (attribute(head!, "method")?.toLowerCase() !== "post") continue;
    const id = attribute(head!, "id");
    const controls = [
      ...whole.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g),
      ...(id ? text.matchAll(new RegExp(`<(?:input|select|textarea|button)\\b[^>]*\\bform="${id}"[^>]*>`, "g")) : []),
    ].map(([tag]) => tag);
    const named = controls.filter(
      (tag) =>
        !tag.startsWith("<button") &&
        !/\bdisabled\b/.test(tag) &&
        attribute(tag, "type") !== "file" &&
        attribute(tag, "name"),
    );
    const action = attribute(head!, "action") ?? address;
    for (const button of controls.filter((tag) => tag.startsWith("<button") && attribute(tag, "name") === "intent")) {
      const intent = attribute(button, "value") ?? "";
      yield {
        intent,
        page: address,
        action: action.startsWith("/") ? action : address,
        enctype: attribute(head!, "enctype") ?? "",
        typed: Object.fromEntries(
          named
            .filter(isTyped)
            .map((tag) => [
              attribute(tag, "name")!,
              Number(attribute(tag, "maxLength") ?? attribute(tag, "maxlength") ?? 0),
            ]),
        ),
        fields: [
          ...named.map((tag): [string, string] => [attribute(tag, "name")!, attribute(tag, "value") ?? ""]),
          ["intent", intent],
        ],
      };
    }
  }
}

import { get } from "../../scripts/test-server.mjs";
import { decoded } from "./drawn-form";
import type { KnownForm } from "./random-requests";

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

function* formsIn(text: string, address: string): Generator<Omit<KnownForm, "who">> {
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
        !["file", "submit"].includes(attribute(tag, "type") ?? "") &&
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

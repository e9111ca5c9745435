import type { KnownForm } from "../random-requests";
import { differentLetters, type Hostile, KB } from "./hostile";
import type { SizesPortal } from "./sizes-portal";

/** The body limit minus other fields and encoding. */
const WHOLE_BODY = 500 * KB;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Lengths around the limits of fields; null fills the body. */
const LENGTHS = [200, 201, 4000, 4001, null];
const TEXTS = { letters: "a", words: "Åse ", lines: "x\n", marks: "e\u0301", placeholders: "((a" };

/** They end the session needed for the rest. */
const ENDS_SESSION = new Set(["signOut", "signOutForOpener", "endOwnSession"]);

export function* hostileForms(portal: SizesPortal, forms: readonly KnownForm[]): Generator<Hostile> {
  for (const form of forms) {
    if (ENDS_SESSION.has(form.intent)) continue;
    const as = form.who === "nobody" ? {} : { as: form.who };
    const post = (fields: [string, string][]) => () =>
      portal.send(form.action, { method: "POST", ...as, headers: FORM, body: new URLSearchParams(fields).toString() });
    const typed = Object.keys(form.typed);
    for (const length of typed.length === 0 ? [] : LENGTHS) {
      const [what, unit] = Object.entries(TEXTS)[(typed.length + (length ?? 0)) % Object.keys(TEXTS).length]!;
      // Percent-encoding takes three characters per byte.
      const each =
        length ?? Math.floor(WHOLE_BODY / typed.length / (Buffer.byteLength(encodeURIComponent(unit)) / unit.length));
      const text = unit.repeat(Math.ceil(each / unit.length)).slice(0, each);
      yield {
        kind: `a form's texts of ${length ?? "a whole body of"} ${what}`,
        name: `${form.page} ${form.intent}: ${length ?? "a whole body of"} ${what} in ${typed.length} fields`,
        send: post(form.fields.map(([name, value]) => [name, typed.includes(name) ? text : value])),
      };
    }
    const addresses = typed.filter((name) => /mail/i.test(name));
    if (addresses.length > 0) {
      const domain = differentLetters(Math.floor(WHOLE_BODY / addresses.length / 10));
      yield {
        kind: "a form's addresses of a domain of many letters",
        name: `${form.page} ${form.intent}: a domain of ${domain.length} letters in ${addresses.length} fields`,
        send: post(form.fields.map(([name, value]) => [name, addresses.includes(name) ? `a@${domain}.dk` : value])),
      };
    }
    const repeated = form.fields.find(([name]) => name !== "intent")?.[0] ?? "intent";
    yield {
      kind: "a form's fields, 1,900 of them",
      name: `${form.page} ${form.intent}: 1,900 more fields`,
      send: post([
        ...form.fields,
        ...Array.from({ length: 1900 }, (_, at): [string, string] => [`a${at}`, "x".repeat(100)]),
      ]),
    };
    yield {
      kind: "a form's field, 1,001 times",
      name: `${form.page} ${form.intent}: ${repeated} 1,001 times`,
      send: post([
        ...form.fields,
        ...Array.from({ length: 1001 }, (): [string, string] => [repeated, "x".repeat(100)]),
      ]),
    };
  }
}

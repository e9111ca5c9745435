import { expect, test } from "vitest";
import { routes } from "../support/routes";
import { accessPortal } from "./access-portal";

const { portal, referrals, ask } = accessPortal();

const VOID = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "use", "path"]);
/** Elements whose text browsers do not translate or show. */
const OPAQUE = new Set(["script", "style", "textarea", "title", "template", "option"]);

/** Texts of a page that a browser would translate. */
function translatedTexts(html: string): string[] {
  const texts: string[] = [];
  const open: { name: string; isVerbatim: boolean }[] = [];
  const isVerbatim = () => open.at(-1)?.isVerbatim ?? false;
  for (const [part, slash, name, attributes] of html.matchAll(
    /<(\/?)([a-zA-Z][\w-]*)([^>]*)>|[^<]+|<!--.*?-->|<[^>]*>/gs,
  )) {
    if (name === undefined) {
      if (!part.startsWith("<") && !isVerbatim()) texts.push(part);
    } else if (slash) {
      while (open.length > 0 && open.pop()!.name !== name);
    } else if (!VOID.has(name) && !attributes!.endsWith("/")) {
      const own = /\btranslate="(yes|no)"/.exec(attributes!)?.[1];
      open.push({ name, isVerbatim: OPAQUE.has(name) || (own === undefined ? isVerbatim() : own === "no") });
    }
  }
  return texts;
}

/** Names of the demo's people, its clinics, and the two referrals' patients. */
function names(): string[] {
  return portal.inDatabase((database) => {
    const all = (sql: string) => (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
    return [
      ...all("select first_name || ' ' || last_name as name from user"),
      ...all("select user_name as name from user where length(user_name) > 6"),
      ...all("select name from clinic where length(name) > 6"),
      "Åse Kjær",
    ];
  });
}

/** CPR numbers, phone numbers and mail addresses. */
const NUMBERS = /\b\d{6}-\d{4}\b|\b\d{2} \d{2} \d{2} \d{2}\b|[\w.-]+@[\w-]+\.\w+/;

const pages = Object.entries(routes).filter(
  ([, { kind }]) => kind === "signedIn" || kind === "staff" || kind === "directory" || kind === "referral",
);

test("names, numbers and addresses stand where no browser translates them", async () => {
  await expect
    .poll(() =>
      portal.inDatabase((database) =>
        database.prepare("select count(*) as rows from outbox where outcome = 'queued'").get(),
      ),
    )
    .toMatchObject({ rows: 0 });
  const known = names();
  // The server writes page views some seconds after a visit.
  const views =
    "insert or ignore into page_view (day, page, role, n) values (date(), 'management/henvisning-tandlaeger', 'Admin', 1)";
  portal.inDatabase((database) => database.exec(views));
  const found: string[] = [];
  let read = 0;
  for (const [route, { address }] of pages) {
    const at = address
      .replace("{id}", String(referrals.own.id))
      .replace("{own}", String(referrals.own.id))
      .replace("{file}", String(referrals.own.file));
    const { status, text } = await ask("admin", at);
    if (status !== 200 || !text.includes("<html")) continue;
    read += 1;
    for (const each of translatedTexts(text)) {
      const what = NUMBERS.exec(each)?.[0] ?? known.find((name) => each.includes(name));
      if (what !== undefined) found.push(`${route}: ${what} in '${each.trim().slice(0, 80)}'`);
    }
  }
  expect(read).toBeGreaterThan(40);
  expect([...new Set(found)]).toEqual([]);
});

import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { can } from "~/access/permissions";
import { helpGuides } from "~/features/help/read-help.server";
import { retention } from "~/features/maintenance/retention";
import { statuses } from "~/features/referrals/model/statuses";
import { tabs } from "~/features/shell/tabs";
import { committed } from "./describe-rule";
import { importsOf, isCode, isTest, parse, type SourceText, withoutExtension } from "./source-text";

const code = new Map(
  committed
    .filter(({ path: file }) => file.startsWith("app/") && isCode(file) && !isTest(file))
    .map((source) => [withoutExtension(source.path), source]),
);

const trimmed = (text: string) => text.replace(/\s+/g, " ").replace(/^[\s·).,:]+|[\s(:*….,]+$/g, "");

/** Everything that a file may write on the screen: literals, parts of templates, text of JSX. */
function textsOf(source: SourceText): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      found.push(trimmed(node.text));
    ts.forEachChild(node, visit);
  };
  visit(parse(source));
  return found;
}

/** Texts of the files whose path begins so, and of all that they import. */
function textsFrom(beginning: string): Set<string> {
  const waiting = [...code.keys()].filter((file) => file.startsWith(beginning));
  const seen = new Set(waiting);
  const texts = new Set<string>();
  for (const file of waiting) {
    const source = code.get(file)!;
    for (const text of textsOf(source)) texts.add(text);
    for (const { target } of importsOf(source)) {
      const imported = withoutExtension(target);
      if (code.has(imported) && !seen.has(imported)) {
        seen.add(imported);
        waiting.push(imported);
      }
    }
  }
  return texts;
}

const labelsIn = (html: string) => [...html.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, label]) => trimmed(label!));

const sections = helpGuides().flatMap(({ id: guide, chapters }) =>
  chapters.flatMap((chapter) => chapter.sections.map((section) => ({ ...section, guide, chapter: chapter.title }))),
);
const ofPages = sections.filter(({ chapter, level }) => chapter.startsWith("Siderne") && level === 3);

describe("the guides name what is on the screen", () => {
  const everywhere = textsFrom("app/");
  const byPage = new Map<string, Set<string>>();
  const routesOf = (id: string) =>
    id === "den-aabne-henvisning" ? "app/routes/management.overview.$visitId" : `app/routes/management.${id}`;
  const textsOn = (id: string) => {
    if (!byPage.has(id)) byPage.set(id, textsFrom(routesOf(id)));
    return byPage.get(id)!;
  };

  test("each label in bold stands in the code, of a page's section in that page's own", () => {
    // The guide to signing in names what stands on the screens of other products.
    const own = sections.filter(({ guide }) => guide !== "login");
    const unknown = own.flatMap((section) =>
      labelsIn(section.html)
        .filter((label) => !(ofPages.includes(section) ? textsOn(section.id) : everywhere).has(label))
        .map((label) => `${section.guide}, ${section.title}: ${label}`),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("the table of statuses is that of the portal", () => {
    const words = sections.find(({ title }) => title === "Ord og statusser")!.html;
    const text = words.replace(/<[^<>]*>/g, "|");
    for (const { label, meaning } of statuses.filter(({ othersSee }) => othersSee === undefined))
      expect(text).toMatch(new RegExp(`\\|${label}\\|[|\\s]*${meaning.slice(0, -1)}`));
  });
});

describe("the guides leave nothing out", () => {
  const roles = {
    sekretaer: "Admin",
    kirurg: "Surgeon",
    tandlaege: "Dentist",
    tandlaegesekretaer: "Secretary",
  } as const;

  test.each(Object.entries(roles))("%s: each page that may be opened has its section", (guide, role) => {
    const ids = sections.filter((section) => section.guide === guide).map(({ id }) => id);
    const open = tabs.filter(({ permission }) => can({ kind: "person", roles: [role] }, permission));
    expect(open.map(({ to }) => to.slice(to.lastIndexOf("/") + 1)).filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test("each page whose title has a '?' has its section", () => {
    const ids = new Set(ofPages.map(({ id }) => id));
    const withHead = [...code.values()].filter(
      ({ path: file, text }) => file.startsWith("app/routes/management.") && /<PageHead|<HelpLink/.test(text),
    );
    const pages = withHead.map(({ path: file }) => /management\.([a-z-]+)/.exec(file)![1]!);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((page) => !ids.has(page))).toEqual([]);
  });

  test.each(Object.keys(roles))("%s: five tasks as numbered steps, in at most 600 words", (guide) => {
    const { chapters } = helpGuides().find(({ id }) => id === guide)!;
    const own = chapters[0]!.sections;
    expect(own.filter(({ level, html }) => level === 3 && html.includes("<ol>"))).toHaveLength(5);
    const words = own.map(({ title, html }) => `${title} ${html.replace(/<[^<>]*>/g, " ")}`).join(" ");
    expect(words.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(600);
  });
});

test("the guide to data has a line for each retention rule, with its label and days", () => {
  const text = readFileSync(path.resolve("docs/da/data.md"), "utf8").toLowerCase();
  for (const { label, days } of Object.values(retention))
    expect(text).toContain(`\n| ${label.toLowerCase()} | ${days} |\n`);
});

test("each picture of a guide is there, and small", () => {
  const pictures = sections.flatMap(({ html }) => [...html.matchAll(/<img src="\/([^"]+)"/g)].map(([, file]) => file!));
  for (const picture of new Set(pictures))
    expect(readFileSync(path.resolve("public", picture)).length, picture).toBeLessThan(120 * 1024);
});

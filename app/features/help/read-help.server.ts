import { z } from "zod";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Marked, type Token, type Tokens } from "marked";
import type { Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import { can, type Role } from "~/access/permissions";
import { line } from "~/text/fields.server";
import { tabs } from "~/features/shell/tabs";
import { paths } from "~/paths";

const ownGuide = (person: Person): string => {
  if (can(person, "settings.setUp")) return "sekretaer";
  if (can(person, "site.staff")) return "kirurg";
  return can(person, "referral.seeClinic") ? "tandlaegesekretaer" : "tandlaege";
};

const plain = (html: string) => html.replace(/<[^<>]*>/g, " ").toLowerCase();

/** Help in the portal: the reader's own guide first; staff may open every guide, referrers their own alone. */
export const readHelp = read({
  name: "readHelp",
  permission: "signedIn",
  input: z.object({
    guide: z
      .string()
      .regex(/^[a-z]{1,30}$/)
      .catch(""),
    search: line.max(100).catch(""),
  }),
  async run({ person }, { guide, search }) {
    const own = ownGuide(person);
    const guides = helpGuides()
      .filter(({ id }) => id === own || can(person, "site.staff"))
      .sort((one, other) => Number(other.id === own) - Number(one.id === own));
    const shown = guides.find(({ id }) => id === guide) ?? guides[0]!;
    const words = search.toLowerCase().split(" ").filter(Boolean);
    const seen = new Set<string>();
    const isFound = ({ title, html }: HelpSection) => {
      const text = `${title.toLowerCase()} ${plain(html)}`;
      // Guides share chapters; a section is shown once.
      return !seen.has(html) && words.every((word) => text.includes(word)) && Boolean(seen.add(html));
    };
    const found = guides.flatMap(({ id, title, chapters }) =>
      chapters
        .flatMap(({ sections }) => sections)
        .filter((section) => words.length > 0 && section.html !== "" && isFound(section))
        .map((section) => ({ ...section, guide: id, guideTitle: title })),
    );
    return {
      search,
      guides: guides.map(({ id, title }) => ({ id, title })),
      shown: words.length > 0 ? null : shown,
      found,
    };
  },
});

interface HelpSection {
  id: string;
  title: string;
  level: 2 | 3;
  html: string;
}

interface Chapter {
  title: string;
  sections: HelpSection[];
}

interface Guide {
  id: string;
  title: string;
  chapters: Chapter[];
}

/** A role's guide begins with the chapter of its name; `side` are chapters of its side alone, without pages closed to the role. */
const roleGuides = [
  {
    id: "sekretaer",
    title: "Sekretær på klinikken",
    role: "Admin",
    side: ["Siderne på klinikken", "Ord på klinikken"],
  },
  { id: "kirurg", title: "Kirurg", role: "Surgeon", side: ["Siderne på klinikken", "Ord på klinikken"] },
  { id: "tandlaege", title: "Tandlæge", role: "Dentist", side: ["Siderne for henvisere"] },
  { id: "tandlaegesekretaer", title: "Tandlægesekretær", role: "Dentist Secretary", side: ["Siderne for henvisere"] },
] satisfies { id: string; title: string; role: Role; side: string[] }[];

const SHARED_CHAPTERS = ["Ord og statusser", "Genvejstaster", "Support"];

const documents = [
  { id: "administration", title: "Administration" },
  { id: "drift", title: "Drift" },
  { id: "data", title: "Data og opbevaring" },
  { id: "login", title: "Log ind med egne konti" },
] as const;

/** Pages by the heading of their section; a section's id is the last part of its page's address. */
const pages = new Map(tabs.map(({ label, to, permission }) => [label, { to, permission }]));
const importTab = tabs.find(({ alsoAt }) => alsoAt === paths.appointmentFiles)!;
pages.set("Import af patienttider", { to: paths.appointmentFiles, permission: importTab.permission });

/** `docs/da` lies beside the built server's folder, and two folders above this one in tests. */
const here = path.dirname(fileURLToPath(import.meta.url));
const folder = ["..", "../../.."].map((up) => path.join(here, up, "docs", "da")).find(existsSync);

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/æ/g, "ae")
    .replace(/ø/g, "oe")
    .replace(/å/g, "aa")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Addresses in a guide are relative to `docs/da`; other documents of the repository have no page here. */
function addressInPortal(href: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  if (href.startsWith("../../public/")) return href.slice("../../public".length);
  const [, id] = /^([a-z]+)\.md$/.exec(href) ?? [];
  return documents.some((document) => document.id === id) ? `${paths.help}?vis=${id}` : null;
}

const marked = new Marked({
  renderer: {
    link({ href, tokens }: Tokens.Link) {
      const address = addressInPortal(href);
      const text = this.parser.parseInline(tokens);
      return address === null ? text : `<a href="${address}">${text}</a>`;
    },
    image({ href, text }: Tokens.Image) {
      return `<img src="${addressInPortal(href) ?? href}" alt="${text}" loading="lazy">`;
    },
  },
});

function readChapters(file: string): Chapter[] {
  const chapters: Chapter[] = [];
  let title = "";
  let level: 2 | 3 = 2;
  let body: Token[] = [];
  const endSection = () => {
    if (title === "") return;
    const page = pages.get(title);
    const id = page ? page.to.slice(page.to.lastIndexOf("/") + 1) : slug(title);
    const section: HelpSection = { id, title, level, html: marked.parser(body) };
    if (level === 2) chapters.push({ title, sections: [section] });
    else chapters.at(-1)?.sections.push(section);
  };
  for (const token of marked.lexer(readFileSync(path.join(folder ?? "", file), "utf8"))) {
    const heading = token.type === "heading" ? (token as Tokens.Heading) : null;
    if (heading && heading.depth <= 3) {
      endSection();
      title = heading.depth === 1 ? "" : heading.text;
      level = heading.depth === 3 ? 3 : 2;
      body = [];
    } else body.push(token);
  }
  endSection();
  return chapters;
}

function readGuides(): Guide[] {
  const manual = readChapters("brugervejledning.md");
  const chapter = (title: string) => manual.filter((each) => each.title === title);
  const ofRole = ({ id, title, role, side }: (typeof roleGuides)[number]): Guide => {
    const mayOpen = (section: HelpSection) => {
      const page = pages.get(section.title);
      return page === undefined || can({ kind: "person", roles: [role] }, page.permission);
    };
    const shown = side.flatMap(chapter).map((each) => ({ ...each, sections: each.sections.filter(mayOpen) }));
    return { id, title, chapters: [...chapter(title), ...shown, ...SHARED_CHAPTERS.flatMap(chapter)] };
  };
  return [
    ...roleGuides.map(ofRole),
    ...documents.map((each) => ({ ...each, chapters: readChapters(`${each.id}.md`) })),
  ];
}

let cached: Guide[] | null = null;

/** All guides; read once, since they only change with a release. */
export const helpGuides = (): Guide[] => (cached ??= readGuides());

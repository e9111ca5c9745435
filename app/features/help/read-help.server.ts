import { z } from "zod";
import type { Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { line } from "~/text/fields.server";
import { helpGuides, type HelpSection } from "./guides.server";

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

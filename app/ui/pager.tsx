import { iconMarkup } from "./icon-markup";
import { markup } from "./markup";

export interface PagerProps {
  /** From 1. */
  page: number;
  pageCount: number;
  href: (page: number) => string;
  /** Names the list when a page has two pagers, such as 'Sider, nederst'. */
  label?: string;
}

/** Page links shown at once (specification 1, §9). */
const VISIBLE = 7;

function visiblePages(page: number, pageCount: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(VISIBLE / 2), pageCount - VISIBLE + 1));
  return Array.from({ length: Math.min(VISIBLE, pageCount) }, (_, index) => first + index);
}

/** Numbered page links with previous and next. Renders nothing for a single page. Plain links twice on a long list: a template (docs/decisions/0015). */
export function Pager({ page, pageCount, href, label = "Sider" }: PagerProps) {
  if (pageCount <= 1) return null;
  const step = (to: number, words: string, icon: "left" | "right") =>
    to < 1 || to > pageCount
      ? markup`<span aria-hidden="true">${iconMarkup(icon)}</span>`
      : markup`<a href="${href(to)}" rel="${icon === "left" ? "prev" : "next"}" aria-label="${words}">${iconMarkup(icon)}</a>`;
  const numbers = visiblePages(page, pageCount).map(
    (number) => markup`<a href="${href(number)}"${number === page && CURRENT} aria-label="Side ${number}">${number}</a>`,
  );
  const links = markup`${step(page - 1, "Forrige side", "left")}${numbers}${step(page + 1, "Næste side", "right")}`;
  return <nav className="pager" aria-label={label} dangerouslySetInnerHTML={{ __html: links.html }} />;
}

const CURRENT = markup` aria-current="page"`;

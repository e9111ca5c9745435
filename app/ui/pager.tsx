import { Icon } from "./icon";

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

/** Numbered page links with previous and next. Renders nothing for a single page. */
export function Pager({ page, pageCount, href, label = "Sider" }: PagerProps) {
  if (pageCount <= 1) return null;
  const step = (to: number, words: string, icon: "left" | "right") =>
    to < 1 || to > pageCount ? (
      <span aria-hidden="true">
        <Icon name={icon} />
      </span>
    ) : (
      <a href={href(to)} rel={icon === "left" ? "prev" : "next"} aria-label={words}>
        <Icon name={icon} />
      </a>
    );
  return (
    <nav className="pager" aria-label={label}>
      {step(page - 1, "Forrige side", "left")}
      {visiblePages(page, pageCount).map((number) => (
        <a key={number} href={href(number)} aria-current={number === page ? "page" : undefined} aria-label={`Side ${number}`}>
          {number}
        </a>
      ))}
      {step(page + 1, "Næste side", "right")}
    </nav>
  );
}

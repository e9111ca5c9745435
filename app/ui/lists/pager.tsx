import { Fragment } from "react";
import { Icon } from "~/ui/icons/icon";

export interface PagerProps {
  page: number;
  pageCount: number;
  href: (page: number) => string;
  label?: string;
}

const VISIBLE = 7;

function visiblePages(page: number, pageCount: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(VISIBLE / 2), pageCount - VISIBLE + 1));
  return Array.from({ length: Math.min(VISIBLE, pageCount) }, (_, index) => first + index);
}

export function Pager({ page, pageCount, href, label = "Sider" }: PagerProps) {
  if (pageCount <= 1) return null;
  return (
    <nav className="flex items-center max-w-[420px] table:max-w-none print:hidden" aria-label={label}>
      {page > 1 ? (
        <a className="page-no" href={href(page - 1)} rel="prev" aria-label="Forrige side">
          <Icon name="left" />
        </a>
      ) : (
        <span className="page-no text-control" aria-hidden="true">
          <Icon name="left" />
        </span>
      )}{" "}
      {visiblePages(page, pageCount).map((number) => (
        <Fragment key={number}>
          <a
            className="page-no"
            href={href(number)}
            aria-current={number === page ? "page" : undefined}
            aria-label={`Side ${number}`}
          >
            {number}
          </a>{" "}
        </Fragment>
      ))}
      {page < pageCount ? (
        <a className="page-no" href={href(page + 1)} rel="next" aria-label="Næste side">
          <Icon name="right" />
        </a>
      ) : (
        <span className="page-no text-control" aria-hidden="true">
          <Icon name="right" />
        </span>
      )}
    </nav>
  );
}

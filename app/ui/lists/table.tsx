import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";

export interface TableProps {
  caption: string;
  /** Rows become cards below 1160 px instead of 1024. */
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A table whose rows become cards on small screens by CSS. Give each `<td>` a `data-label` unless self-explanatory, and
 * the naming cell `className="c-first"`. Rows: `row-warn` (yellow), `row-on` (selected or open), `row-faded`.
 */
export function Table({ caption, wide, className, children }: TableProps) {
  return (
    <table className={classNames("data", wide && "data-wide", className)}>
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  );
}

export type SortDirection = "ascending" | "descending";

export interface SortHeadProps {
  label: string;
  to: string;
  direction?: SortDirection;
  className?: string;
}

export function SortHead({ label, to, direction, className }: SortHeadProps) {
  return (
    <th scope="col" aria-sort={direction} className={className}>
      <a href={to}>
        {label}
        {direction && <Icon name={direction === "ascending" ? "sort-up" : "sort-down"} size={16} className="ml-1" />}
      </a>
    </th>
  );
}

import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";

interface TableProps {
  caption: string;
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

type SortDirection = "ascending" | "descending";

interface SortHeadProps {
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

export interface PlainColumn<R> {
  label: string;
  isVerbatim?: true;
  cell(row: R): ReactNode;
}

interface PlainTableProps<R> {
  caption: string;
  columns: readonly PlainColumn<R>[];
  rows: readonly R[];
  wide?: boolean;
  keyOf(row: R): string | number;
}

export function PlainTable<R>({ caption, columns, rows, wide = false, keyOf }: PlainTableProps<R>) {
  return (
    <Table caption={caption} wide={wide}>
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ label, cell, isVerbatim }) => (
              <td key={label} data-label={label} translate={isVerbatim && "no"}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

import { Fragment, type ReactNode } from "react";
import { breaksLong, classNames } from "~/ui/layout/class-names";
import { SortHead, Table } from "~/ui/lists/table";
import { directionOf, type ListSort, sortByClick, type SortColumn, sortParam } from "./sort";

/** A column of a list's table: its head, its cell, and its words on a card. */
export interface Column<Row> {
  label: string;
  /** What it sorts by, where the list can be sorted by it. */
  sort?: SortColumn;
  /** Shown in the head instead of the label, which is then for screen readers alone. */
  head?: ReactNode;
  isLabelHidden?: true;
  /** The cell names its row. */
  isRowHeader?: true;
  /** Its value explains itself on a card, without the label. */
  isPlain?: true;
  /** Names or numbers, which browsers do not translate; the cell that names its row is one anyway. */
  isVerbatim?: true;
  className?: string;
  cell(row: Row): ReactNode;
}

/** A text whose words may be longer than its column. */
const breakable = (content: ReactNode) => {
  const className = typeof content === "string" ? breaksLong(content) : undefined;
  return className ? <span className={className}>{content}</span> : content;
};

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  sort: ListSort;
  /** The address of the list in another order. */
  sortTo(sort: string): string;
  rowClass?(row: Row): string | undefined;
  /** What stands open under one of the rows, over all columns; `isRow`: in the row's place. */
  open?: { id: number | null; content: ReactNode; isRow?: true };
  /** Rows become cards under 1160 px instead of 1024. */
  wide?: boolean;
  className?: string;
}

/** The table of a list, its heads sort; on small screens its rows are cards, and the order is chosen in a list (`SortSelect`). */
export function DataTable<Row extends { id: number }>({
  caption,
  columns,
  rows,
  sort,
  sortTo,
  rowClass,
  open,
  wide,
  className,
}: DataTableProps<Row>) {
  // What a cell does not have is not named: a page draws some 240 of them.
  const cells = columns.map(({ className: cellClass, isRowHeader, isPlain, isLabelHidden, isVerbatim, label }) => ({
    ...(cellClass && { className: cellClass }),
    ...(isRowHeader && { role: "rowheader" }),
    ...((isRowHeader || isVerbatim) && { translate: "no" as const }),
    ...(!isRowHeader && !isPlain && !isLabelHidden && { "data-label": label }),
  }));
  return (
    <Table caption={caption} wide={wide ?? false} {...(className ? { className } : {})}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.label} column={column} sort={sort} sortTo={sortTo} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            {!(row.id === open?.id && open.isRow) && (
              <tr id={`r${row.id}`} className={rowClass?.(row)}>
                {columns.map((column, index) => (
                  <td key={column.label} {...cells[index]}>
                    {breakable(column.cell(row))}
                  </td>
                ))}
              </tr>
            )}
            {row.id === open?.id && (
              <tr
                id={open.isRow && `r${row.id}`}
                className={classNames("open-referral", open.isRow && rowClass?.(row))}
              >
                <td colSpan={columns.length}>{open.content}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

function Head<Row>({
  column: { label, sort: by, head, isLabelHidden },
  sort,
  sortTo,
}: {
  column: Column<Row>;
  sort: ListSort;
  sortTo(sort: string): string;
}) {
  if (by)
    return (
      <SortHead label={label} to={sortTo(sortParam(sortByClick(sort, by)))} direction={directionOf(sort, by.key)} />
    );
  return <th scope="col">{head ?? (isLabelHidden ? <span className="sr-only">{label}</span> : label)}</th>;
}

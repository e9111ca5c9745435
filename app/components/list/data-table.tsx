import { Fragment, type ReactNode } from "react";
import { breaksLong, classNames } from "~/ui/layout/class-names";
import { SortHead, Table } from "~/ui/lists/plain-table";
import { directionOf, type ListSort, sortByClick, type SortColumn, sortParam } from "~/lists/list";

export interface Column<Row> {
  label: string;
  sort?: SortColumn;
  /** Shown instead of the label, which stays for screen readers. */
  head?: ReactNode;
  isLabelHidden?: true;
  isRowHeader?: true;
  isPlain?: true;
  isNumber?: true;
  /** Names or numbers, marked not to be translated; row headers always are. */
  isVerbatim?: true;
  className?: string;
  cell(row: Row): ReactNode;
}

/** Text with words longer than the column. */
const breakable = (content: ReactNode) => {
  const className = typeof content === "string" ? breaksLong(content) : undefined;
  return className ? <span className={className}>{content}</span> : content;
};

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  sort: ListSort;
  sortTo(sort: string): string;
  rowClass?(row: Row): string | undefined;
  /** A line below a row over all columns, e.g. a question about the row; not below the open row. */
  below?: ((row: Row) => ReactNode) | undefined;
  /** Content below the open row over all columns; `isRow` replaces the row. */
  open?: { id: number | null; content: ReactNode; isRow?: true };
  wide?: boolean;
  className?: string;
}

/** A list's table with sortable heads; on small screens rows are cards and `SortSelect` sorts. */
export function DataTable<Row extends { id: number }>({
  caption,
  columns,
  rows,
  sort,
  sortTo,
  rowClass,
  below,
  open,
  wide,
  className,
}: DataTableProps<Row>) {
  // Omit undefined attributes: about 240 cells are rendered per page.
  const cells = columns.map(({ isRowHeader, isPlain, isLabelHidden, isVerbatim, label, ...column }) => ({
    ...(classOf(column) && { className: classOf(column) }),
    ...(isRowHeader && { role: "rowheader" }),
    ...((isRowHeader || isVerbatim) && { translate: "no" as const }),
    ...(!isRowHeader && !isPlain && !isLabelHidden && { "data-label": label }),
  }));
  return (
    <Table caption={caption} wide={wide ?? false} className={className}>
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
            {row.id !== open?.id && <Below columnCount={columns.length}>{below?.(row)}</Below>}
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

const Below = ({ columnCount, children }: { columnCount: number; children: ReactNode }) =>
  children ? (
    <tr className="row-below">
      <td colSpan={columnCount}>{children}</td>
    </tr>
  ) : null;

const classOf = ({ className, isNumber }: Pick<Column<never>, "className" | "isNumber">) =>
  classNames(className, isNumber && "num") || undefined;

function Head<Row>({
  column: { label, sort: by, head, isLabelHidden, ...column },
  sort,
  sortTo,
}: {
  column: Column<Row>;
  sort: ListSort;
  sortTo(sort: string): string;
}) {
  if (by)
    return (
      <SortHead
        label={label}
        to={sortTo(sortParam(sortByClick(sort, by)))}
        direction={directionOf(sort, by.key)}
        className={classOf(column)}
      />
    );
  return (
    <th scope="col" className={classOf(column)}>
      {head ?? (isLabelHidden ? <span className="sr-only">{label}</span> : label)}
    </th>
  );
}

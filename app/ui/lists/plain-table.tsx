import type { ReactNode } from "react";
import { Table } from "./table";

export interface PlainColumn<R> {
  label: string;
  /** Names or numbers, not to be translated. */
  isVerbatim?: true;
  cell(row: R): ReactNode;
}

export interface PlainTableProps<R> {
  caption: string;
  columns: readonly PlainColumn<R>[];
  rows: readonly R[];
  /** Rows become cards below 1160 px instead of 1024. */
  wide?: boolean;
  keyOf(row: R): string | number;
}

/** A read-only list whose cells have labels when rows become cards. */
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

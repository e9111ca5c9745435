import type { Column } from "~/components/list/data-table";
import type { SortColumn } from "~/lists/list";
import { Tag } from "~/ui/lists/chip";

export const numberColumn = <Row extends { id: number; ediId: string | null }>(sort: SortColumn): Column<Row> => ({
  label: sort.label,
  isVerbatim: true,
  sort,
  isPlain: true,
  isNumber: true,
  className: "c-no whitespace-nowrap",
  cell: ({ id, ediId }) => (
    <span>
      {ediId !== null && <Tag title={`EDI id ${ediId}`}>EDI</Tag>} {id}
    </span>
  ),
});

export const cprColumn = <Row extends { cpr: string }>(sort: SortColumn): Column<Row> => ({
  label: sort.label,
  isVerbatim: true,
  sort,
  className: "whitespace-nowrap",
  isPlain: true,
  cell: ({ cpr }) => cpr,
});

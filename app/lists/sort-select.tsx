import { Form } from "@remix-run/react";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { type ListSort, type SortColumn, sortParam } from "./sort";

/** Order select shown when rows are cards (`wide` as for the table); works without JavaScript. */
export function SortSelect({
  columns,
  sort,
  action,
  f,
  wide,
}: {
  columns: readonly SortColumn[];
  sort: ListSort;
  action: string;
  f: string | null;
  wide?: boolean;
}) {
  const choices = columns.flatMap(({ key, label, inWords, isOneWay }) => [
    { value: sortParam({ key, ascending: true }), label: inWords ?? `${label}, stigende` },
    ...(isOneWay ? [] : [{ value: sortParam({ key, ascending: false }), label: `${label}, faldende` }]),
  ]);
  return (
    <Form
      action={action}
      className={`flex items-center w-full max-w-[420px] my-1 ${wide ? "desk:hidden" : "table:hidden"}`}
    >
      {f && <input type="hidden" name="f" value={f} />}
      <SelectField
        key={sortParam(sort)}
        name="sort"
        label="Sortér efter"
        labelHidden
        id="sort-select"
        choices={choices}
        defaultValue={sortParam(sort)}
        className="flex-auto min-w-0 mr-2"
      />
      <Button>Sortér</Button>
    </Form>
  );
}

import type { FormField } from "~/ui/forms/field";
import { Options } from "~/ui/forms/select-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { TYPED } from "~/features/merging/merge-form";
import { gridOf, resultCell } from "./grid";
import { type Chosen, type MergeColumn, type MergeRow, shown, valueOf } from "./merge-values";

interface ChoiceRowProps {
  row: MergeRow;
  columns: MergeColumn[];
  field: FormField;
  chosen: Chosen;
  onChange(chosen: Chosen): void;
}

/**
 * A field of the merge: a radio per column and a result that may be typed. Without JavaScript typed text wins over the
 * radios; 'Andet' with no text empties the value.
 */
export function ChoiceRow({ row, columns, field, chosen, onChange }: ChoiceRowProps) {
  const hydrated = useHydrated();
  // With equal values only the first column is marked.
  const marked = row.values.indexOf(chosen.value);
  const result = {
    id: field.id,
    name: `${row.name}Typed`,
    className: "input",
    "aria-label": `${row.label}, resultat`,
    "aria-invalid": field.errors ? true : undefined,
    "aria-describedby": field.errors ? `${field.id}-error` : undefined,
    value: hydrated ? valueOf(chosen) : chosen.typed,
    onChange: (event: { target: { value: string } }) => onChange({ value: TYPED, typed: event.target.value }),
  };
  return (
    <div className={gridOf(columns)} role="group" aria-label={row.label}>
      <div className="px-4 pt-2 table:py-2 table:self-center font-semibold table:font-normal table:text-ink2">
        {row.label}
      </div>
      {columns.map((column, index) => (
        <label key={column.id} className="check px-4 table:self-center">
          <input
            type="radio"
            className="box"
            name={row.name}
            value={row.values[index]}
            checked={index === marked}
            onChange={() => onChange({ value: row.values[index]!, typed: "" })}
          />
          <span className={index === marked ? "font-semibold break-anywhere" : "text-ink2 break-anywhere"}>
            {shown(row, row.values[index]!)}
            {row.values[index] !== column.knownAs && <span className="meta table:sr-only"> · {column.knownAs}</span>}
          </span>
        </label>
      ))}
      <div className={resultCell}>
        {field.errors && (
          <p className="field-error flex mb-1 text-err text-meta font-semibold" id={`${field.id}-error`}>
            <InlineIcon name="alert" size={16} className="mt-0.5 mr-1.5" />
            <span>{field.errors.join(" ")}</span>
          </p>
        )}
        {(hydrated || !row.choices) && (
          <label className={hydrated ? "sr-only" : "check"}>
            <input
              type="radio"
              className="box"
              name={row.name}
              value={TYPED}
              checked={chosen.value === TYPED}
              tabIndex={hydrated ? -1 : undefined}
              onChange={() => onChange({ value: TYPED, typed: valueOf(chosen) })}
            />
            <span>Andet</span>
          </label>
        )}
        {row.choices ? (
          <select {...result}>
            <Options choices={row.choices} empty={hydrated ? undefined : "Som valgt"} />
          </select>
        ) : (
          <input {...result} type="text" inputMode={row.inputMode} autoComplete="off" />
        )}
      </div>
    </div>
  );
}

interface KeepRowProps {
  label: string;
  columns: MergeColumn[];
  keepId: number;
  onKeep(id: number): void;
}

/** Chooses the row that is kept; its identifying values cannot be typed. */
export function KeepRow({ label, columns, keepId, onKeep }: KeepRowProps) {
  return (
    <div className={gridOf(columns)} role="group" aria-label={label}>
      <div className="px-4 pt-2 table:py-2 table:self-center font-semibold table:font-normal table:text-ink2">
        {label}
      </div>
      {columns.map((column) => (
        <label key={column.id} className="check px-4 table:self-center">
          <input
            type="radio"
            className="box"
            name="keepId"
            value={column.id}
            checked={column.id === keepId}
            onChange={() => onKeep(column.id)}
          />
          <span className={column.id === keepId ? "font-semibold break-anywhere" : "text-ink2 break-anywhere"}>
            {column.knownAs}
          </span>
        </label>
      ))}
      <div className={resultCell}>
        {columns.find(({ id }) => id === keepId)?.knownAs} <span className="meta">kan ikke ændres</span>
      </div>
    </div>
  );
}

import { Link } from "@remix-run/react";
import { type ComponentType, type ReactNode, useState } from "react";
import { type FormField, NOT_RESTORED } from "~/ui/forms/field";
import { Options } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { TYPED } from "~/features/merging/merge-words";
import {
  type Chosen,
  columnChoice,
  firstChoice,
  isEqual,
  type MergeColumn,
  type MergeRow,
  sentChoice,
  shown,
  valueOf,
} from "./merge-values";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { useOpenedWith } from "~/http/forms/use-action-result";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Icon } from "~/ui/icons/icon";

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
function ChoiceRow({ row, columns, field, chosen, onChange }: ChoiceRowProps) {
  const hydrated = useHydrated();
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
            {...NOT_RESTORED}
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
              {...NOT_RESTORED}
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
          <select {...NOT_RESTORED} {...result}>
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

function KeepRow({ label, columns, keepId, onKeep }: KeepRowProps) {
  return (
    <div className={gridOf(columns)} role="group" aria-label={label}>
      <div className="px-4 pt-2 table:py-2 table:self-center font-semibold table:font-normal table:text-ink2">
        {label}
      </div>
      {columns.map((column) => (
        <label key={column.id} className="check px-4 table:self-center">
          <input
            {...NOT_RESTORED}
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

function MovingCounts({ column: { knownAs, moving } }: { column: MergeColumn }) {
  return (
    <div className="mb-4">
      <h3 className="mb-2 break-anywhere">Det flyttes fra {knownAs}</h3>
      <ul className="flex flex-wrap -mx-3">
        {moving.map(({ count, what }) => (
          <li key={what} className="mx-3 mb-1">
            <b className="block text-[18px] leading-6">{count}</b>
            <span className="meta">{what}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PanelHeadProps extends Pick<MergePanelProps, "columns" | "resultTitle" | "without" | "allOfTo"> {
  keep: MergeColumn;
  chooseAll: ((index: number) => void) | undefined;
}

function PanelHead({ columns, resultTitle, without, allOfTo, keep, chooseAll }: PanelHeadProps) {
  return (
    <div className={gridOf(columns)}>
      <span className="hidden table:block" />
      {columns.map((column, index) => (
        <div key={column.id} className="px-4 py-3">
          <b className="block break-anywhere">{column.name}</b>
          <span className="meta block">{column.note}</span>
          <div className="row mt-1">
            {chooseAll ? (
              <Button type="button" size="small" onClick={() => chooseAll(index)}>
                Klik alle af<span className="sr-only"> hos {column.knownAs}</span>
              </Button>
            ) : (
              <ButtonLink to={allOfTo(column.id)} size="small">
                Klik alle af<span className="sr-only"> hos {column.knownAs}</span>
              </ButtonLink>
            )}
            <Link
              to={without(column.id)}
              preventScrollReset
              data-discards
              className="inline-flex items-center min-h-11"
            >
              Fjern<span className="sr-only"> {column.knownAs}</span>
            </Link>
          </div>
        </div>
      ))}
      <div className={resultCell}>
        <b className="block">{resultTitle}</b>
        <span className="meta">Beholdes som {keep.knownAs}</span>
      </div>
    </div>
  );
}

interface MergePanelProps {
  intent: "mergeUsers" | "mergeClinics";
  title: string;
  resultTitle: string;
  columns: MergeColumn[];
  rows: MergeRow[];
  keepLabel: string;
  allOf: number | null;
  information?: ReactNode;
  Warning: ComponentType<{ keep: MergeColumn; others: MergeColumn[] }>;
  footnote?: string;
  closeTo: string;
  without(id: number): string;
  allOfTo(id: number): string;
}

export function MergePanel(props: MergePanelProps) {
  const { intent, title, columns, rows, closeTo, Warning } = props;
  const allOf = columns.findIndex(({ id }) => id === props.allOf);
  const first = Math.max(0, allOf);
  const choose = allOf === -1 ? firstChoice : columnChoice;
  const { form, fields, summary } = useServerForm<Record<string, string>>(intent, {
    labels: Object.fromEntries(rows.map(({ name, label }) => [name, label])),
    defaultValue: { keepId: String(columns[first]!.id) },
  });
  const picks = useOpenedWith(
    intent,
    columns.map(({ id, version }) => `${id}:${version}`),
  );
  const [keepId, setKeepId] = useState(Number(fields.keepId?.initialValue));
  const [chosen, setChosen] = useState<Record<string, Chosen>>(() =>
    Object.fromEntries(
      rows.map((row) => {
        const [value, typed] = [fields[row.name]?.initialValue, fields[`${row.name}Typed`]?.initialValue];
        const isNew = form.initialValue?.[row.name] === undefined && form.initialValue?.pick === undefined;
        return [row.name, isNew ? choose(row, first) : sentChoice(value, typed)];
      }),
    ),
  );
  const hydrated = useHydrated();
  const keep = columns.find(({ id }) => id === keepId) ?? columns[0]!;
  const others = columns.filter((column) => column !== keep);
  const chooseAll = (index: number) => {
    setKeepId(columns[index]!.id);
    setChosen(Object.fromEntries(rows.map((row) => [row.name, columnChoice(row, index)])));
  };
  const choiceRow = (row: MergeRow) => (
    <ChoiceRow
      key={row.name}
      row={row}
      columns={columns}
      field={fields[row.name]!}
      chosen={chosen[row.name]!}
      onChange={(next) => setChosen({ ...chosen, [row.name]: next })}
    />
  );
  const [same, different] = [rows.filter(isEqual), rows.filter((row) => !isEqual(row))];
  const hasErrorBelow = same.some(({ name }) => fields[name]?.errors);
  const Title = hydrated ? "h2" : "h1";
  return (
    <section aria-labelledby="fusioner" className="mb-4 border border-line rounded-card bg-surface">
      <div className="flex items-start justify-between p-4 border-b border-line">
        <div>
          <Title id="fusioner" className="text-[18px] leading-6">
            {title}
          </Title>
          <span className="meta">Vælg den værdi, der skal gælde, eller skriv en ny i resultatet.</span>
        </div>
        <ButtonLink to={closeTo} variant="plain" fit="icon" preventScrollReset data-discards>
          <Icon name="close" />
          <span className="sr-only">Luk</span>
        </ButtonLink>
      </div>
      <ActionForm operation={intent} enter="nothing" preventScrollReset of={form}>
        {picks.map((pick) => (
          <input key={pick} type="hidden" name="pick" value={pick} />
        ))}
        <div className="px-4 [&>*]:my-4">
          <ErrorSummary {...summary("Intet er fusioneret.")} />
        </div>
        <PanelHead {...props} keep={keep} chooseAll={hydrated ? chooseAll : undefined} />
        <h3 className="px-4 py-2 text-meta border-b border-line">Forskellige ({different.length + 1})</h3>
        <KeepRow label={props.keepLabel} columns={columns} keepId={keepId} onKeep={setKeepId} />
        {different.map(choiceRow)}
        {same.length > 0 && (
          <details className="border-b border-line" open={hasErrorBelow || undefined}>
            <summary className="flex items-center min-h-11 px-4 py-2 no-marker">
              <Icon name="right" className="mr-2 text-primary-ink [[open]>summary>&]:[transform:rotate(90deg)]" />
              <b className="flex-none mr-3">Ens ({same.length})</b>
              <span className="meta min-w-0 break-anywhere">
                {same.map((row) => `${row.label} ${shown(row, valueOf(chosen[row.name]!))}`).join(" · ")}
              </span>
            </summary>
            <div className="border-t border-line">{same.map(choiceRow)}</div>
          </details>
        )}
        {props.information}
        <div className="p-4 table:grid table:grid-cols-2 table:grid-gap-6">
          <div>
            {others.map((column) => (
              <MovingCounts key={column.id} column={column} />
            ))}
          </div>
          <div>
            <Notice kind="warn">
              <Warning keep={keep} others={others} />
            </Notice>
          </div>
        </div>
        <div className="p-4 bg-raised border-t border-line rounded-b-card">
          <Checkbox
            field={fields.confirmed!}
            label={`Ja, ${columns.map(({ knownAs }) => knownAs).join(" og ")} skal samles.`}
            aria-invalid={fields.confirmed?.errors ? true : undefined}
          />
          <div className="row mt-2">
            <IntentButton value={intent} variant="primary">
              Gem fusioneringen
            </IntentButton>
            <ButtonLink to={closeTo} variant="plain" preventScrollReset data-discards>
              Annuller
            </ButtonLink>
            {props.footnote && <span className="push meta">{props.footnote}</span>}
          </div>
        </div>
      </ActionForm>
    </section>
  );
}

const grids: Readonly<Record<number, string>> = {
  1: "table:grid-cols-[132px_repeat(2,minmax(0,1fr))]",
  2: "table:grid-cols-[132px_repeat(3,minmax(0,1fr))]",
  3: "table:grid-cols-[132px_repeat(4,minmax(0,1fr))]",
  4: "table:grid-cols-[132px_repeat(5,minmax(0,1fr))]",
  5: "table:grid-cols-[132px_repeat(6,minmax(0,1fr))]",
  6: "table:grid-cols-[132px_repeat(7,minmax(0,1fr))]",
};

export const gridOf = (columns: readonly unknown[]) => `table:grid ${grids[columns.length]} border-b border-line`;

export const resultCell = "px-4 py-2 table:border-l table:border-line table:bg-raised";

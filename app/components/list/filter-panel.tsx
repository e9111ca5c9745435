import { getFormProps } from "@conform-to/react";
import { Form, Link, useLocation, useNavigation, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { can, type Role } from "~/access/permissions";
import { useServerForm } from "~/http/forms/action-form";
import { Button, DefaultIntent } from "~/ui/forms/button";
import { ChoicePicker } from "~/ui/forms/choice-picker";
import { Checkbox, CheckboxGroup } from "~/ui/forms/choices";
import { CprField } from "~/ui/forms/cpr-field";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import type { FormField } from "~/ui/forms/field";
import { type Choice, SelectField, TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { Disclosure, popBody } from "~/ui/layout/disclosure";
import { FilterChip } from "~/ui/lists/chip";
import { type FilterDefinition, filterEntries } from "~/lists/filters";
import type { ListView } from "~/lists/list";
import { classNames } from "~/ui/layout/class-names";

export interface FilterState {
  f: string | null;
  sort: string;
  fields: Record<string, string>;
  active: { key: string; text: string; without: string }[];
}

interface FilterPanelProps {
  list: FilterState;
  view: Pick<ListView, "filterName" | "filters">;
  action: string;
  choices: FilterChoices;
  showsMore: boolean;
  more?: ReactNode;
  isFolded?: boolean;
}

/**
 * The filter panel: main fields in one line, others folded. Folds to one line on phones and
 * above an open row.
 */
export function FilterPanel(props: FilterPanelProps) {
  return <FilterForm key={props.list.f ?? ""} {...props} />;
}

function FilterForm({
  list,
  view: { filterName: intent, filters: definitions },
  action,
  choices,
  showsMore,
  more,
  isFolded = false,
}: FilterPanelProps) {
  const { active } = list;
  const { pathname } = useLocation();
  const isLoading = useNavigation().location?.pathname === pathname;
  const { form, fields, fieldErrors, summary } = useServerForm<Record<string, any>>(intent, {
    defaultValue: { ...list.fields, statuses: choices.tickedStatuses?.map(String) },
    firstInput: { cpr: "filter-cpr-6" },
    guarded: "question",
  });
  const roles = useRouteLoaderData<{ roles: Role[] }>("routes/management")?.roles ?? [];
  const isSeen = ({ control, permission }: FilterDefinition) =>
    control !== "link" && (!permission || can({ kind: "person", roles }, permission));
  const seen = filterEntries(definitions).filter(([, definition]) => isSeen(definition));
  const field = ([key, definition]: (typeof seen)[number]) => (
    <FilterField key={key} name={key} definition={definition} fields={fields} choices={choices} />
  );
  const rest = seen.filter(([, { isFirst }]) => !isFirst);
  return (
    <CollapsibleFilter active={active.map((chip) => chip.text)} isFolded={isFolded} hasError={fieldErrors.length > 0}>
      <Form method="post" action={action} {...getFormProps(form)} className="panel-body compact">
        <DefaultIntent value={intent} />
        <ErrorSummary {...summary("Der kunne ikke søges.")} />
        <input type="hidden" name="formId" value={intent} />
        <input type="hidden" name="sort" value={list.sort} />
        <div className="fields-row desk:flex-nowrap">
          {seen.filter(([, { isFirst }]) => isFirst).map(field)}
          <Button
            value={intent}
            variant="primary"
            icon="search"
            size="compact"
            state={isLoading ? "working" : "ready"}
            aria-disabled={isLoading || undefined}
            onClick={(event) => isLoading && event.preventDefault()}
            className="phone:flex-auto"
          >
            Søg
          </Button>
          {/* After 'Søg', which Enter in a field presses. */}
          {rest.length > 0 && !showsMore && more}
        </div>
        {rest.length > 0 && showsMore && (
          <More
            fields={rest.filter(([, { control }]) => control !== "box").map(field)}
            boxes={rest.filter(([, { control }]) => control === "box").map(field)}
          />
        )}
      </Form>
    </CollapsibleFilter>
  );
}

interface ActiveFiltersProps {
  active: FilterState["active"];
  resetTo: string;
  chipTo(without: string): string;
  /** Always shows 'Reset filtre', for lists with a default filter. */
  alwaysResets?: boolean;
}

export function ActiveFilters({ active, resetTo, chipTo, alwaysResets = false }: ActiveFiltersProps) {
  if (active.length === 0 && !alwaysResets) return null;
  return (
    <>
      <div className="row active-filters print:hidden" role="group" aria-label="Aktive filtre">
        {active.map((chip) => (
          <FilterChip key={chip.key} label={chip.text} to={chipTo(chip.without)} />
        ))}
        <Link to={resetTo} className="inline-flex items-center min-h-11 table:min-h-6">
          Reset filtre
        </Link>
      </div>
      {active.length > 0 && <span className="print-only">{active.map(({ text }) => text).join(" · ")}</span>}
    </>
  );
}

function More({ fields, boxes }: { fields: ReactNode; boxes: ReactNode }) {
  return (
    <Disclosure title="Flere filtre" open quiet className="mt-1">
      <div className="fields-row items-start">{fields}</div>
      <div className="row [&>.check]:mr-5">{boxes}</div>
    </Disclosure>
  );
}

type FilterFields = Record<string, FormField>;

export interface FilterChoices {
  clinics?: Choice[];
  surgeons?: Choice[];
  /** Absent if too many; `renderReferrerSearch` is shown instead. */
  referrers?: Choice[] | null;
  renderReferrerSearch?: (fields: FilterFields) => ReactNode;
  statuses?: Choice[];
  tickedStatuses?: number[];
}

interface FilterFieldProps {
  name: string;
  definition: FilterDefinition;
  fields: FilterFields;
  choices: FilterChoices;
}

function FilterField({
  name,
  definition: { label, hint, control, choices: among = [], isTyped },
  fields,
  choices,
}: FilterFieldProps) {
  const field = fields[name]!;
  const select = (options: readonly Choice[]) => (
    <SelectField field={field} label={label} empty="Alle" choices={options} className="min-w-0 flex-[1_1_200px]" />
  );
  switch (control) {
    case "text":
      return (
        <TextField field={field} label={label} hint={hint} className="min-w-0 flex-[1_1_200px]" autoComplete="off" />
      );
    case "number":
      return <TextField field={field} label={label} width={6} inputMode="numeric" />;
    case "date":
      return <DateField field={field} label={label} className="min-w-[144px]" />;
    case "cpr":
      return (
        <CprField
          id="filter-cpr"
          label={label}
          fields={{ six: fields.cpr6!, four: fields.cpr4! }}
          error={field.errors}
        />
      );
    case "choice":
      return select(among);
    case "clinic":
      return isTyped ? (
        <ChoicePicker
          field={field}
          label={label}
          empty="Alle"
          choices={choices.clinics ?? []}
          className="min-w-0 flex-[1_1_200px]"
        />
      ) : (
        select(choices.clinics ?? [])
      );
    case "surgeon":
      return select(choices.surgeons ?? []);
    case "referrer":
      return choices.referrers ? select(choices.referrers) : choices.renderReferrerSearch?.(fields);
    case "box":
      return <Checkbox field={field} label={label} className="whitespace-nowrap" />;
    case "statuses":
      return <Statuses field={field} label={label} statuses={choices.statuses ?? []} />;
    default:
      return null;
  }
}

function Statuses({ field, label, statuses }: { field: FormField; label: string; statuses: Choice[] }) {
  // Conform recomputes it at each access.
  const { defaultOptions = [] } = field;
  const ticked = statuses.filter(({ value }) => defaultOptions.includes(String(value)));
  return (
    <div className="field !flex-none">
      <span className="label" aria-hidden="true">
        {label}
      </span>{" "}
      <details className="pop status-pop relative inline-block">
        <summary className="input no-marker flex items-center min-w-[168px] !h-auto min-h-12 table:min-h-9 px-2.5 cursor-pointer">
          <span>
            <span className="sr-only">{label}: </span>
            {ticked.length} af {statuses.length} valgt
          </span>
          <Icon name="down" size={18} className="push" />
        </summary>
        <div
          className={`${popBody} phone:left-0 phone:right-auto w-[400px] max-w-[calc(100vw-64px)] max-h-[70vh] overflow-auto [&_.choices]:grid-cols-1`}
        >
          <CheckboxGroup field={field} label={label} labelHidden selectAll choices={statuses} />
        </div>
      </details>
    </div>
  );
}

interface CollapsibleFilterProps {
  active: readonly string[];
  isFolded?: boolean;
  hasError?: boolean;
  children: ReactNode;
}

/**
 * A list's filter. On narrow screens, and above an open row, it folds to a line of active filters. The fold is before
 * the form, so that wide screens show the form and narrow ones fold it without JavaScript (kit/lists.css). Give it the
 * filter as `key`, so that a new one folds again.
 */
function CollapsibleFilter({ active, isFolded = false, hasError = false, children }: CollapsibleFilterProps) {
  return (
    <div className={classNames("panel filter [&>form]:pt-1 print:hidden", isFolded ? "folded" : "desk:[&>form]:pt-2")}>
      <h2 className="sr-only">Filtre</h2>
      <details className={isFolded ? undefined : "desk:hidden"} open={hasError}>
        <summary className="flex items-center min-h-12 table:min-h-10 px-4 no-marker [&>*+*]:ml-2">
          <Icon name="filter" />
          <b>Filtre</b> <span className="meta truncate">{active.join(" · ") || "Standard"}</span>
          <Icon name="down" className="push [[open]>summary>&]:[transform:rotate(180deg)]" />
        </summary>
      </details>
      {children}
    </div>
  );
}

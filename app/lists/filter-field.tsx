import type { ReactNode } from "react";
import { ChoicePicker } from "~/ui/forms/choice-picker";
import { Checkbox, CheckboxGroup } from "~/ui/forms/choices";
import { CprField } from "~/ui/forms/cpr-field";
import { DateField } from "~/ui/forms/date-field";
import { popBody } from "~/ui/layout/disclosure";
import { Icon } from "~/ui/icons/icon";
import { type Choice, SelectField } from "~/ui/forms/select-field";
import { TextField } from "~/ui/forms/text-field";
import type { FormField } from "~/ui/forms/field";
import type { FilterDefinition } from "./filters";

export type FilterFields = Record<string, FormField>;

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

/** A filter's form field by its definition. */
export function FilterField({
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
      return <DateField field={field} label={label} />;
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
          className={`${popBody} w-[320px] max-w-[calc(100vw-64px)] max-h-[70vh] overflow-auto [&_.choices]:grid-cols-1`}
        >
          <CheckboxGroup field={field} label={label} labelHidden selectAll choices={statuses} />
        </div>
      </details>
    </div>
  );
}

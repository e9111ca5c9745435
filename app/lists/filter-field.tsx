import type { ReactNode } from "react";
import type { usePortalForm } from "~/http/forms/use-portal-form";
import { Checkbox, CheckboxGroup } from "~/ui/forms/choices";
import { CprField } from "~/ui/forms/cpr-field";
import { DateField } from "~/ui/forms/date-field";
import { Icon } from "~/ui/icons/icon";
import { type Choice, SelectField } from "~/ui/forms/select-field";
import { TextField } from "~/ui/forms/text-field";
import type { FilterDefinition } from "./filters";

/** What the panel's lists offer, and what of the statuses is ticked. */
export interface FilterChoices {
  clinics?: Choice[];
  surgeons?: Choice[];
  /** Left out where they are too many for a list: `referrerSearch` stands instead. */
  referrers?: Choice[] | null;
  referrerSearch?: ReactNode;
  statuses?: Choice[];
  tickedStatuses?: number[];
}

interface FilterFieldProps {
  name: string;
  definition: FilterDefinition;
  form: ReturnType<typeof usePortalForm<Record<string, string | undefined>>>;
  /** What is filtered by: what was typed wins over it. */
  fields: Record<string, string>;
  choices: FilterChoices;
}

/** One filter as its definition says. */
export function FilterField({
  name,
  definition: { label, hint, control },
  form: { field, isTicked },
  fields,
  choices,
}: FilterFieldProps) {
  const select = (options: Choice[]) => (
    <SelectField {...field(name)} label={label} empty="Alle" choices={options} className="grow" />
  );
  switch (control) {
    case "text":
      return <TextField {...field(name)} label={label} hint={hint} className="grow" autoComplete="off" />;
    case "number":
      return <TextField {...field(name)} label={label} width={6} inputMode="numeric" />;
    case "date":
      return <DateField {...field(name)} label={label} />;
    case "cpr":
      return (
        <CprField
          id="filter-cpr"
          defaultValue6={field("cpr6").defaultValue}
          defaultValue4={field("cpr4").defaultValue}
          error={field(name).error}
        />
      );
    case "clinic":
      return select(choices.clinics ?? []);
    case "surgeon":
      return select(choices.surgeons ?? []);
    case "referrer":
      return choices.referrers ? select(choices.referrers) : choices.referrerSearch;
    case "box":
      return (
        <Checkbox name={name} value="on" label={label} defaultChecked={isTicked(name, "on", fields[name] === "on")} />
      );
    case "statuses":
      return <Statuses name={name} label={label} choices={choices} isTicked={isTicked} />;
    default:
      return null;
  }
}

function Statuses({
  name,
  label,
  choices: { statuses = [], tickedStatuses = [] },
  isTicked,
}: {
  name: string;
  label: string;
  choices: FilterChoices;
  isTicked: FilterFieldProps["form"]["isTicked"];
}) {
  const ticked = statuses
    .map(({ value }) => Number(value))
    .filter((value) => isTicked(name, value, tickedStatuses.includes(value)));
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {label}
      </span>{" "}
      <details className="pop status-pop">
        <summary className="input">
          <span>
            <span className="vh">{label}: </span>
            {ticked.length} af {statuses.length} valgt
          </span>
          <Icon name="down" size={18} className="push" />
        </summary>
        <div className="pop-body">
          <CheckboxGroup name={name} label={label} labelHidden selectAll defaultValues={ticked} choices={statuses} />
        </div>
      </details>
    </div>
  );
}

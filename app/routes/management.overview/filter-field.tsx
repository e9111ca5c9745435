import type { FilterKey, filterEntries } from "~/features/referrals/filters";
import { TU } from "~/features/referrals/status";
import type { usePortalForm } from "~/http/use-portal-form";
import { Checkbox, CheckboxGroup } from "~/ui/choices";
import { CprField } from "~/ui/cpr-field";
import { DateField } from "~/ui/date-field";
import { Icon } from "~/ui/icon";
import { SelectField } from "~/ui/select-field";
import { TextField } from "~/ui/text-field";
import { type OverviewList, statusesOf } from "./overview-list";
import { ReferrerFilter } from "./referrer-filter";

type Choices = NonNullable<OverviewList["choices"]>;

/** What 'Flere filtre' answered. */
export interface MoreFilters {
  choices: Choices;
  search?: string;
  referrers?: { value: number; label: string }[];
}

interface FilterFieldProps {
  name: FilterKey;
  definition: (typeof filterEntries)[number][1];
  form: ReturnType<typeof usePortalForm<Record<string, string | undefined>>>;
  list: OverviewList;
  /** Null while only the first line is shown. */
  choices: Choices | null;
  found: MoreFilters | undefined;
}

/** One filter as its definition says; what was typed wins over what is filtered by. */
export function FilterField({ name, definition: { label, control }, form, list, choices, found }: FilterFieldProps) {
  const { field, isTicked } = form;
  const { fields } = list;
  const select = (options: { value: number; label: string }[]) => <SelectField {...field(name)} label={label} empty="Alle" choices={options} className="grow" />;
  switch (control) {
    case "text":
      return <TextField {...field(name)} label={label} className="grow" autoComplete="off" />;
    case "number":
      return <TextField {...field(name)} label={label} width={6} inputMode="numeric" />;
    case "date":
      return <DateField {...field(name)} label={label} />;
    case "cpr":
      return <CprField id="filter-cpr" defaultValue6={field("cpr6").defaultValue} defaultValue4={field("cpr4").defaultValue} error={field(name).error} />;
    case "clinic":
      return select(choices?.clinics ?? []);
    case "surgeon":
      return select(choices?.surgeons ?? []);
    case "box":
      return <Checkbox name={name} value="on" label={label} defaultChecked={isTicked(name, "on", fields[name] === "on")} />;
    case "referrer":
      return choices?.referrers ? select(choices.referrers) : <ReferrerFilter label={label} chosen={choices?.chosenReferrer ?? null} found={found} value={field(name).defaultValue} />;
    case "statuses":
      return <Statuses label={label} list={list} isTicked={isTicked} />;
    default:
      return null;
  }
}

function Statuses({ label, list, isTicked }: { label: string; list: OverviewList; isTicked: FilterFieldProps["form"]["isTicked"] }) {
  // TU-status is no filter of people who are not staff (specification 1 §4).
  const options = statusesOf(list).filter(({ value }) => list.isStaff || value !== TU);
  const ticked = options.map(({ value }) => value).filter((value) => isTicked("statuses", value, list.statuses.includes(value)));
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <details className="pop status-pop">
        <summary className="input">
          <span>
            <span className="vh">{label}: </span>
            {ticked.length} af {options.length} valgt
          </span>
          <Icon name="down" size={18} className="push" />
        </summary>
        <div className="pop-body">
          <CheckboxGroup name="statuses" label={label} labelHidden selectAll defaultValues={ticked} choices={options} />
        </div>
      </details>
    </div>
  );
}

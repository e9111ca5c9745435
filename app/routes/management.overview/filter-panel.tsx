import { Form } from "@remix-run/react";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { FilterChip } from "~/ui/chip";
import { CheckboxGroup } from "~/ui/choices";
import { CprField } from "~/ui/cpr-field";
import { DateField } from "~/ui/date-field";
import { ErrorSummary } from "~/ui/error-summary";
import { Icon } from "~/ui/icon";
import { TextField } from "~/ui/text-field";
import type { OverviewList } from "./overview-list";

/** Open without script; by script a narrow screen sees the list first. */
function foldOnPhones(panel: HTMLDetailsElement | null) {
  if (panel && window.matchMedia("(max-width: 1159px)").matches && !panel.querySelector(".field-bad")) panel.open = false;
}

/** The filter: the six most used fields in one line, chips for what is active. Folds to one line on phones and over an open referral. */
export function FilterPanel({ list, isFolded }: { list: OverviewList; isFolded: boolean }) {
  const { filter, statusOptions, active } = list;
  const { statuses, ...texts } = filter;
  const { field, faults } = usePortalForm("applyFilter", texts, { cpr6: "filter-cpr-6" });
  return (
    <details className={isFolded ? "panel filter" : "panel filter filter-wide"} open={!isFolded || faults.length > 0} ref={foldOnPhones} key={list.f ?? ""}>
      <summary>
        <Icon name="filter" />
        <b>Filtre</b>
        <span className="meta cut">{active.map((chip) => chip.text).join(" · ") || "Standard"}</span>
        <Icon name="down" className="push" />
      </summary>
      <Form method="post" action={paths.overview} className="panel-body compact" noValidate>
        <ErrorSummary errors={faults} title="Søgningen kunne ikke laves." />
        <input type="hidden" name="sort" value={list.sort} />
        <div className="fields-row">
          <TextField {...field("patientName")} label="Patient navn" className="grow" autoComplete="off" />
          <CprField id="filter-cpr" defaultValue6={field("cpr6").defaultValue} defaultValue4={field("cpr4").defaultValue} error={field("cpr6").error} />
          <TextField {...field("visitNumber")} label="Nr." width={6} inputMode="numeric" />
          <DateField {...field("dateFrom")} label="Dato fra" />
          <DateField {...field("dateTo")} label="Dato til" />
          <details className="pop field status-pop">
            <summary className="btn btn-outline">
              <span>
                Status: {statuses.length} af {statusOptions.length} valgt
              </span>
              <Icon name="down" size={18} className="after" />
            </summary>
            <div className="pop-body">
              <CheckboxGroup
                name="statuses"
                label="Status"
                labelHidden
                selectAll
                defaultValues={statuses}
                choices={statusOptions.filter((option) => list.isStaff || option.value !== 10).map(({ value, label }) => ({ value, label }))}
              />
            </div>
          </details>
          <Button name="intent" value="applyFilter" variant="primary" icon="search" className="field">
            Søg
          </Button>
        </div>
        {active.length > 0 && (
          <div className="row">
            <span className="meta">Aktive filtre</span>
            {active.map((chip) => (
              <FilterChip key={chip.key} label={chip.text} to={`${paths.overview}?f=${chip.without}&sort=${list.sort}`} />
            ))}
            <a href={paths.overview} className="link">
              Reset filtre
            </a>
          </div>
        )}
      </Form>
    </details>
  );
}

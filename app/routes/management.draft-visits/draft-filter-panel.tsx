import { Form, Link, type useLoaderData } from "@remix-run/react";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { CprField } from "~/ui/cpr-field";
import { DateField } from "~/ui/date-field";
import { ErrorSummary } from "~/ui/error-summary";
import { FilterFold } from "~/ui/filter-fold";
import { SelectField } from "~/ui/select-field";
import { TextField } from "~/ui/text-field";
import type { loader } from "./route";

type DraftList = ReturnType<typeof useLoaderData<typeof loader>>;

/** The filter of the drafts (specification 2 §2.3); the referrer is secretaries' and staff's. What is typed is posted and sealed. */
export function DraftFilterPanel({ list }: { list: DraftList }) {
  const { field, summary } = usePortalForm<Record<string, string | undefined>>("filterDrafts", list.fields, { cpr: "filter-cpr-6" });
  return (
    <FilterFold key={list.f ?? ""} active={list.active} isOpen>
      <Form method="post" className="panel-body compact" noValidate>
        <ErrorSummary {...summary("Søgningen kunne ikke laves.")} />
        <input type="hidden" name="formId" value="filterDrafts" />
        <input type="hidden" name="sort" value={list.sort} />
        <div className="fields-row">
          <TextField {...field("patientName")} label="Patient navn" className="grow" autoComplete="off" />
          <CprField id="filter-cpr" defaultValue6={field("cpr6").defaultValue} defaultValue4={field("cpr4").defaultValue} error={field("cpr").error} />
          <TextField {...field("visitNumber")} label="Nr." width={6} inputMode="numeric" />
          <DateField {...field("dateFrom")} label="Dato fra" />
          <DateField {...field("dateTo")} label="Dato til" />
          {list.referrers && <SelectField {...field("referrerId")} label="Henviser" empty="Alle" choices={list.referrers} className="grow" />}
          <Button name="intent" value="filterDrafts" variant="primary" icon="search" className="field">
            Søg
          </Button>
          {list.active.length > 0 && (
            <Link to={paths.drafts} className="link field">
              Reset filtre
            </Link>
          )}
        </div>
      </Form>
    </FilterFold>
  );
}

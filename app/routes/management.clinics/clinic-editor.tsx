import { getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { type ClinicFieldName, ClinicFields, clinicLabels } from "~/components/clinic-form/clinic-fields";
import type { Here } from "~/components/directory-list/directory-list";
import { SavedNow } from "~/components/saved-now/saved-now";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Icon } from "~/ui/icons/icon";
import { SummaryList } from "~/ui/lists/summary-list";
import type { ListedClinic } from "./present";

interface ClinicEditorProps {
  clinic: ListedClinic;
  setsStatus: boolean;
  more: ReactNode;
  here: Here;
}

export function ClinicEditor({ clinic, setsStatus, more, here }: ClinicEditorProps) {
  const { form, fields, summary } = useServerForm<Record<ClinicFieldName, string>>("updateClinic", {
    labels: clinicLabels,
    defaultValue: clinic.values,
  });
  return (
    <div className="w-full min-w-0 table:grid table:grid-cols-[minmax(0,1fr)_300px] table:grid-gap-6 pt-2">
      <ActionForm
        operation="updateClinic"
        showsErrors
        action={here({})}
        preventScrollReset
        {...getFormProps(form)}
        className="stack min-w-0"
      >
        <ErrorSummary {...summary("Klinikken er ikke opdateret.")} />
        <SavedNow formId="updateClinic" button="Opdater Klinik">
          <SummaryList facts={clinic.saved} />
        </SavedNow>
        <ClinicFields fields={fields} {...(!setsStatus && { shownStatus: clinic.values.status })} />
        <div className="row">
          <Button name="intent" value="updateClinic" variant="primary" state={useButtonState("updateClinic")}>
            Opdater Klinik
          </Button>
        </div>
      </ActionForm>
      <aside className="mt-4 table:mt-0" aria-label={`Om ${clinic.name}`}>
        <Members clinic={clinic} />
        {more}
      </aside>
    </div>
  );
}

function Members({ clinic: { members } }: Pick<ClinicEditorProps, "clinic">) {
  return (
    <section aria-labelledby="medlemmer">
      <h3 id="medlemmer" className="mb-2">
        Henvisere/brugere ({members.length})
      </h3>
      {members.length === 0 && <p className="meta">Ingen data...</p>}
      <ul className="divide-y divide-line">
        {members.map(({ id, name, isActive }) => (
          <li key={id} className={isActive ? "py-1" : "py-1 text-ink2"}>
            {name || (
              <>
                <Icon name="person" size={18} />
                <span className="sr-only">Uden navn</span>
              </>
            )}
            {!isActive && <span className="meta"> (inaktiv)</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

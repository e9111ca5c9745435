import { getFormProps } from "@conform-to/react";
import { SavedNow } from "~/components/saved-now/saved-now";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";
import { SummaryList } from "~/ui/lists/summary-list";
import type { TreatmentTypeRow } from "./present";

type Values = Pick<TreatmentTypeRow, "name" | "externalCodes" | "recommendationLink">;
const labels: Values = { name: "Behandlingstype", externalCodes: "Eksternt Id", recommendationLink: "Link til PDF" };

export function EditTreatmentType({ type: { id, version: _ofTicket, ...saved } }: { type: TreatmentTypeRow }) {
  const { form, fields, summary } = useServerForm<Values>("saveTreatmentType", {
    labels,
    defaultValue: saved,
  });
  return (
    <DialogPage title="Redigere behandlingstype" closeTo={paths.settings}>
      <ActionForm
        operation="saveTreatmentType"
        place="saveTreatmentType"
        item={`treatmentTypeId:${id}`}
        showsErrors
        action={`${paths.settingsForms}&ret=${id}`}
        preventScrollReset
        {...getFormProps(form)}
        className="fields"
      >
        <ErrorSummary {...summary("Behandlingstypen er ikke gemt.")} />
        <SavedNow formId="saveTreatmentType" button="GEM">
          <SummaryList facts={savedFacts(saved)} />
        </SavedNow>
        <TextField field={fields.name} label={labels.name} required autoComplete="off" />
        <TextField
          field={fields.externalCodes}
          label={labels.externalCodes}
          hint="Eksempel: 10,11,12"
          autoComplete="off"
        />
        <TextField
          field={fields.recommendationLink}
          label={labels.recommendationLink}
          autoComplete="off"
          inputMode="url"
        />
        <div className="row">
          <Button name="intent" value="saveTreatmentType" variant="primary" state={useButtonState("saveTreatmentType")}>
            GEM
          </Button>
          <ButtonLink to={paths.settings} preventScrollReset>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </DialogPage>
  );
}

const savedFacts = ({ name, externalCodes, recommendationLink }: Values) => [
  { label: labels.name, value: name },
  { label: labels.externalCodes, value: externalCodes },
  { label: labels.recommendationLink, value: recommendationLink, wide: true },
];

export function DeleteTreatmentType({ type: { id, name } }: { type: TreatmentTypeRow }) {
  return (
    <DialogPage title={name} closeTo={paths.settings}>
      <p>Er du sikker på, at du vil slette behandlingstype ?</p>
      <p className="meta">Henvisninger, der har den, beholder den. Den kan ikke vælges mere.</p>
      <ActionForm
        operation="deleteTreatmentType"
        item={`treatmentTypeId:${id}`}
        action={paths.settingsForms}
        preventScrollReset
        className="row"
      >
        <Button name="intent" value="deleteTreatmentType" variant="danger">
          slette
        </Button>
        <ButtonLink to={paths.settings} preventScrollReset>
          Annuller
        </ButtonLink>
      </ActionForm>
    </DialogPage>
  );
}

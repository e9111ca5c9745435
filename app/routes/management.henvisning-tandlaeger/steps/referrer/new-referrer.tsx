import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { DialogPage } from "~/ui/feedback/dialog";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldRow } from "~/ui/layout/page";
import { TextField } from "~/ui/forms/text-field";
import { useBusy } from "~/http/forms/use-busy";

/** 'Opret ny henviser': creates a profile by name and chooses it for the draft. */
export function NewReferrer({ referralId }: { referralId: number }) {
  const { form, fields, summary } = useServerForm<{ firstName?: string; lastName?: string }>("createReferrer", {
    labels: { firstName: "Fornavn", lastName: "Efternavn" },
  });
  const busy = useBusy("createReferrer");
  const back = paths.wizardStep(referralId, 2);
  return (
    <DialogPage title="Opret ny henviser" closeTo={back}>
      <ActionForm
        operation="createReferrer"
        showsErrors
        action={`${back}&ny=1`}
        {...getFormProps(form)}
        className="stack"
      >
        <ErrorSummary {...summary("Henviseren er ikke oprettet.")} />
        <FieldRow>
          <TextField field={fields.firstName} label="Fornavn" autoComplete="off" />
          <TextField field={fields.lastName} label="Efternavn" autoComplete="off" />
        </FieldRow>
        <div className="row">
          <Button name="intent" value="createReferrer" variant="primary" state={busy}>
            Opret
          </Button>
          <ButtonLink to={back} data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </DialogPage>
  );
}

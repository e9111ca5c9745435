import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLocation } from "@remix-run/react";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { type ClinicFieldName, ClinicFields, clinicLabels } from "~/components/clinic-form/clinic-fields";
import { createClinic, readNewClinic } from "~/features/clinics/operations.server";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { DialogPage, dialogFoot } from "~/ui/feedback/dialog";
import { ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";

export const meta = pageTitle("Opret klinik");

export const handle = { pageForm: () => "createClinic" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, readNewClinic, {}, { forms: { createClinic } });

export const action = (args: ActionFunctionArgs) => runCommand(args, { createClinic });

export default function NewClinic() {
  const closeTo = `${paths.clinics}${useLocation().search}`;
  const { form, fields, summary } = useServerForm<Record<ClinicFieldName, string>>("createClinic", {
    labels: clinicLabels,
    defaultValue: { status: "1" },
  });
  return (
    <DialogPage wide title="Opret klinik" closeTo={closeTo}>
      <ActionForm operation="createClinic" of={form} className="stack">
        <ErrorSummary {...summary("Klinikken er ikke oprettet.")} />
        <ClinicFields fields={fields} />
        <div className={dialogFoot}>
          <IntentButton value="createClinic" variant="primary">
            Opret
          </IntentButton>
          <ButtonLink to={closeTo} variant="plain" preventScrollReset data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </DialogPage>
  );
}

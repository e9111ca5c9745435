import { Form } from "@remix-run/react";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { DialogPage } from "~/ui/feedback/dialog";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Pair } from "~/ui/layout/page";
import { TextField } from "~/ui/forms/text-field";
import { useBusy } from "~/http/forms/use-busy";

/** 'Opret ny henviser': a quick profile of first and last name, chosen at once for the draft. */
export function NewReferrer({
  referralId,
  version,
  formKey,
}: {
  referralId: number;
  version: number;
  formKey: string;
}) {
  const { field, summary } = usePortalForm<{ firstName?: string; lastName?: string; formKey?: string }>(
    "createReferrer",
    {},
    { labels: { firstName: "Fornavn", lastName: "Efternavn" } },
  );
  const busy = useBusy("createReferrer");
  const back = paths.wizardStep(referralId, 2);
  return (
    <DialogPage title="Opret ny henviser" closeTo={back}>
      <Form method="post" action={`${back}&ny=1`} noValidate className="stack" id="createReferrer">
        <DefaultIntent value="createReferrer" />
        <ErrorSummary id="new-referrer-errors" {...summary("Henviseren er ikke oprettet.")} />
        <input type="hidden" name="formKey" value={field("formKey").defaultValue ?? formKey} />
        <input type="hidden" name="referralId" value={referralId} />
        <input type="hidden" name="seenVersion" value={version} />
        <Pair>
          <TextField {...field("firstName")} label="Fornavn" required autoComplete="off" />
          <TextField {...field("lastName")} label="Efternavn" required autoComplete="off" />
        </Pair>
        <div className="row">
          <Button name="intent" value="createReferrer" variant="primary" state={busy}>
            Opret
          </Button>
          <ButtonLink to={back} data-discards>
            Annuller
          </ButtonLink>
        </div>
      </Form>
    </DialogPage>
  );
}

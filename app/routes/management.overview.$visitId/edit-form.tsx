import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { SummaryError } from "~/ui/error-summary";
import { Button, ButtonLink } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import type { OpenReferral } from "./open-referral";
import { useBusy } from "~/http/use-busy";
import { useEditPage } from "./use-edit-page";

interface EditFormProps {
  referral: OpenReferral;
  /** As it stands in the address. */
  part: string;
  intent: string;
  faults: SummaryError[];
  formErrors: string[];
  /** The words on the button. */
  label?: string;
  children: ReactNode;
}

/** A section's form, in its place: what was wrong on top, the fields, and the two ways out. */
export function EditForm({ referral, part, intent, faults, formErrors, label = "Gem", children }: EditFormProps) {
  const { edit, back } = useEditPage(referral.id, part);
  const busy = useBusy(intent);
  return (
    <Form method="post" action={edit} noValidate preventScrollReset className="stack edit-form" id={`ret-${part}`}>
      <input type="hidden" name="referralId" value={referral.id} />
      <input type="hidden" name="seenVersion" value={referral.version} />
      <input type="hidden" name="to" value={back} />
      {faults.length > 0 ? <ErrorSummary id={`fejl-${part}`} errors={faults} /> : <ErrorSummary id={`fejl-${part}`} errors={formErrors.map((text) => ({ text }))} title="Der er ikke gemt." />}
      {children}
      <div className="row">
        <Button name="intent" value={intent} variant="primary" icon="save" state={busy}>
          {label}
        </Button>
        <ButtonLink to={back} variant="plain" preventScrollReset>
          Annuller
        </ButtonLink>
      </div>
    </Form>
  );
}
